public import Encodings
import Receipts

/// The keys that are made of several things that a claim shows.
extension ClaimObservations {
    /// The key under which copies of one purchase of the app meet: bundle id, NUL, and attribute 18 in seconds since
    /// 1970, as a decimal number.
    ///
    /// Only for claims without an `appTransactionId`, which says it better, that match, in production, and not of volume purchases, which many devices have at one time.
    var app: [UInt8]? {
        guard presented.isMatching, presented.appTransactionID.isEmpty, let date = presented.originalPurchaseDate,
            presented.environmentClass == .production, presented.environment != "ProductionVPP"
        else { return nil }
        var key: [UInt8] = []
        let bundleID = presented.bundleID.utf8
        key.reserveCapacity(bundleID.count + 24)
        key.append(copying: bundleID.span)
        key.append(0)
        key.append(decimal: date.seconds)
        return key
    }

    /// The key under which copies of what one device got for one transaction meet: the original transaction's id, NUL, the
    /// transaction's (of a renewal info the original one again), NUL, and the token's nonce.
    var nonce: [UInt8]? {
        guard !presented.nonce.isEmpty, !presented.isEvidence else { return nil }
        let isRenewal = presented.renewal != nil
        guard let original = isRenewal ? presented.renewedID : purchases.first?.original, original.isID,
            let id = isRenewal ? original : purchases.first?.transactionID, id.isID
        else { return nil }
        return Self.key(original.boundedID, id.boundedID, presented.nonce)
    }

    /// The key under which the claims of one Apple Account's use of an app meet, whoever presents them.
    var person: [UInt8]? {
        guard !presented.appTransactionID.isEmpty, !presented.isEvidence else { return nil }
        return Self.key(presented.environmentClass.name, presented.appTransactionID)
    }

    /// Joins texts by NUL.
    fileprivate static func key(_ texts: ExactText...) -> [UInt8] {
        var key: [UInt8] = []
        for (index, text) in texts.enumerated() {
            if index > 0 { key.append(0) }
            key.append(copying: text.utf8.span)
        }
        return key
    }
}

/// The keys under which the claims of a person stand, whichever App Store numbered him.
public enum PersonKeys {
    /// - Parameter id: an `appTransactionId`.
    public static func all(_ id: ExactText) -> [[UInt8]] {
        [EnvironmentClass.production, .sandbox, .other("Xcode"), .other("LocalTesting")].map {
            ClaimObservations.key($0.name, id.boundedID)
        }
    }
}

extension ExactText {
    /// Apple numbers transactions from far above 0, which Xcode's local store uses.
    var isID: Bool { !isEmpty && self != "0" }
}
