import Encodings
import Receipts

/// A trial or introductory period, as the first claim that shows it tells of it.
struct TrialPeriod: Comparable, Codable, Sendable {
    let original: ExactText
    private let product: ExactText
    private let purchaseDate: Instant
    private let isTrial: Bool
    private let witness: Witness

    init(_ purchase: Purchase, _ witness: Witness) {
        original = purchase.original.boundedID
        product = purchase.productID.boundedID
        purchaseDate = purchase.purchaseDate
        isTrial = purchase.isTrialPeriod
        self.witness = witness
    }

    static func < (a: TrialPeriod, b: TrialPeriod) -> Bool {
        if a.purchaseDate != b.purchaseDate { return a.purchaseDate < b.purchaseDate }
        if a.witness != b.witness { return a.witness < b.witness }
        return (a.original, a.product, a.isTrial ? 0 : 1) < (b.original, b.product, b.isTrial ? 0 : 1)
    }

    var text: String {
        let kind = isTrial ? "trial" : "introductory period"
        return "\(kind) of \(product) from \(purchaseDate) (original transaction \(original), \(witness.source))"
    }

    /// A subscription group of an app.
    struct Group: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        private let app: ExactText
        private let name: ExactText

        init(app: ExactText, name: ExactText) {
            self.app = app.boundedID
            self.name = name.boundedID
        }

        static func < (a: Group, b: Group) -> Bool { (a.app, a.name) < (b.app, b.name) }

        var description: String { "\(name) (\(app))" }
    }

    /// What tells one period from another.
    struct Key: Hashable, Comparable, Codable, Sendable {
        let group: Group
        private let identity: ExactText

        init(group: Group, identity: ExactText) {
            self.group = group
            self.identity = identity.boundedID
        }

        static func < (a: Key, b: Key) -> Bool { (a.group, a.identity) < (b.group, b.identity) }
    }
}
