import Encodings
package import Receipts

/// Finds purchases of another product in the same original transaction by lookup, so that the cost does not grow with
/// their number. It decides which cancellations are upgrades, for all rules, states and figures.
package struct UpgradeIndex {
    /// The purchases by original transaction and date.
    private let entries: [Entry]
    /// For each entry, the index of the next one of the same original transaction with another product; the end index
    /// if there is none.
    private let nextOther: [Int]
    /// The entries of purchases that their buyer kept, or changed for an upgrade.
    private var kept: [Entry] = []
    /// For each of these, the index of the previous one of the same original transaction with another product; -1 if
    /// there is none.
    private var previousOther: [Int] = []

    /// The fields of a purchase that an upgrade depends on.
    private struct Entry {
        let product: ExactText
        let boughtAt: Instant
        let expiresAt: Instant?
        let key: Key
        let index: Int

        init(_ purchase: borrowing Purchase, _ index: Int) {
            product = purchase.productID
            boughtAt = purchase.purchaseDate
            expiresAt = purchase.expiresDate
            key = Key(purchase.original)
            self.index = index
        }

        /// The order of entries: of several bought at once, the last is the one that ends last.
        static func precedes(_ a: Entry, _ b: Entry) -> Bool {
            guard a.key == b.key, a.boughtAt == b.boughtAt else { return a.precedes(b.key, b.boughtAt) }
            guard let end = a.expiresAt, let otherEnd = b.expiresAt else {
                return b.expiresAt != nil && a.expiresAt == nil
            }
            return end < otherEnd
        }

        /// Whether it comes before all purchases of an original transaction from a date on.
        func precedes(_ key: Key, _ date: Instant) -> Bool { self.key == key ? boughtAt < date : self.key < key }
    }

    /// An original transaction, in an order that is fast to compare.
    private struct Key: Equatable {
        let hash: UInt64
        let original: ExactText

        init(_ original: ExactText) { (hash, self.original) = (original.stableHash, original) }

        static func < (a: Key, b: Key) -> Bool { a.hash != b.hash ? a.hash < b.hash : a.original < b.original }
    }

    /// - Parameter purchases: the purchases of one proof, or the periods of one original transaction.
    package init(_ purchases: [Purchase]) {
        var entries = purchases.indices.map { Entry(purchases[$0], $0) }
        entries.sort(by: Entry.precedes)
        var nextOther = [Int](repeating: entries.count, count: entries.count)
        for index in entries.indices.dropLast().reversed() where entries[index].key == entries[index + 1].key {
            let isOther = entries[index].product != entries[index + 1].product
            nextOther[index] = isOther ? index + 1 : nextOther[index + 1]
        }
        self.entries = entries
        self.nextOther = nextOther
        guard purchases.hasAny({ $0.cancellationDate != nil }) else { return }
        kept = entries.filter { isKept(purchases[$0.index]) }
        previousOther = [Int](repeating: -1, count: kept.count)
        for index in kept.indices.dropFirst() where kept[index].key == kept[index - 1].key {
            let isOther = kept[index].product != kept[index - 1].product
            previousOther[index] = isOther ? index - 1 : previousOther[index - 1]
        }
    }

    private func isKept(_ purchase: Purchase) -> Bool {
        guard !purchase.isMember else { return false }
        switch purchase.revocation(isReplaced: isReplacedAtOnce(purchase)) {
        case nil, .upgrade, .partialRefund: return true
        case .refund, .excusedRefund, .move, .accessEnd, .unknown: return false
        }
    }

    /// Whether another product of an original transaction was bought within some seconds after an instant.
    func hasOther(
        than product: ExactText, of original: ExactText, within seconds: ClosedRange<Int64>, after instant: Instant
    ) -> Bool {
        guard entries.count > 1 else { return false }
        let (key, start) = (Key(original), instant.adding(seconds: seconds.lowerBound))
        let first = entries.firstPlace { !$0.precedes(key, start) }
        guard first < entries.count, entries[first].key == key else { return false }
        let other = entries[first].product != product ? first : nextOther[first]
        return other < entries.count && entries[other].boughtAt <= instant.adding(seconds: seconds.upperBound)
    }

    /// Whether the purchase of another product suggests that Apple cancelled this one because of an upgrade.
    package func isReplaced(_ purchase: Purchase) -> Bool {
        isReplacedAtOnce(purchase) || isReplacedBeforeItBegan(purchase)
    }

    private func isReplacedAtOnce(_ purchase: Purchase) -> Bool {
        purchase.cancellationDate.map {
            hasOther(than: purchase.productID, of: purchase.original, within: Revocation.upgradeWindow, after: $0)
        } ?? false
    }

    /// Whether it is a renewal that was charged ahead, and whose buyer had changed to another product before it began.
    /// The other product must last longer and not be taken back, so that nobody makes a refund look like an upgrade.
    private func isReplacedBeforeItBegan(_ purchase: Purchase) -> Bool {
        guard !kept.isEmpty, let cancelledAt = purchase.cancellationDate, let end = purchase.expiresDate else {
            return false
        }
        let key = Key(purchase.original)
        let limit = cancelledAt.adding(seconds: Revocation.upgradeWindow.upperBound)
        let last = kept.firstPlace { !$0.precedes(key, min(purchase.purchaseDate, limit)) } - 1
        guard last >= 0, kept[last].key == key else { return false }
        let other = kept[last].product != purchase.productID ? last : previousOther[last]
        guard other >= 0, let otherEnd = kept[other].expiresAt else { return false }
        return otherEnd > end && kept[other].boughtAt >= cancelledAt.adding(seconds: -Revocation.renewalSeconds)
    }

    /// Returns why Apple revoked a purchase of the proof; `nil` if it did not.
    func revocation(of purchase: Purchase) -> Revocation? {
        purchase.revocation(isReplaced: isReplaced(purchase))
    }
}
