import Corpus
import Encodings
import Files
import Rules
import SampleStore
import Testing

@testable import Engine

/// Random claims through shuffle, reduce and join, against a dictionary of arrays.
struct `Claims that have keys in common` {
    struct Setting: CustomTestStringConvertible {
        var seed: UInt64
        var workers: Int
        var memory: Int
        var variety: Int
        var blocks: [Int]

        var testDescription: String {
            "seed \(seed), \(workers) workers, \(memory) bytes, variety \(variety), blocks of \(blocks.prefix(6))"
        }
    }

    /// The least that there is, with which every buffer has 64 KiB; the usual amount, and some between.
    private static let memories = [1, 8 << 20, 40 << 20, 256 << 20]

    /// Every number of workers with every memory; blocks of one claim, of many, and of any number between.
    static let settings: [Setting] = (1...8).flatMap { workers in
        memories.enumerated().map { index, memory in
            let seed = UInt64(100 * workers + index)
            var random = SeededGenerator(seed: seed)
            let count = 260
            var blocks: [Int] = []
            while blocks.reduce(0, +) < count {
                switch (workers + index) % 4 {
                case 0: blocks.append(1)
                case 1: blocks.append(count)
                case 2: blocks.append(1 + random.below(128))
                default: blocks.append(random.chance(percent: 20) ? 128 : 1 + random.below(4))
                }
            }
            return Setting(
                seed: seed, workers: workers, memory: memory, variety: [3, 12, 60, 400][random.below(4)], blocks: blocks
            )
        }
    }

    @Test(arguments: Exhaustive.cases(settings, every: 20))
    func `are found to be what they are one key after the other in memory`(setting: Setting) throws {
        var random = RandomClaims(seed: setting.seed, variety: setting.variety)
        let claims = random.claims(inBlocksOf: setting.blocks)
        try check(claims, setting)
    }

    @Test(arguments: Exhaustive.cases(memories, every: 4))
    func `are so, too, where nearly all have one key`(memory: Int) throws {
        try check(
            Self.alike, Setting(seed: 77, workers: 3, memory: memory, variety: 2, blocks: []),
            expecting: Self.foundAlike.get())
    }

    /// More than a group holds before it sorts its records.
    private static var alike: [GroupedClaim] {
        var random = RandomClaims(seed: 77, variety: 2)
        return random.claims(inBlocksOf: [Int](repeating: 100, count: 43))
    }
    private static let foundAlike = Result { try expected(alike, RuleSet(policy, asOf: SampleExport.asOf)) }

    @Test(arguments: [(memory: 1, spills: true), (memory: 256 << 20, spills: false)])
    func `are spilled to files where memory is little, and not where it is enough`(memory: Int, spills: Bool) throws {
        var random = RandomClaims(seed: 1, variety: 12)
        let claims = random.claims(inBlocksOf: [260])
        let rows = try SpillFolder()
        let run = GroupRun(workers: 2, memory: memory, folder: "/no/such/folder", rowsFolder: rows.path)
        if spills {
            #expect(throws: FileError.self) { try run.outcome(of: claims, seed: 1) }
        } else {
            #expect(throws: Never.self) { try run.outcome(of: claims, seed: 1) }
        }
    }

    /// Random claims have few devices and people and many dates: with these limits, every rule is raised.
    private static let policy: Policy = {
        var policy = Policy()
        let limits: [(ExactText, [ExactText: Int])] = [
            ("lent-app", ["devices": 2, "days": 10_000]), ("storefront-hop", ["days": 10_000]),
            ("family-overreach", ["persons": 1]),
        ]
        for (rule, limits) in limits {
            var settings = Policy.RuleSettings()
            settings.limits = limits
            policy.rules[rule] = settings
        }
        return policy
    }()

    @Test func `are so, too, where the policy allows what is found`() throws {
        var policy = Self.policy
        policy.allowances = [
            .init(subject: "account:user-1", reason: "tests"), .init(subject: "transaction:700001", reason: "tests"),
            .init(subject: "device:40000001-4040-4040-4040-404040404040", reason: "tests"),
        ]
        var random = RandomClaims(seed: 5, variety: 6)
        let claims = random.claims(inBlocksOf: [70, 1, 130])
        try check(
            claims, Setting(seed: 5, workers: 2, memory: 64 << 10, variety: 6, blocks: []),
            RuleSet(policy, asOf: SampleExport.asOf))
    }

    @Test func `raise every rule for groups, so that all are compared`() throws {
        var raised: Set<ExactText> = []
        for seed in 0..<UInt64(6) {
            var random = RandomClaims(seed: seed, variety: [3, 12, 60][Int(seed) % 3])
            let claims = random.claims(inBlocksOf: [300])
            let found = try NaiveAudit.outcome(
                of: claims, RuleSet(Self.policy, asOf: SampleExport.asOf), asOf: SampleExport.asOf)
            raised.formUnion(found.findings.map(\.rule))
            #expect(!found.subscriptions.isEmpty)
        }
        for rule in RuleBook.groupRules { #expect(raised.contains(rule.documentation.id), "\(rule)") }
        #expect(raised.contains("fraud-ring"))
    }

    private static func expected(_ claims: [GroupedClaim], _ rules: RuleSet) throws -> AuditOutcome {
        try NaiveAudit.outcome(of: claims, rules, asOf: SampleExport.asOf)
    }

    private func check(
        _ claims: [GroupedClaim], _ setting: Setting,
        _ rules: RuleSet = RuleSet(policy, asOf: SampleExport.asOf), expecting known: AuditOutcome? = nil
    ) throws {
        let expected = try known ?? Self.expected(claims, rules)
        let folder = try SpillFolder()
        let run = GroupRun(workers: setting.workers, memory: setting.memory, folder: folder.path, rules: rules)
        let found = try run.outcome(of: claims, seed: setting.seed)
        #expect(found.difference(from: expected) == nil)
        #expect(folder.left == [])
    }
}
