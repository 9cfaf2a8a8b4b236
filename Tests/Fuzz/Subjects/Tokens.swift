import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Receipts
import Reports
import SampleStore

@testable import Checks

/// Tokens: every check of their text, and what is shown of them; payloads by themselves, signed again by a trusted
/// store, so that inputs get past the signature check.
struct TokenSubject: Subject {
    private let checker: Checker
    private let store: TokenAuthority

    init() throws {
        store = try TokenAuthority()
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: store.root.certificate)])
        checker = try Checker(trust: trust, expectations: Expectations(asOf: Settings.asOf))
    }

    func read(_ bytes: [UInt8]) {
        let facts = check(bytes)
        if facts.verdict == .valid {
            demand(Set(TokenSeeds.payloads).contains(facts.signature.map { $0.contentDigest.bytes } ?? []), "forged")
        }
        // Signing costs a millisecond.
        guard bytes.choice(of: 32) == 0, let signed = try? store.token(octets: bytes) else { return }
        let again = check(signed.encoded)
        demand(!again.failed.contains(.signatureInvalid), "what the store signed is invalid")
        if let token = again.token, token.error == nil, let date = token.signedAt {
            demand(again.createdAt == date, "the chain is judged at another date")
        }
    }

    private func check(_ bytes: [UInt8]) -> Facts {
        let facts = checker.facts(of: Settings.claim, receipt: bytes.span)
        demand(checker.failure == nil, "a digest could not be computed")
        if facts.format == .token {
            demand(facts.verdict != .valid || facts.signature?.deviation == nil, "valid, but not in the strict form")
            _ = checker.tokens(inside: facts)
            let inspection = checker.inspection(of: Settings.claim, receipt: bytes)
            demand(inspection.facts.failed == facts.failed, "inspected it fails other checks")
            demand((try? InspectionJSON.text(of: inspection)) != nil, "it cannot be shown")
        }
        return facts
    }
}

/// Texts of evidence: a token, or JSON with some; and a token among any text.
struct EvidenceSubject: Subject {
    private let token: [UInt8]

    init() throws { token = Array((try TokenSeeds.all().first?.text ?? "").utf8) }

    func read(_ bytes: [UInt8]) {
        let tokens = EvidenceText(bytes).tokens
        demand(tokens.count <= max(1, bytes.count), "more tokens than bytes")
        demand(tokens.allSatisfy { $0.count <= bytes.count }, "a token is longer than the text that it is in")
        let between = EvidenceText(bytes + [0x0a] + token + [0x0a] + bytes)
        demand(between.tokens.contains(token), "a token between lines is hidden")
        let beside = EvidenceText(bytes + token + bytes)
        demand(
            beside.lost > 0 || beside.tokens.contains { $0.span.firstIndex(of: token, from: 0) != nil },
            "a token beside text is lost silently")
    }
}

/// Tokens of a private store, the same every time.
enum TokenSeeds {
    /// SHA-256 of the payloads that the store signed for seeds.
    static let payloads: [[UInt8]] = ((try? all()) ?? []).map { SampleDigest.sha256.hash($0.payload.octets) }

    static func all() throws -> [TokenContent] {
        let store = try TokenAuthority()
        let transaction = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "month", transactionID: "460000000000001",
            purchasedAt: .utc(2025, 3, 1))
        let renewal = RenewalContent(
            originalTransactionID: "460000000000001", productID: "month", signedAt: .utc(2025, 3, 1))
        let inner = try store.token(transaction)
        let data = NotificationData(bundleID: "com.example.notes").with { $0.signedTransaction = inner.text }
        return [
            inner, try store.token(renewal),
            try store.token(AppTransactionContent(bundleID: "com.example.notes", createdAt: .utc(2025, 3, 1))),
            try store.token(NotificationContent("DID_RENEW", uuid: "u", body: .data(data), signedAt: .utc(2025, 3, 1))),
        ]
    }

    static func evidence(_ tokens: [TokenContent]) -> [[UInt8]] {
        let all = tokens.map(\.text)
        let quoted = all.map { "\"\($0)\"" }.joined(separator: ",")
        return [
            "{\"signedPayload\":\"\(all[3])\"}", "{\"signedTransactions\":[\(quoted)],\"hasMore\":false}",
            "{\"data\":[{\"lastTransactions\":[{\"status\":1,\"signedTransactionInfo\":\"\(all[0])\"}]}]}", all[0],
        ].map { Array($0.utf8) }
    }
}
