import Encodings
import Receipts

/// Distinguishes the purchases of one original transaction. A transaction has one token, but a restored purchase has
/// several transactions in receipts.
enum RefundItem: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// A web order line item in receipts.
    case line(Int)
    /// Everything that never expires, in receipts.
    case whole
    /// A transaction in receipts.
    case transaction(ExactText)
    /// A transaction in tokens.
    case token(ExactText)

    /// Makes the item that receipts show for a purchase.
    init(_ purchase: Purchase) {
        if let line = purchase.webOrderLineItemID {
            self = .line(line)
        } else {
            self = purchase.expiresDate == nil ? .whole : .transaction(purchase.transactionID.boundedID)
        }
    }

    /// Returns the items under which an observation's purchase counts: for a token the token itself, and the item to
    /// compare with receipts. What never expires is compared with tokens by transaction only, in receipts as well.
    static func items(of purchase: Purchase, _ observation: Observation) -> [RefundItem] {
        let token = RefundItem.token(purchase.transactionID.boundedID)
        guard observation.kind != nil else {
            let item = RefundItem(purchase)
            return item == .whole ? [item, token] : [item]
        }
        // An addition to a period shares its line item.
        return purchase.mayBeAddition ? [token] : [token, RefundItem(purchase)]
    }

    /// Returns further items that a whole purchase may represent, if its token has an unknown owner or reason: enough
    /// to show that a refund was reversed.
    static func perhapsWhole(_ purchase: Purchase) -> [RefundItem] {
        guard purchase.cancellationDate == nil, !purchase.isAddition else { return [] }
        if purchase.isOfUnknownOwner { return [.token(purchase.transactionID.boundedID), RefundItem(purchase)] }
        return purchase.mayBeAddition ? [RefundItem(purchase)] : []
    }

    /// Returns the items that a token explains, which shows that Apple took the purchase back: of a member only the
    /// transaction, because the buyer's purchase is another one.
    static func explained(by purchase: Purchase, _ observation: Observation) -> [RefundItem] {
        purchase.isMember ? [.token(purchase.transactionID.boundedID)] : items(of: purchase, observation)
    }

    fileprivate var isToken: Bool { if case .token = self { true } else { false } }

    var description: String {
        switch self {
        case .line(let line): "web order line item \(line)"
        case .whole: "the purchase"
        case .transaction(let id), .token(let id): "transaction \(id)"
        }
    }
}

/// How all receipts and all tokens show an item. Two tokens are compared by transaction only.
struct ShownRefund: Mergeable, Sendable {
    private var receipts = Side()
    private var tokens = Side()
    /// Why Apple took the item back, according to the token that was signed last and says that it was.
    private var cause: Cause?

    private struct Cause: Comparable {
        let signedAt: Instant
        /// Whether Apple states the kind of revocation.
        let isStated: Bool
        let isRefund: Bool
        let witness: Witness

        /// Sorts the cause that counts first.
        static func < (a: Cause, b: Cause) -> Bool {
            if a.signedAt != b.signedAt { return a.signedAt > b.signedAt }
            return a.isStated == b.isStated ? a.witness < b.witness : a.isStated
        }
    }

    /// What proofs of one kind show.
    private struct Side {
        /// The latest refund.
        var refund: Refund?
        /// When the newest proof was made that shows the item whole.
        var newestWhole: Instant?
        /// The last presented claim that shows it whole.
        var lastWhole: Whole?

        mutating func add(_ other: Side) {
            refund.add(other.refund)
            lastWhole.add(other.lastWhole)
            newestWhole.addGreatest(other.newestWhole)
        }
    }

    struct Refund: Comparable, Sendable {
        let date: Instant
        let witness: Witness
        let transaction: ExactText
        /// The item that receipts show for the purchase.
        let inReceipts: RefundItem?
        /// Whether another chain may have replaced the purchase.
        let mayBeMove: Bool

        /// Whether a chain that replaced the purchase began within a day of it.
        func isMove(_ begins: [Instant]) -> Bool {
            mayBeMove && begins.contains { $0.isWithin(seconds: Revocation.moveSeconds, of: date) }
        }

        /// Sorts the later date first.
        static func < (a: Refund, b: Refund) -> Bool {
            (b.date, a.witness, a.transaction) < (a.date, b.witness, b.transaction)
        }
    }

    struct Whole: Comparable, Sendable {
        let presentedAt: Instant
        let createdAt: Instant
        let witness: Witness

        /// Sorts later presentations first.
        static func < (a: Whole, b: Whole) -> Bool {
            (b.presentedAt, a.witness, a.createdAt) < (a.presentedAt, b.witness, b.createdAt)
        }
    }

    /// - Parameter isRefunded: whether the purchase was refunded; if not, it is whole.
    init(_ purchase: Purchase, isRefunded: Bool, _ createdAt: Instant, _ observation: Observation) {
        let witness = Witness(observation)
        let isToken = observation.kind != nil
        var side = Side()
        if isRefunded, let date = purchase.cancellationDate {
            side.refund = Refund(
                date: date, witness: witness, transaction: purchase.transactionID.boundedID,
                inReceipts: purchase.isAddition ? nil : RefundItem(purchase),
                mayBeMove: purchase.mayHaveMoved)
        } else {
            side.newestWhole = createdAt
            side.lastWhole = observation.presentedAt.map {
                Whole(presentedAt: $0, createdAt: createdAt, witness: witness)
            }
        }
        if isToken { tokens = side } else { receipts = side }
    }

