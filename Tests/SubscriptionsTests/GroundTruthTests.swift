import Checks
import Corpus
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Receipts
import Rules
import SampleStore
import Subscriptions
import Testing

struct `Subscriptions of an export` {
    static let exports: [(UInt64, Int, Double, Double)] = [
        (1, 1000, 0.1, 0.05), (2, 3000, 0.05, 0.4), (3, 1500, 0.3, 0.7), (4, 1500, 0, 0.8),
    ]

    @Test(arguments: Exhaustive.cases(exports, every: 3))
    func `are those of the truth, and no others`(
        seed: UInt64, count: Int, forgeries: Double, plants: Double
    ) throws {
        let count = Exhaustive.count(count, sampled: count / 2)
        let export = try SampleExport(
            count: count, seed: seed, forgeryShare: forgeries, plantShare: plants, tokenShare: 0.4)
        let expected = export.expectedSubscriptions()
        let found = try rows(of: export)
        for row in Set(expected).subtracting(found) { Issue.record("not found: \(row)") }
        for row in Set(found).subtracting(expected) { Issue.record("not expected: \(row)") }
        #expect(found.map(\.originalTransactionID) == expected.map(\.originalTransactionID))
        #expect(expected.count > count / 16)
    }

    @Test func `are of every state but for a trial that runs, with all that can happen to one`() throws {
        let truth = try SampleExport(count: 20_000, seed: 5, plantShare: 0.03).expectedSubscriptions()
        #expect(Set(truth.map(\.state)).union([.trial]) == Set(ExpectedSubscription.State.allCases))
        for column in [\ExpectedSubscription.lapses, \.productChanges, \.trials, \.introOffers, \.refunds] {
            #expect(truth.contains { $0[keyPath: column] > 0 })
        }
        #expect(truth.contains { $0.devices > 1 })
        #expect(truth.contains { $0.devices == 0 } && truth.contains { $0.accounts == 0 })
    }

    /// Checks every claim, groups the observations, and reads the subscriptions in the order of a report.
    private func rows(of export: SampleExport) throws -> [ExpectedSubscription] {
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        var groups: [[UInt8]: [Observation]] = [:]
        for index in 0..<export.count {
            let made = try export.claim(at: index)
            guard let file = made.file, file.extendedTo == nil, !made.row.isCutShort else { continue }
            var claim = Claim(source: ExactText(made.source))
            claim.deviceID = ExactText(made.row.deviceID)
            claim.deviceVerificationID = ExactText(made.row.deviceVerificationID)
            claim.accountID = ExactText(made.row.accountID)
            let bytes = file.path.hasSuffix(".b64") ? decoded(file.bytes) : file.bytes
            let observations = ClaimObservations(
                checker.facts(of: claim, receipt: bytes.span), claim: ClaimNumber(rawValue: UInt64(index)))
            observations.forEach { kind, key, purchases in
                guard kind == .originalTransaction else { return }
                var observation = observations.presented
                observation.purchases = purchases
                groups[Array((0..<key.count).map { key[$0] }), default: []].append(observation)
            }
        }
        return try groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, observations in
            let group = ArrayGroup(
                key: GroupKey(.originalTransaction, octets: key), observations: observations)
            return try Subscription(group, asOf: SampleExport.asOf, Policy()).map { try Self.expected($0.row) }
        }
    }

    private func decoded(_ text: [UInt8]) -> [UInt8] {
        Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
    }

    /// The row in the words of the truth.
    private static func expected(_ row: SubscriptionRow) throws -> ExpectedSubscription {
        let fields: [(String, String)] = [
            ("original_transaction_id", quoted(row.originalTransactionID)), ("bundle_id", quoted(row.bundleID)),
            ("product_id", quoted(row.productID)), ("environment", quoted(row.environment)),
            ("state", quoted(row.state.rawValue)), ("started_at", quoted(row.startedAt.description)),
            ("expires_at", quoted(row.expiresAt.description)), ("periods", "\(row.periods)"),
            ("trials", "\(row.trials)"), ("intro_offers", "\(row.introOffers)"), ("refunds", "\(row.refunds)"),
            ("lapses", "\(row.lapses)"), ("product_changes", "\(row.productChanges)"), ("devices", "\(row.devices)"),
            ("accounts", "\(row.accounts)"), ("last_transaction_id", quoted(row.lastTransactionID)),
            ("evidence_at", quoted(row.evidenceAt.description)),
        ]
        #expect(SubscriptionRow.columns.starts(with: fields.map(\.0)))
        #expect(row.evidence == .receipt ? row.price == nil : row.evidence == .transaction && row.price != nil)
        #expect(row.renewsByItself == nil)
        let json = "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",") + "}"
        return try JSONDecoder().decode(ExpectedSubscription.self, from: Data(json.utf8))
    }

    private static func quoted(_ text: ExactText) -> String { quoted(text.text) }
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
