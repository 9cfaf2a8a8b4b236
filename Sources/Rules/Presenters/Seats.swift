import Encodings
import Inputs
import Receipts

extension Purchase {
    /// The number of seats that a token states, without those that were refunded; `nil` if it is of no subscription
    /// with seats. A member's token repeats the buyer's number.
    fileprivate var statedSeats: Int? {
        guard let details, expiresDate != nil, details.seats != nil || (quantity ?? 1) > 1 else { return nil }
        let tiers = details.seats?.tiers.reduce(0) { $0.addingSaturating(max(0, $1.quantity)) } ?? 0
        return max(1, max(quantity ?? 1, tiers) - min(max(0, details.seats?.revoked ?? 0), 1 << 32))
    }

    /// The number of people who may use it, according to its buyer's token: 1 except for a subscription with seats.
    var seatCount: Int { !isMember || isOfUnknownOwner ? statedSeats ?? 1 : 1 }
}

extension Hit {
    /// Returns the hit with less certainty if seats cover it: doubtful, and medium.
    ///
    /// - Parameter seats: the number of seats; 1 if they do not cover it.
    func eased(bySeats seats: Int) -> Hit {
        guard seats > 1 else { return self }
        var eased = self
        eased.severity = .medium
        eased.confidence = .doubtful
        eased.evidence += "; \(seats) seats were bought"
        return eased
    }
}

/// The seats of a buyer's subscriptions, and who presents the buyer's tokens and proofs that do not show an owner.
///
/// Seats excuse as many people as there are, but not everybody for ever: one token of a day with fifty seats would
/// cover all copies of a later one. So a token's own seats count, until they are revoked. A proof that is no token has
/// the seats of the periods in which it is presented.
///
/// Keeps the 4,096 smallest transactions with seats, and the 4,096 smallest presentations.
struct Seats: Sendable {
    private var periods = BottomMap<ExactText, Period>()
    private var claims = BottomMap<PresentedTransaction, PresentedDays.DeviceMatch>()

    /// The text about seats in the documentation of rules.
    static let text = """
        The buyer of seats (`quantity` above 1, or `multiSeatInfo`) may give them to as many people, who then present \
        the buyer's tokens
        """
    /// The text about which seats count.
    static let validityText = """
        A token's own seats count until Apple revokes them, and other proofs have those of the period in which they are \
        presented
        """

    /// Adds a claim, or evidence, with the seats that it states.
    mutating func add(_ observation: Observation) {
        addPeriods(of: observation)
        guard !observation.isEvidence else { return }
        claims.add(PresentedTransaction(observation), PresentedDays.DeviceMatch(observation))
    }

    /// Adds the seats that a token states, whoever it is for.
    mutating func addPeriods(of observation: Observation) {
        for purchase in observation.purchases {
            guard let seats = purchase.statedSeats else { continue }
            periods.add(purchase.transactionID.boundedID, Period(purchase, seats, signedAt: observation.createdAt))
        }
    }

    /// How seats cover presentations.
    struct Cover {
        /// The most seats that any presentation has.
        let seats: Int
        /// The presentations that are not covered, as they have fewer seats than people; empty if all are covered.
        let excess: [PresentedTransaction.Matched]
        /// The most seats of those.
        let excessSeats: Int
        fileprivate let isComplete: Bool

        /// Whether the seats cover a number of people, apart from the ``excess``.
        func covers(_ number: Int) -> Bool { !excess.isEmpty || isComplete || number <= seats }
    }

    /// Returns how seats cover the presentations; `nil` if none has more than one seat.
    ///
    /// - Parameters:
    ///   - withUnsaid: whether proofs that do not show an owner count.
    ///   - people: returns the number of people who make some of the presentations, if they have a number of seats.
    func cover(withUnsaid: Bool = true, _ people: ([PresentedTransaction.Matched], Int) -> Int) -> Cover? {
        guard periods.count > 0 else { return nil }
        var byDay: [Int64?: Int] = [:]
        var bySeats: [Int: [PresentedTransaction.Matched]] = [:]
        for (claim, match) in claims.sorted where withUnsaid || !claim.transaction.isEmpty {
            bySeats[seats(of: claim, &byDay), default: []].append((claim, match))
        }
        guard let most = bySeats.keys.max(), most > 1 else { return nil }
        var (some, excess, excessSeats): ([PresentedTransaction.Matched], [PresentedTransaction.Matched], Int) = (
            [], [], 0
        )
        for (seats, claims) in bySeats.sorted(by: { $0.key < $1.key }) {
            some += claims
            if people(some, seats) > seats { (excess, excessSeats) = (some, seats) }
        }
        return Cover(seats: most, excess: excess, excessSeats: excessSeats, isComplete: claims.isComplete)
    }

    /// Returns whether a claim is in the excess.
    func isExcess(_ observation: Observation, of cover: Cover) -> Bool {
        var byDay: [Int64?: Int] = [:]
        return seats(of: PresentedTransaction(observation), &byDay) <= cover.excessSeats
    }

    private func seats(of claim: PresentedTransaction, _ byDay: inout [Int64?: Int]) -> Int {
        guard !claim.transaction.isEmpty else { return seats(on: claim.day, &byDay) }
        guard let own = periods[claim.transaction], own.isHeld(on: claim.day) else { return 1 }
        // Added seats have transactions of their own, and all of them are for the same people.
        return own.isPart ? max(own.seats, seats(on: claim.day, &byDay)) : own.seats
    }

    private func seats(on day: Int64?, _ byDay: inout [Int64?: Int]) -> Int {
        if let seats = byDay[day] { return seats }
        var (most, sum) = (1, 0)
        for (_, period) in periods.unordered where period.isValid(on: day) {
            if period.isPart { sum = sum.addingSaturating(period.seats) } else { most = max(most, period.seats) }
        }
        byDay[day] = max(most, sum)
        return max(most, sum)
    }

    /// A transaction with seats, as its newest token shows it.
    private struct Period: Mergeable, Sendable {
        var signedAt: Instant?
        var seats: Int
        /// Whether it is one of several transactions of a buyer that make a period.
        var isPart: Bool
        var start: Int64
        var end: Int64?
        var revoked: Int64?

        init(_ purchase: Purchase, _ seats: Int, signedAt: Instant?) {
            self.seats = seats
            self.signedAt = signedAt
            isPart = purchase.mayBeAddition && !purchase.isMember
            start = purchase.purchaseDate.day
            end = purchase.expiresDate?.day
            revoked = purchase.cancellationDate?.day
        }

        mutating func add(_ other: Period) { if other.isNewer(than: self) { self = other } }

        /// Whether its token is newer; if it is as old, whether it excuses fewer people.
        private func isNewer(than other: Period) -> Bool {
            if signedAt != other.signedAt {
                guard let signedAt, let date = other.signedAt else { return signedAt != nil }
                return signedAt > date
            }
            return (revoked ?? .max, seats, end ?? .max, start) < (
                other.revoked ?? .max, other.seats, other.end ?? .max, other.start
            )
        }

        /// Whether it was not revoked before a day. The day of a claim without a date may be any.
        func isHeld(on day: Int64?) -> Bool { revoked.map { end in day.map { $0 <= end } ?? false } ?? true }

        /// Whether it was valid on a day.
        func isValid(on day: Int64?) -> Bool {
            isHeld(on: day) && day.map { start <= $0 && $0 <= end ?? .max } ?? true
        }
    }
}
