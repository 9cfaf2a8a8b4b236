public import Checks
import Encodings
import Inputs
public import Receipts
import Signatures

/// Takes from a claim's facts what it has to say under each of its keys.
public enum FactsSightings {
    /// Calls a body for each key of a claim with what the claim says under it; each key once.
    public static func forEach(in facts: Facts, claim number: UInt64, _ body: (GroupKey, Sighting) -> Void) {
        var presented = Sighting(claim: number, source: facts.claim.source)
        presented.device = facts.device
        presented.isVerified = facts.deviceMatch == .match
        presented.accountID = facts.claim.accountID.boundedID
        presented.presentedAt = facts.claim.presentedAt
        if let digest = facts.signature?.contentDigest {
            let octets = digest.octets
            body(GroupKey(.receipt, octets: (0..<octets.count).map { octets[$0] }), presented)
        }
        let receipt = facts.isGenuine ? facts.receipt : nil
        if let receipt {
            presented.isGenuine = true
            presented.bundleID = receipt.bundleID
            presented.createdAt = receipt.createdAt
            forEachTransaction(of: receipt, presented, body)
        }
        presented.purchases = receipt.map { $0.purchases.filter(\.isTelling) } ?? []
        if let device = presented.device {
            var octets: [UInt8] = []
            device.append(to: &octets)
            body(GroupKey(.device, octets: octets), presented)
        }
        if !presented.accountID.isEmpty {
            body(GroupKey(.account, octets: Array(presented.accountID.utf8)), presented)
        }
    }

    private static func forEachTransaction(
        of receipt: Receipt, _ presented: Sighting, _ body: (GroupKey, Sighting) -> Void
    ) {
        var sighting = presented
        let purchases = receipt.purchases
        for (index, purchase) in purchases.enumerated() where purchase.transactionID.isID {
            // The same transaction twice in one receipt is one, refunded if either is.
            let isFirst = !purchases[..<index].contains { $0.transactionID == purchase.transactionID }
            guard isFirst else { continue }
            let refunded = purchases[index...].first {
                $0.transactionID == purchase.transactionID && $0.cancellationDate != nil
            }
            sighting.purchases = [refunded ?? purchase]
            body(GroupKey(.transaction, octets: Array(purchase.transactionID.utf8)), sighting)
        }
        for (index, purchase) in purchases.enumerated() where purchase.original.isID {
            guard !purchases[..<index].contains(where: { $0.original == purchase.original }) else { continue }
            sighting.purchases = purchases[index...].filter { $0.original == purchase.original }
            body(GroupKey(.originalTransaction, octets: Array(purchase.original.utf8)), sighting)
        }
    }
}

extension Purchase {
    /// The original transaction: where attribute 1705 is absent the transaction is its own.
    public var original: String { originalTransactionID ?? transactionID }

    /// What tells one purchase from another, however often it was restored: the web order line item of a
    /// subscription's period, else the transaction.
    public var identity: String { webOrderLineItemID.map { "line \($0)" } ?? transactionID }

    /// Refunded, or a trial or introductory period: what is looked at over all receipts of a device or an account.
    var isTelling: Bool { cancellationDate != nil || isTrialPeriod || isInIntroOfferPeriod }
}

extension String {
    /// Apple numbers transactions from far above 0, which Xcode's local store uses.
    fileprivate var isID: Bool { !isEmpty && self != "0" }
}
