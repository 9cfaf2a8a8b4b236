import Checks
import Encodings
import SQLite

/// Whose word it is that a subject bought something. Only the first is proof of a purchase of the subject.
enum WordOf: String, CaseIterable {
    /// Apple signed it, for the device that presents it or without naming one.
    case apple = "apple"
    case otherDevice = "other-device"
    /// The same transaction is in a proof that matches the device of another account.
    case otherAccount = "other-account"
    case receipt = "receipt"
    /// Apple signed it in a test environment, where nobody pays.
    case test = "test"

    /// The codes of failed checks without which nobody knows that Apple signed the content.
    static let brokenSignature = [
        Check.signatureInvalid, .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore, .malformedReceipt,
    ].map(\.code)

    /// The word before what was bought or refunded.
    var introduction: String {
        switch self {
        case .apple: "Apple signed"
        case .otherDevice: "Apple signed for another device"
        case .otherAccount: "bought by another account"
        case .receipt: "the receipt says, its signature is invalid"
        case .test: "Apple signed for a test"
        }
    }

    /// Why transactions do not count as money of the subject; `nil` for those that do.
    fileprivate var exclusion: String? {
        switch self {
        case .apple: nil
        case .otherDevice: "that Apple signed for another device"
        case .otherAccount: "that another account bought"
        case .receipt: "that only a receipt with an invalid signature names"
        case .test: "of a test environment"
        }
    }

    /// Returns the numbers of transactions that are not money of the subject, in a sentence; `nil` if all are.
    static func exclusions(_ counts: [(word: WordOf, count: Int)]) -> String? {
        let parts = counts.compactMap { item in
            item.word.exclusion.map { "\(counted(item.count, "transaction", grouped)) \($0)" }
        }
        return parts.isEmpty ? nil : "Not counted: \(parts.joined(separator: "; "))."
    }
}

extension WordOf {
    /// The condition that a claim has a broken signature, or no content that can be proven.
    private static func isBroken(_ claim: String) -> String {
        let codes = brokenSignature.map { "instr(';' || \(claim).failed_checks || ';', ';\($0);')" }
        return "(\(claim).verdict IS 'unreadable' OR coalesce(\(codes.joined(separator: " OR ")), 0))"
    }

    /// The condition that a claim is a proof of Apple for the device that presents it.
    static func isOwned(_ claim: String) -> String { "(\(claim).guid IS 'match' AND NOT \(isBroken(claim)))" }

    /// The place of the word of a claim `c`, with its row `r` in `receipts`, about its purchase `p` in ``allCases``, in
    /// SQL.
    static let place = """
        CASE WHEN \(isBroken("c")) THEN 3
            WHEN coalesce(r.environment, '') NOT IN ('', 'Production', 'ProductionVPP') THEN 4
            WHEN \(isOwned("c")) THEN 0
            WHEN EXISTS (
                SELECT 1 FROM purchases AS q JOIN claims AS o ON o.claim_id = q.claim_id
                WHERE q.transaction_id = p.transaction_id AND o.account_id <> c.account_id AND \(isOwned("o"))) THEN 2
            WHEN EXISTS (
                SELECT 1 FROM links AS l JOIN fraud AS f ON f.finding_id = l.finding_id
                WHERE l.claim_id = c.claim_id AND f.rule = 'account-token-mismatch') THEN 2
            WHEN c.guid IS 'mismatch' THEN 1 ELSE 0 END
        """

    /// The word at a place, in SQL.
    static func atPlace(_ place: String) -> String {
        "CASE \(place) "
            + allCases.enumerated().map { "WHEN \($0) THEN '\($1.rawValue)'" }.joined(separator: " ") + " END"
    }
}
