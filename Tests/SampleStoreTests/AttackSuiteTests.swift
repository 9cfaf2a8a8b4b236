import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Testing

@testable import SampleStore

struct `The attack suite` {
    /// What every case presents, made once.
    private static let claims = Result {
        let kit = try AttackKit()
        return try Dictionary(uniqueKeysWithValues: AttackSuite.cases.map { ($0.id, try $0.claim(kit)) })
    }

    private let claims: [String: AttackClaim]

    init() throws { claims = try Self.claims.get() }

    @Test(arguments: AttackSuite.cases.map(\.id))
    func `gets the expected answer to each case from audit itself`(id: String) throws {
        let test = try #require(AttackSuite.cases.first { $0.id == id })
        let facts = try facts(#require(claims[id]))
        #expect(facts.failed.description == test.text.failedChecks.map(\.rawValue).joined(separator: ";"))
        #expect(facts.verdict.rawValue == test.verdict)
    }

    /// The answer of audit about a claim that is sent in as text or as bytes.
    private func facts(_ claim: AttackClaim) throws -> Facts {
        var expectations = Expectations(asOf: claim.asOf)
        expectations.environments = claim.allowedEnvironments.map { Set($0.map { ExactText($0) }) }
        let anchors = claim.trustAnchors.map { (name: "root.cer", bytes: $0) }
        let checker = try Checker(trust: TrustAnchors(files: anchors), expectations: expectations)
        var presented = Claim(source: "attack")
        presented.deviceID = ExactText(claim.deviceID)
        presented.deviceVerificationID = ExactText(claim.deviceVerificationID ?? "")
        presented.bundleID = ExactText(claim.bundleID)
        presented.appVersion = ExactText(claim.appVersion ?? "")
        guard claim.proof.count <= ReceiptLimit.bytes else {
            return checker.facts(of: presented, fault: InputFault(.receiptUnreadable, "is over 8 MiB"))
        }
        return checker.inspection(of: presented, receipt: claim.proof).facts
    }

    @Test
    func `has at least a hundred forgeries and ten controls, and forty and ten of tokens, in groups of their own`() {
        for (cases, forgeries) in [(AttackSuite.cases, 100), (AttackSuite.tokenCases, 40)] {
            #expect(cases.count { !$0.isControl } >= forgeries && cases.count { $0.isControl } >= 10)
        }
        #expect(Set(AttackGroup.ofReceipts).isDisjoint(with: AttackGroup.ofTokens))
        for test in AttackSuite.tokenCases {
            #expect(test.text.kind != .appReceipt && test.id.hasPrefix("token-"), "\(test.id)")
        }
    }

    @Test func `is counted right in the documentation`() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let controls = AttackSuite.cases.count { $0.isControl }
        let page = try String(contentsOf: project.appending(path: "docs/attacks.md"), encoding: .utf8)
        let forgeries = AttackSuite.cases.count - controls
        #expect(page.contains("writes \(forgeries) forged receipts and tokens and \(controls) unusual"))
        for group in AttackGroup.allCases { #expect(page.contains("| `\(group.rawValue)` |")) }
        let readme = try String(contentsOf: project.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("\(AttackSuite.cases.count) forged and genuine receipts and tokens"))
    }

    @Test func `has ids in kebab-case, each once`() {
        let ids = AttackSuite.cases.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(id)") }
    }

    @Test func `says of each case what it is, why, and by what reference, in whole sentences`() {
        for test in AttackSuite.cases {
            #expect(test.text.summary.hasSuffix(".") && [".", "?", ")"].contains(test.text.why.last), "\(test.id)")
            #expect(!test.text.reference.isEmpty && !test.text.reference.hasSuffix("."), "\(test.id)")
            #expect(!test.text.summary.contains("\t") && test.text.summary.count <= 160, "\(test.id)")
        }
    }

    @Test func `has exactly one line of texts for each case, in the order of the cases`() {
        let ids = AttackText.lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(ids == AttackSuite.cases.map(\.id))
        for id in ids { #expect(AttackText.all[id] != nil, "the line of \(id) is not in the form") }
    }

    @Test func `has only controls in the group of controls, and in no other`() {
        for test in AttackSuite.cases { #expect(test.isControl == test.group.isOfControls, "\(test.id)") }
    }

    @Test func `names checks as audit does, in the order of the contract`() {
        let codes = Check.allCases.map(\.code)
        #expect(Forgery.allCases.map(\.rawValue) == codes)
        for test in AttackSuite.cases {
            let positions = test.text.failedChecks.compactMap(Forgery.allCases.firstIndex)
            #expect(positions == positions.sorted(), "\(test.id)")
            #expect(!test.verdict.starts(with: "unreadable") || positions.count == 1, "\(test.id)")
        }
    }

    @Test func `never presents the same twice`() throws {
        var met: [[UInt8]: String] = [:]
        for test in AttackSuite.cases where test.group != .cost {
            let claim = try #require(claims[test.id])
            let key =
                claim.proof + Array("\(claim.deviceID) \(claim.bundleID) \(claim.appVersion ?? "")".utf8)
                + Array("\(claim.deviceVerificationID ?? "")".utf8)
                + Array("\(claim.allowedEnvironments ?? []) \(claim.asOf)".utf8) + claim.trustAnchors.joined()
            #expect(met[key] == nil, "\(test.id) is \(met[key] ?? "")")
            met[key] = test.id
        }
    }

    /// Whoever has a suite of last year must be able to compare: a change of these bytes is a new version.
    @Test func `is the same bytes each time`() throws {
        var octets: [UInt8] = []
        for test in AttackSuite.cases {
            octets += SampleDigest.sha256.hash(test.json(try #require(claims[test.id])).file)
        }
        let hash = SampleDigest.sha256.hash(octets)
        #expect(Hex.string(hash.span) == "74ae20a6f2ae283f066a06c7b21050e010e31a2a1e18275d39b32fba5f1c578b")
    }
}
