import Encodings
import Inputs
import Receipts

/// The owner of a claim under an original transaction, as far as its proof shows it. Holders are compared separately,
/// because several people may share one purchase legitimately.
enum Holder: Hashable, Comparable, Sendable {
    /// A token of the buyer.
    case buyer
    /// A proof that does not show whether its person bought it: a receipt, or a renewal info.
    case unsaid
    /// A token of a family member or a seat holder, with a transaction of that person's own.
    case member(transaction: ExactText)

    init(_ observation: Observation) {
        guard observation.kind != nil, let purchase = observation.purchases.first else {
            self = .unsaid
            return
        }
        self = purchase.isMember ? .member(transaction: purchase.transactionID.boundedID) : .buyer
    }

    /// The name of the compared part of a group: a member's transaction, otherwise empty.
    var part: ExactText { if case .member(let transaction) = self { transaction } else { "" } }
}

extension Purchase {
    /// Whether a token shows that somebody else bought it.
    var isMember: Bool { details?.isMember == true }

    /// Whether somebody else may have bought it: its token has an unknown ownership type.
    var isOfUnknownOwner: Bool { details?.isOfUnknownOwner == true }
}

extension TransactionDetails {
    /// Whether its ownership type is not one that Apple documents.
    var isOfUnknownOwner: Bool {
        ownership.map { owner in !Self.owners.contains { $0 == owner } } ?? false
    }

    private static let owners: [ExactText] = ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]
}

/// Who presents the transactions of members, per transaction.
///
/// Keeps the 4,096 smallest entries, by transaction, account, device, day and seats.
struct MemberClaims: Sendable {
    private var claims = BottomMap<PresentedTransaction, PresentedDays.DeviceMatch>()
    /// The `appTransactionId`s of tokens: those of members, and all.
    private var members = DistinctSketch<ExactText>()
    private var people = DistinctSketch<ExactText>()

    /// - Parameter withDays: whether the days of presentation matter.
    mutating func add(_ observation: Observation, withDays: Bool) {
        var claim = PresentedTransaction(observation)
        if !withDays { claim.day = nil }
        claims.add(claim, PresentedDays.DeviceMatch(observation))
        guard !observation.appTransactionID.isEmpty else { return }
        members.insert(observation.appTransactionID)
        people.insert(observation.appTransactionID)
    }

    /// Adds the person of a buyer's token.
    mutating func addBuyer(_ observation: Observation) {
        if !observation.appTransactionID.isEmpty { people.insert(observation.appTransactionID) }
    }

    /// The number of people who rightly have proofs that do not show an owner: 1 unless several members are known. A
    /// token that names nobody may be of a member who is known, so it adds none.
    var knownPeople: Int { members.isMore(than: 1) ? people.count : 1 }

    var isComplete: Bool { claims.isComplete }

    /// Who presents each transaction, in order, with the device match that the claims show.
    var byTransaction: [(transaction: ExactText, claims: [PresentedTransaction.Matched])] {
        let grouped = Dictionary(grouping: claims.sorted) { $0.key.transaction }
        return grouped.sorted { $0.key < $1.key }.map { transaction, claims in
            (transaction, claims.map { (claim: $0.key, match: $0.value) })
        }
    }
}

/// A presentation of a token's transaction, or of a proof that shows no owner: by whom, on which device and day.
struct PresentedTransaction: Hashable, Comparable, Sendable {
    typealias Matched = (claim: PresentedTransaction, match: PresentedDays.DeviceMatch)

    /// The token's transaction; empty for other proofs.
    let transaction: ExactText
    /// The account; empty if the claim names none.
    let account: ExactText
    let device: Device?
    /// The day of presentation; `nil` if it does not matter, or is not known.
    var day: Int64?
    /// The number of seats. More than one if the claim may be the buyer's own.
    let seats: Int

    init(_ observation: Observation) {
        let token = observation.kind == nil ? nil : observation.purchases.first
        transaction = token?.transactionID.boundedID ?? ""
        account = observation.accountID
        device = observation.device
        day = observation.presentedAt?.day
        seats = token?.seatCount ?? 1
    }

    static func < (a: PresentedTransaction, b: PresentedTransaction) -> Bool {
        if a.transaction != b.transaction { return a.transaction < b.transaction }
        if a.account != b.account { return a.account < b.account }
        if a.device != b.device {
            guard let first = a.device, let second = b.device else { return a.device == nil }
            return first < second
        }
        return (a.day ?? .max, a.seats) < (b.day ?? .max, b.seats)
    }
}
