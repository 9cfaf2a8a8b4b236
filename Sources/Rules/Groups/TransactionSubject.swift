import Encodings
import Receipts

/// The transaction of a group, and the original transaction that a finding about it names.
struct TransactionSubject: Mergeable, Sendable {
    private var transaction: ExactText?
    private var original: ExactText?

    mutating func take(_ purchase: Purchase) {
        Self.lower(&transaction, to: purchase.transactionID)
        Self.lower(&original, to: purchase.original)
    }

    mutating func add(_ other: TransactionSubject) {
        transaction.add(other.transaction)
        original.add(other.original)
    }

    /// A hit about the original transaction, the least if they differ, with the transaction in its evidence.
    func hit(_ evidence: String) -> Hit {
        var hit = Hit("transaction \(transaction?.boundedID ?? ""): \(evidence)")
        hit.originalTransactionID = original
        return hit
    }

    private static func lower(_ least: inout ExactText?, to text: ExactText) {
        if let present = least, present <= text { return }
        least = text
    }
}
