public import Encodings
import Receipts

/// The keys that combine several fields of a claim.
extension ClaimObservations {
    /// The key that joins copies of one purchase of the app.
    ///
    /// Only for claims that match, in production, that are not of volume purchases (many devices have the same date)
    /// and have no `appTransactionId`, which is a better key.
    var app: [UInt8]? {
        guard presented.isMatching, presented.appTransactionID.isEmpty, let date = presented.originalPurchaseDate,
            presented.environmentClass == .production, presented.environment != "ProductionVPP"
        else { return nil }
        return AppKey.octets(bundleID: presented.bundleID, purchasedAt: date)
    }

    /// The key that joins copies of a token that one device got for one transaction: the original transaction's id,
    /// NUL, the transaction's id (for a renewal info the original one again), NUL, and the token's nonce.
    var nonce: [UInt8]? {
        guard !presented.nonce.isEmpty, !presented.isEvidence else { return nil }
        let isRenewal = presented.renewal != nil
        guard let original = isRenewal ? presented.renewedID : purchases.first?.original, original.isID,
            let id = isRenewal ? original : purchases.first?.transactionID, id.isID
        else { return nil }
        return Self.key(original.boundedID, id.boundedID, presented.nonce)
    }

    /// The key that joins the claims of one Apple Account's use of an app, whoever presents them; also evidence about
    /// its purchases, which rules do not see.
    var person: [UInt8]? {
        guard !presented.appTransactionID.isEmpty,
            !presented.isEvidence || !purchases.isEmpty || !presented.refundRequests.isEmpty
        else { return nil }
        return Self.key(presented.environmentClass.name, presented.appTransactionID)
    }

    /// The key that joins the claims of an account and evidence about purchases for it: the account's UUID.
    var buyer: ExactText? {
        guard presented.isGenuine, !presented.isEvidence || !purchases.isEmpty else { return nil }
        let uuid = presented.accountUUID
        return uuid.isEmpty ? nil : uuid
    }

    /// Joins texts with NUL.
    fileprivate static func key(_ texts: ExactText...) -> [UInt8] {
        var key: [UInt8] = []
        for (index, text) in texts.enumerated() {
            if index > 0 { key.append(0) }
            key.append(copying: text.utf8.span)
        }
        return key
    }
}

/// The key of one purchase of an app: its bundle id, NUL, and the date of the original purchase (attribute 18) in seconds
/// since 1970, as a decimal number.
enum AppKey {
    static func octets(bundleID: ExactText, purchasedAt date: Instant) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(bundleID.utf8.count + 24)
        key.append(copying: bundleID.utf8.span)
        key.append(0)
        key.append(decimal: date.seconds)
        return key
    }

    /// The length of a date in names: `2025-04-30T02:30:31Z`.
    private static let dateLength = 20

    /// Returns the key with a name in subjects, `BUNDLE:DATE`; `nil` if the text is not such a name.
    static func octets(named name: ExactText) -> [UInt8]? {
        let text = Array(name.utf8)
        let end = text.count - dateLength - 1
        guard end >= 0, text[end] == UInt8(ascii: ":"),
            let date = Instant(rfc3339: String(decoding: text.suffix(dateLength), as: UTF8.self))
        else { return nil }
        let bundleID = String(decoding: text.prefix(end), as: UTF8.self)
        return octets(bundleID: ExactText(bundleID), purchasedAt: date)
    }

    /// The name of a key in subjects: `BUNDLE:DATE`.
    static func name(_ key: [UInt8]) -> String {
        // A bundle id holds no NUL.
        let parts = key.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 2, let seconds = Int64(parts[1]) else { return String(decoding: key, as: UTF8.self) }
        return "\(parts[0]):\(Instant(seconds: seconds))"
    }
}

/// The keys of a person's claims, in each environment of the App Store.
public enum PersonKeys {
    /// - Parameter id: an `appTransactionId`.
    public static func all(_ id: ExactText) -> [[UInt8]] {
        [EnvironmentClass.production, .sandbox, .other("Xcode"), .other("LocalTesting")].map {
            ClaimObservations.key($0.name, id.boundedID)
        }
    }
}

extension ExactText {
    /// Whether it can be an id: Apple numbers transactions from far above 0, which Xcode's local store uses.
    var isID: Bool { !isEmpty && self != "0" }
}