    /// Makes the item for a token that may show it whole. This only serves to show that a refund was reversed.
    init(perhapsWholeAt createdAt: Instant) { tokens.newestWhole = createdAt }

    /// Makes the item for a token that says why Apple took the purchase back.
    ///
    /// - Parameter isRefund: whether it was a refund.
    init(cause purchase: Purchase, isRefund: Bool, _ createdAt: Instant, _ observation: Observation) {
        cause = Cause(
            signedAt: createdAt, isStated: purchase.details?.revocationType != nil, isRefund: isRefund,
            witness: Witness(observation))
    }

    mutating func add(_ other: ShownRefund) {
        receipts.add(other.receipts)
        tokens.add(other.tokens)
        cause.add(other.cause)
    }

    /// A refund, and the last claim that hides it.
    struct Hiding: Sendable {
        let refund: Refund
        let whole: Whole
        /// Whether a token hides it; if not, a receipt does.
        let isByToken: Bool
    }

    /// Returns the refunds that receipts hide, and those that tokens hide.
    ///
    /// - Parameter shown: returns how proofs show another item.
    func hiding(_ item: RefundItem, among shown: (RefundItem) -> ShownRefund?) -> [Hiding] {
        // A token says why its own transaction was taken back, and why what a receipt shows under another one was.
        func isRefund(_ refund: Refund) -> Bool {
            (shown(.token(refund.transaction))?.cause ?? cause)?.isRefund ?? true
        }
        var latest = receipts.refund
        latest.add(tokens.refund)
        latest = latest.flatMap { isRefund($0) ? $0 : nil }
        guard !item.isToken else {
            let newer = latest?.inReceipts.flatMap { shown($0)?.receipts.newestWhole }
            return [hiding(latest, by: tokens.lastWhole, true, newer)].compactMap(\.self)
        }
        let received = item == .whole ? nil : receipts.refund.flatMap { isRefund($0) ? $0 : nil }
        return [
            hiding(latest, by: receipts.lastWhole, false, nil), hiding(received, by: tokens.lastWhole, true, nil),
        ].compactMap(\.self)
    }

    /// If no proof made after the refund shows the item whole, all proofs that do were made before it, and one
    /// presentation after the refund is enough. A claim dated only by day counts as presented at the start of that day.
    private func hiding(_ refund: Refund?, by whole: Whole?, _ isByToken: Bool, _ newer: Instant?) -> Hiding? {
        let newest = [receipts.newestWhole, tokens.newestWhole, newer].compactMap(\.self).max()
        guard let refund, let whole, let newest, newest < refund.date, whole.presentedAt > refund.date else {
            return nil
        }
        return Hiding(refund: refund, whole: whole, isByToken: isByToken)
    }
}

/// A hidden item, with the refund that receipts hide and the refund that tokens hide.
struct HiddenItem: Sendable {
    private var receipts: Instant?
    private var tokens: Instant?

    init(_ hiding: [ShownRefund.Hiding]) {
        for one in hiding { if one.isByToken { tokens = one.refund.date } else { receipts = one.refund.date } }
    }

    func refund(hiddenByToken isToken: Bool) -> Instant? { isToken ? tokens : receipts }
}

/// When a device whose hash matches first presented an item's refund, and when it last presented the item whole.
struct DeviceShown: Mergeable, Sendable {
    private var receipts = Side()
    private var tokens = Side()

    private struct Side {
        /// The end of the day, if only the day is known.
        var firstRefund: Instant?
        /// The start of the day, if only the day is known.
        var lastWhole: Instant?

        mutating func add(_ other: Side) {
            firstRefund.add(other.firstRefund)
            lastWhole.addGreatest(other.lastWhole)
        }
    }

    init(isRefunded: Bool, isToken: Bool, _ date: Instant) {
        var side = Side()
        if isRefunded { side.firstRefund = date.latest } else { side.lastWhole = date }
        if isToken { tokens = side } else { receipts = side }
    }

    mutating func add(_ other: DeviceShown) {
        receipts.add(other.receipts)
        tokens.add(other.tokens)
    }

    /// Whether the device had presented the refund before it hid it.
    func hides(_ item: RefundItem, _ hidden: HiddenItem) -> Bool {
        let first = [receipts.firstRefund, tokens.firstRefund].compactMap(\.self).min()
        return Self.isLater(receipts.lastWhole, first, hidden.refund(hiddenByToken: false))
            || Self.isLater(
                tokens.lastWhole, item.isToken ? first : receipts.firstRefund, hidden.refund(hiddenByToken: true))
    }

    private static func isLater(_ whole: Instant?, _ first: Instant?, _ refund: Instant?) -> Bool {
        guard let whole, let first, let refund else { return false }
        return whole > first && whole > refund
    }
}
