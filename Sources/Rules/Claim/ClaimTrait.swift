import Encodings
import Receipts

/// What distinguishes a claim from the others under a key.
///
/// Most claims under a key are equal: one device presents one receipt again and again. No rule finds anything in them,
/// however many they are, so the shuffle drops them before it writes their content.
///
/// | key | who | what | marked |
/// |---|---|---|---|
/// | receipt, app, nonce, original transaction | the account and the person | the device | if it names an account |
/// | transaction | | what proofs must agree on | |
/// | device | the account, and refunds and trials | when a receipt was presented, and made | if it shows refunds or trials |
/// | account | | refunds, trials, storefronts, and purchases that do not expire | |
/// | person | the account and the device | refunds, trials and storefronts | if it names an account |
///
/// All but dates are keyed hashes with a random secret of the process (`Hasher`), so an attacker cannot choose
/// colliding identifiers. They only decide what is compared, and are never stored.
public struct ClaimTrait: Equatable, Sendable {
    public let who: UInt64
    public let what: UInt64

    public init(who: UInt64, what: UInt64) { (self.who, self.what) = (who, what) }

    /// The trait of a claim that may be enough for a rule by itself: all claims with the key are compared.
    public static let significant = ClaimTrait(who: 0, what: 0)

    public var isSignificant: Bool { who == 0 }
    public var isMarked: Bool { who & 1 != 0 }

    /// How many claims must differ for a rule to find anything, unless one is significant. Reaching any one of the
    /// numbers is enough.
    public struct Minimum: Sendable {
        /// The counts stop here, which is always enough.
        public static let max = 64

        /// The number of distinct ``ClaimTrait/who``.
        public private(set) var who: Int
        /// The number of distinct marked ones.
        public private(set) var marked: Int
        /// The number of distinct ``ClaimTrait/what``.
        public private(set) var what: Int
        /// Whether an older receipt presented after a newer one is enough.
        public private(set) var isDisorder: Bool

        /// Without any number, only a significant claim is enough.
        public init(who: Int = max, marked: Int = max, what: Int = max, isDisorder: Bool = false) {
            (self.who, self.marked) = (min(who, Self.max), min(marked, Self.max))
            (self.what, self.isDisorder) = (min(what, Self.max), isDisorder)
        }

        /// The rule may find something in any claims.
        public static let none = Minimum(who: 0)

        /// Returns the minimum that is enough for either rule.
        public static func either(_ one: Minimum, _ other: Minimum) -> Minimum {
            Minimum(
                who: min(one.who, other.who), marked: min(one.marked, other.marked), what: min(one.what, other.what),
                isDisorder: one.isDisorder || other.isDisorder)
        }
    }
}

extension ClaimTrait {
    private init(_ who: Hasher, isMarked: Bool, what: UInt64 = 0) {
        // Hashes start at 2, so no claim is significant by accident.
        let hash = max(2, UInt64(truncatingIfNeeded: who.finalize()) & ~1)
        self.init(who: hash | (isMarked ? 1 : 0), what: what)
    }

    /// The trait under a key that most claims of one person share.
    init(presenting observation: borrowing Observation) {
        var who = Hasher()
        who.combine(observation.accountID)
        who.combine(observation.appTransactionID)
        var what = Hasher()
        what.combine(observation.device)
        self.init(who, isMarked: !observation.accountID.isEmpty, what: what.word)
    }

    /// The trait under a transaction.
    init(of purchase: borrowing Purchase, in environment: EnvironmentClass) {
        // For a consumable, the device and the days of its claims matter.
        guard purchase.kind != .consumable else {
            self = .significant
            return
        }
        var what = Hasher()
        what.combine(environment)
        what.combine(purchase.productID)
        what.combine(purchase.originalTransactionID ?? purchase.transactionID)
        what.combine(purchase.purchaseDate)
        what.combine(purchase.details?.previousOriginalTransactionID)
        self.init(who: 2, what: what.word)
    }

