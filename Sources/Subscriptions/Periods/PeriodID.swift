public import Encodings
import Receipts

/// What tells one period of a subscription from another, however often it was restored: ``Purchase/identity``
/// in a form that is quick to compare.
///
/// In order of text, then number: all transactions are before all line items.
public enum PeriodID: Hashable, Comparable, Codable, Sendable {
    /// Attribute 1703, of a period whose attribute 1711 is 0 or absent.
    case transaction(ExactText)
    /// The web order line item, attribute 1711.
    case lineItem(Int)

    init(_ purchase: Purchase) {
        self = purchase.webOrderLineItemID.map(Self.lineItem) ?? .transaction(purchase.transactionID)
    }
}

extension PeriodID: StablyHashable {
    public var stableHash: UInt64 {
        switch self {
        case .transaction(let id): id.stableHash
        case .lineItem(let number): stableMix(UInt64(bitPattern: Int64(number)))
        }
    }
}
