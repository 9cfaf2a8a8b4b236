package import Encodings
package import Receipts

/// Finds purchases of another product in the same original transaction by lookup, so that the cost does not grow with
/// their number.
package struct UpgradeIndex {
    /// The purchases by original transaction and date.
    private let entries: [Entry]
    /// For each entry, the index of the next one of the same original transaction with another product; the end index
    /// if there is none.
    private let nextOther: [Int]

    /// The fields of a purchase that an upgrade depends on.
    package struct Entry {
        fileprivate let product: ExactText
        fileprivate let boughtAt: Instant
        fileprivate let key: Key

        package init(_ product: ExactText, of original: ExactText, boughtAt: Instant) {
            (self.product, self.boughtAt, key) = (product, boughtAt, Key(original))
        }
    }

    /// An original transaction, in an order that is fast to compare.
    fileprivate struct Key: Equatable {
        let hash: UInt64
        let original: ExactText

        init(_ original: ExactText) { (hash, self.original) = (original.stableHash, original) }

        static func < (a: Key, b: Key) -> Bool { a.hash != b.hash ? a.hash < b.hash : a.original < b.original }
    }

    package init(_ found: [Entry]) {
        let entries = found.sorted { Self.precedes($0, $1.key, $1.boughtAt) }
        var nextOther = [Int](repeating: entries.count, count: entries.count)
        for index in entries.indices.dropLast().reversed() where entries[index].key == entries[index + 1].key {
            let isOther = entries[index].product != entries[index + 1].product
            nextOther[index] = isOther ? index + 1 : nextOther[index + 1]
        }
        (self.entries, self.nextOther) = (entries, nextOther)
    }

    /// - Parameter purchases: the purchases of one proof.
    package init(_ purchases: [Purchase]) {
        self.init(
            purchases.indices.map {
                Entry(purchases[$0].productID, of: purchases[$0].original, boughtAt: purchases[$0].purchaseDate)
            })
    }

    private static func precedes(_ entry: Entry, _ key: Key, _ date: Instant) -> Bool {
        entry.key == key ? entry.boughtAt < date : entry.key < key
    }

    /// Whether another product of an original transaction was bought within some seconds after an instant.
    package func hasOther(
        than product: ExactText, of original: ExactText, within seconds: ClosedRange<Int64>, after instant: Instant
    ) -> Bool {
        guard entries.count > 1 else { return false }
        let (key, start) = (Key(original), instant.adding(seconds: seconds.lowerBound))
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(entries[middle], key, start) { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].key == key else { return false }
        let other = entries[low].product != product ? low : nextOther[low]
        return other < entries.count && entries[other].boughtAt <= instant.adding(seconds: seconds.upperBound)
    }

    /// Returns why Apple revoked a purchase of the proof; `nil` if it did not.
    func revocation(of purchase: Purchase) -> Revocation? {
        guard let date = purchase.cancellationDate else { return nil }
        return purchase.revocation(
            isReplaced: hasOther(
                than: purchase.productID, of: purchase.original, within: Revocation.upgradeWindow, after: date))
    }
}