    init(underDeviceOf claim: borrowing ClaimObservations) {
        guard claim.proven == nil, let moment = Moment(claim.presented) else {
            self = .significant
            return
        }
        var who = Hasher()
        let isMarked = claim.purchases.combine(into: &who)
        who.combine(claim.presented.accountID)
        self.init(who, isMarked: isMarked, what: moment.rawValue)
    }

    init(underAccountOf claim: borrowing ClaimObservations) {
        var what = Hasher()
        claim.purchases.combine(into: &what, withStorefronts: true, withSingle: true)
        self.init(who: claim.proven == nil ? 2 : 0, what: what.word)
    }

    init(underPersonOf claim: borrowing ClaimObservations) {
        guard claim.proven == nil else {
            self = .significant
            return
        }
        var (who, what) = (Hasher(), Hasher())
        who.combine(claim.presented.accountID)
        who.combine(claim.presented.device)
        claim.purchases.combine(into: &what, withStorefronts: true)
        self.init(who, isMarked: !claim.presented.accountID.isEmpty, what: what.word)
    }

    /// When a receipt was presented, and when it was made, in seconds since 1970; 0 if the claim is not compared by
    /// dates.
    public struct Moment: Sendable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// - Returns: `nil` if the dates do not fit.
        fileprivate init?(_ observation: borrowing Observation) {
            guard observation.isMatching, observation.kind == nil, let presented = observation.presentedAt,
                let created = observation.createdAt
            else {
                rawValue = 0
                return
            }
            guard created.milliseconds % 1000 == 0, let high = UInt32(exactly: presented.seconds),
                let low = UInt32(exactly: created.seconds)
            else { return nil }
            rawValue = UInt64(high) << 32 | UInt64(low)
        }

        /// Whether an older receipt may have been presented after a newer one.
        public func contradicts(_ other: Moment) -> Bool {
            guard rawValue != 0, other.rawValue != 0, rawValue != other.rawValue else { return false }
            let (first, last) = (min(rawValue, other.rawValue), max(rawValue, other.rawValue))
            return first >> 32 == last >> 32 || UInt32(truncatingIfNeeded: first) > UInt32(truncatingIfNeeded: last)
        }
    }
}

extension Hasher {
    fileprivate var word: UInt64 { UInt64(truncatingIfNeeded: finalize()) }
}

extension [Purchase] {
    /// Adds refunds and trials to the hash.
    ///
    /// - Returns: whether there are any.
    @discardableResult
    fileprivate func combine(
        into hasher: inout Hasher, withStorefronts: Bool = false, withSingle: Bool = false
    ) -> Bool {
        var areAny = false
        let purchases = span
        for index in purchases.indices {
            if withStorefronts, let details = purchases[index].details {
                hasher.combine(details.storefront)
                hasher.combine(details.ownership)
            }
            let isOffer =
                purchases[index].cancellationDate != nil || purchases[index].isTrialPeriod
                || purchases[index].isInIntroOfferPeriod
            areAny = areAny || isOffer
            if isOffer || withSingle && purchases[index].expiresDate == nil { purchases[index].combine(into: &hasher) }
        }
        return areAny
    }
}

extension Purchase {
    fileprivate borrowing func combine(into hasher: inout Hasher) {
        hasher.combine(productID)
        hasher.combine(transactionID)
        hasher.combine(originalTransactionID)
        hasher.combine(webOrderLineItemID)
        hasher.combine(purchaseDate)
        hasher.combine(cancellationDate)
        hasher.combine(isTrialPeriod)
        hasher.combine(isInIntroOfferPeriod)
        hasher.combine(promotionalOfferID)
        guard let details else { return }
        hasher.combine(details.offerType)
        hasher.combine(details.isUpgraded)
        hasher.combine(details.ownership)
        hasher.combine(details.revocationType)
    }
}
