import Checks
import Encodings
import Foundation
import Inputs
import Rules
import SampleStore
import Sorting
import Testing

@testable import Engine

/// What a rule found about one subject, in one place or in several.
struct `A finding that is merged` {
    private static let id = FindingID(high: 0x0123_4567_89ab_cdef, low: 7)
    private static let groupRule = RuleBook.claimRules.count

    private static func device(_ number: Int) -> [Device] {
        let octets = [1, 2, 3, 4, 5, UInt8(truncatingIfNeeded: number)]
        return Device(octets: octets.span).map { [$0] } ?? []
    }

    /// One part, unlike every other, with all that a finding has.
    ///
    /// - Parameter isExact: whether all is counted exactly. What is not has more values than a test needs.
    private static func part(_ number: Int, rule: Int = groupRule, isExact: Bool = true) -> MergedFinding {
        var involved = Participants()
        involved.claimIDs = DistinctSketch([ClaimID(high: UInt64(number), low: 1)], isExact: isExact || number % 5 != 4)
        involved.devices = DistinctSketch(device(number), isExact: true)
        involved.matchingDevices = DistinctSketch(device(number % 2), isExact: true)
        involved.accounts = DistinctSketch([ExactText("user-\(number % 3)")], isExact: isExact || number % 4 != 3)
        involved.sources = FirstSources(["a.csv:\(number)", "b.csv:\(100 - number)"])
        involved.app = OnlyText(number % 3 == 0 ? "" : "com.example.\(number % 4)", areSeveral: number == 7)
        involved.product = OnlyText(number % 4 == 0 ? "" : "product \(number)", areSeveral: false)
        involved.lacksAccount = number == 5
        involved.lacksDevice = number == 6
        if number % 2 == 0 {
            var links = RingLinks(subject: "transaction:1")
            links.devices = involved.devices
            links.matchingDevices = involved.matchingDevices
            links.accounts = involved.accounts
            links.mismatchedAccounts = DistinctSketch([ExactText("other-\(number)")], isExact: true)
            links.clearedAccounts = DistinctSketch([ExactText("owner-\(number)")], isExact: true)
            involved.links = links
        }
        var finding = Finding(
            severity: Severity.allCases[number % 4], rule: rule, subject: "transaction:1", involved: involved,
            evidence: "text \(number % 12)", confidence: number == 3 ? .likely : .doubtful, events: number + 1)
        finding.stake = Stake(
            [(.init(ExactText("\(number % 9)")), Stake.Item(bundleID: "com.example", productID: "gold"))],
            isComplete: isExact || number != 8)
        return MergedFinding(finding, id: id)
    }

    private static let parts = (0..<14).map { part($0) }

    private func bytes(_ finding: MergedFinding) -> [UInt8] {
        var (finding, record) = (finding, RecordWriter())
        finding.code(&record)
        return record.bytes
    }

    private func recodedFinding(_ finding: MergedFinding) throws -> MergedFinding {
        try recoded(
            finding, placeholder: .unread, write: { $0.code(&$1) },
            read: { (finding, fields) throws(RecordError) in try finding.code(&fields) })
    }

    @Test(arguments: [0, 1, 3, 4, 5, 6, 8]) func `is read from a record as it was written`(number: Int) throws {
        let part = Self.part(number, isExact: false)
        let found = try recodedFinding(part)
        #expect(found.row(RuleSet(Policy())) == part.row(RuleSet(Policy())))
        #expect(found.id == part.id && found.finding.rule == part.finding.rule)
        #expect(found.finding.stake.isComplete == part.finding.stake.isComplete)
        let (involved, expected) = (found.finding.involved, part.finding.involved)
        #expect(involved.claimIDs.sorted == expected.claimIDs.sorted)
        #expect(involved.claimIDs.isExact == expected.claimIDs.isExact)
        #expect(involved.devices.sorted == expected.devices.sorted)
        #expect(involved.matchingDevices.sorted == expected.matchingDevices.sorted)
        #expect(involved.accounts.sorted == expected.accounts.sorted)
        #expect(involved.accounts.isExact == expected.accounts.isExact)
        #expect(involved.sources.names == expected.sources.names)
        #expect(involved.app.text == expected.app.text && involved.product.text == expected.product.text)
        #expect(involved.lacksAccount == expected.lacksAccount && involved.lacksDevice == expected.lacksDevice)
        #expect((involved.links == nil) == (expected.links == nil))
        if let links = involved.links, let expected = expected.links {
            #expect(links.subject == expected.subject)
            #expect(links.devices.sorted == expected.devices.sorted)
            #expect(links.matchingDevices.sorted == expected.matchingDevices.sorted)
            #expect(links.accounts.sorted == expected.accounts.sorted)
            #expect(links.mismatchedAccounts.sorted == expected.mismatchedAccounts.sorted)
            #expect(links.clearedAccounts.sorted == expected.clearedAccounts.sorted)
        }
    }

    @Test func `is read from a record with several texts of evidence, and that there are more`() throws {
        let whole = Self.parts.dropFirst().reduce(into: Self.parts[0]) { $0.add($1) }
        let found = try recodedFinding(whole)
        #expect(found.row(RuleSet(Policy())) == whole.row(RuleSet(Policy())))
        #expect(found.row(RuleSet(Policy())).evidence.contains("; and more"))
    }

