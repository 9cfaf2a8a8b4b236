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

    /// The number of people who may use it, according to its buyer's proof: 1 except for a subscription with seats. A
    /// member's token repeats the buyer's number.
    var seatCount: Int {
        guard expiresDate != nil, !isMember || isOfUnknownOwner else { return 1 }
        let tiers = details?.seats?.tiers.reduce(0) { $0.addingSaturating(max(0, $1.quantity)) }
        return max(1, quantity ?? 1, tiers ?? 1)
    }
}

extension TransactionDetails {
    /// Whether its ownership type is not one that Apple documents.
    var isOfUnknownOwner: Bool {
        ownership.map { owner in !Self.owners.contains { $0 == owner } } ?? false
    }

    private static let owners: [ExactText] = ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]
}

/// The greatest number of seats that a purchase's buyer had.
struct SeatCount: Mergeable, Sendable {
    private(set) var count = 1

    mutating func add(_ purchases: [Purchase]) {
        for index in purchases.indices { add(purchases[index].seatCount) }
    }

    mutating func add(_ seats: Int) { count = max(count, seats) }

    mutating func add(_ other: SeatCount) { count = max(count, other.count) }

    /// The text about seats in the documentation of rules.
    static let text = """
        The buyer of a subscription with seats (`quantity` above 1, or `multiSeatInfo`) may give them to as many \
        people, who then present the buyer's tokens
        """

    /// Whether this number of people or devices may have the seats.
    func covers(_ number: Int) -> Bool { count > 1 && number <= count }

    /// Returns the hit with less certainty if the seats cover the number of people or devices: doubtful, and medium.
    func eased(_ hit: Hit, _ number: Int) -> Hit {
        guard covers(number) else { return hit }
        var eased = hit
        (eased.severity, eased.confidence) = (.medium, .doubtful)
        eased.evidence += "; \(count) seats were bought"
        return eased
    }
}

/// Who presents the transactions of members, per transaction.
///
/// Keeps the 4,096 smallest entries, by transaction, account, device, day and seats.
struct MemberClaims: Mergeable, Sendable {
    private var claims = BottomK<Claim, PresentedDays.DeviceMatch>()
    /// Whose transactions they are: the two smallest at most, with an empty text for an unnamed person.
    private var persons: [ExactText] = []

    /// - Parameter withDays: whether the days of presentation matter.
    mutating func add(_ observation: Observation, transaction: ExactText, withDays: Bool) {
        let claim = Claim(
            transaction: transaction, account: observation.accountID, device: observation.device,
            day: withDays ? observation.presentedAt?.day : nil, seats: observation.purchases.first?.seatCount ?? 1)
        claims.insert(claim, PresentedDays.DeviceMatch(observation))
        add([observation.appTransactionID])
    }

    mutating func add(_ other: MemberClaims) {
        claims.add(other.claims)
        add(other.persons)
    }

    private mutating func add(_ others: [ExactText]) {
        guard !others.allSatisfy(persons.contains) else { return }
        persons = Array(Set(persons + others).sorted().prefix(2))
    }

    /// Whether the original transaction belongs to several people, so that a proof without an owner may be from any of
    /// them.
    var areOfSeveral: Bool { persons.count > 1 || persons == [""] && byTransaction.count > 1 }

    var isComplete: Bool { claims.isComplete }

    /// Who presents each transaction, in order, with the device match that the claims show.
    var byTransaction: [(transaction: ExactText, claims: [(claim: Claim, match: PresentedDays.DeviceMatch)])] {
        let grouped = Dictionary(grouping: claims.sorted) { $0.key.transaction }
        return grouped.sorted { $0.key < $1.key }.map { transaction, claims in
            (transaction, claims.map { (claim: $0.key, match: $0.note) })
        }
    }

    struct Claim: Hashable, Comparable, Codable, Sendable {
        let transaction: ExactText
        /// The account; empty if the claim names none.
        let account: ExactText
        let device: Device?
        /// The day of presentation; `nil` if it does not matter, or is not known.
        let day: Int64?
        /// The number of seats. More than one if the claim may be the buyer's own.
        let seats: Int

        static func < (a: Claim, b: Claim) -> Bool {
            if a.transaction != b.transaction { return a.transaction < b.transaction }
            if a.account != b.account { return a.account < b.account }
            if a.device != b.device {
                guard let first = a.device, let second = b.device else { return a.device == nil }
                return first < second
            }
            return (a.day ?? .max, a.seats) < (b.day ?? .max, b.seats)
        }
    }
}