    @Test(arguments: 0..<20, [0, groupRule])
    func `is the same in whatever order its parts come, and however they were put together before`(
        seed: UInt64, rule: Int
    ) {
        var random = SeededGenerator(seed: seed)
        let parts = (0..<14).map { Self.part($0, rule: rule) }
        let expected = parts.dropFirst().reduce(into: parts[0]) { $0.add($1) }
        var heap = parts
        while heap.count > 1 {
            let first = heap.remove(at: random.below(heap.count))
            let place = random.below(heap.count)
            var sum = first
            sum.add(heap.remove(at: place))
            heap.append(sum)
        }
        #expect(heap[0].row(RuleSet(Policy())) == expected.row(RuleSet(Policy())))
        #expect(bytes(heap[0]) == bytes(expected))
    }

    @Test func `has the worst severity and the best confidence of its parts`() {
        let row = Self.parts.dropFirst().reduce(into: Self.parts[0]) { $0.add($1) }.row(RuleSet(Policy()))
        #expect(row.severity == .high && row.confidence == .likely)
    }

    @Test(
        arguments: [
            ("replayed-consumable", 3 + 4), ("transaction-conflict", 3 + 4), ("trial-abuse", 3 + 4),
            ("repeat-refunds", 3 + 4), ("hidden-refund", 3 + 4), ("purchase-burst", 4), ("shared-person", 4),
            ("token-replay", 2), ("fraud-ring", 4),
        ] as [(ExactText, Int)])
    func `counts the events of groups together where these are transactions, and else once`(
        id: ExactText, events: Int
    ) throws {
        let rule = try #require(RuleBook.ids.firstIndex(of: id))
        var finding = Self.part(2, rule: rule)
        finding.add(Self.part(3, rule: rule))
        #expect(finding.row(RuleSet(Policy())).events == events)
    }

    /// A copy with the id of its device matches like the original.
    @Test(arguments: [["ann"], ["ann", "bob"], []] as [[ExactText]])
    func `names a device only below high`(accounts: [ExactText]) {
        for severity in Severity.allCases {
            var involved = Participants()
            involved.devices = DistinctSketch(Self.device(1), isExact: true)
            involved.matchingDevices = involved.devices
            involved.accounts = DistinctSketch(accounts, isExact: true)
            involved.lacksAccount = accounts.isEmpty
            let finding = Finding(
                severity: severity, rule: Self.groupRule, subject: "transaction:1", involved: involved, evidence: "")
            let row = MergedFinding(finding, id: Self.id).row(RuleSet(Policy()))
            #expect(row.deviceID.isEmpty == (severity >= .high))
        }
    }

    private func evidence(_ texts: [(Severity, String)]) -> String {
        let parts = texts.map { severity, text in
            MergedFinding(
                Finding(severity: severity, rule: 0, subject: "claim:1", involved: Participants(), evidence: text),
                id: Self.id)
        }
        return parts.dropFirst().reduce(into: parts[0]) { $0.add($1) }.row(RuleSet(Policy())).evidence
    }

    @Test func `shows the most severe evidence first`() {
        #expect(evidence([(.low, "a"), (.critical, "c"), (.high, "b")]) == "c; b; a")
        #expect(evidence([(.high, "e\u{301}"), (.high, "\u{e9}")]) == "e\u{301}; \u{e9}")
    }

    @Test func `shows a text once, however severe it is elsewhere`() {
        #expect(evidence([(.low, "a"), (.high, "b"), (.critical, "a"), (.low, "a")]) == "a; b")
    }

    @Test func `shows ten texts`() {
        let texts = (0..<10).map { (Severity.low, "text \($0)") }
        #expect(!evidence(texts).contains("more"))
        #expect(!evidence(texts + texts.map { (.high, $0.1) }).contains("more"))
        #expect(evidence(texts + [(.high, "worse")]).hasPrefix("worse; text 0; "))
        #expect(evidence(texts + [(.high, "worse")]).hasSuffix("; text 8; and more"))
    }

    @Test(arguments: [0, 1 << 20]) func `is brought together from several stores, in the order of ids`(memory: Int)
        throws
    {
        let storage = Storage(memory: memory, folder: FileManager.default.temporaryDirectory.path())
        let stores = (0..<3).map { _ in ValueSorter<MergedFinding>(storage) }
        let ids = [(5, 1), (5, 0), (.max, 0), (0, 9)].map { FindingID(high: $0.0, low: $0.1) }
        for number in 0..<40 {
            let part = MergedFinding(Self.part(number % 14).finding, id: ids[number % 4])
            try stores[number % 3].add(part)
        }
        var (found, parts): ([MergedFinding], Int) = ([], 0)
        try MergedFinding.forEach(in: RunMerge(stores.flatMap { try $0.finish() }), onPart: { _ in parts += 1 }) {
            found.append($0)
        }
        #expect(found.map(\.id) == ids.sorted() && parts == 40)
        for finding in found {
            let numbers = (0..<40).filter { ids[$0 % 4] == finding.id }.map { $0 % 14 }
            let expected = numbers.dropFirst().reduce(into: Self.parts[numbers[0]]) { $0.add(Self.parts[$1]) }
            var row = expected.row(RuleSet(Policy()))
            row.id = finding.id
            #expect(finding.row(RuleSet(Policy())) == row)
        }
    }
}
