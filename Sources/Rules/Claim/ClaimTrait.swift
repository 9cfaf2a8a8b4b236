import Encodings
import Receipts

/// What distinguishes a claim from the others under a key.
///
/// Most claims under a key are equal: one device presents one receipt again and again. No rule finds anything in them,
/// however many they are, so the shuffle drops them before it writes their content.
///
/// | key | `presenterHash` | `contentHash` | marked |
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
    public let presenterHash: UInt64
    public let contentHash: UInt64

    public init(presenterHash: UInt64, contentHash: UInt64) {
        self.presenterHash = presenterHash
        self.contentHash = contentHash
    }

    /// The trait of a claim that may be enough for a rule by itself: all claims with the key are compared.
    public static let significant = ClaimTrait(presenterHash: 0, contentHash: 0)

    public var isSignificant: Bool { presenterHash == 0 }
    public var isMarked: Bool { presenterHash & 1 != 0 }

    /// How many claims must differ for a rule to find anything, unless one is significant. Reaching any one of the
    /// numbers is enough.
    public struct Minimum: Sendable {
        /// The counts stop here, which is always enough.
        public static let max = 64

        /// The number of distinct ``ClaimTrait/presenterHash``.
        public private(set) var presenters: Int
        /// The number of distinct marked ones.
        public private(set) var marked: Int
        /// The number of distinct ``ClaimTrait/contentHash``.
        public private(set) var contents: Int
        /// Whether an older receipt presented after a newer one is enough.
        public private(set) var isDisorder: Bool

        /// Without any number, only a significant claim is enough.
        public init(presenters: Int = max, marked: Int = max, contents: Int = max, isDisorder: Bool = false) {
            self.presenters = min(presenters, Self.max)
            self.marked = min(marked, Self.max)
            self.contents = min(contents, Self.max)
            self.isDisorder = isDisorder
        }

        /// The rule may find something in any claims.
        public static let none = Minimum(presenters: 0)

        /// Returns the minimum that is enough for either rule.
        public static func either(_ one: Minimum, _ other: Minimum) -> Minimum {
            Minimum(
                presenters: min(one.presenters, other.presenters), marked: min(one.marked, other.marked),
                contents: min(one.contents, other.contents), isDisorder: one.isDisorder || other.isDisorder)
        }
    }
}

extension ClaimTrait {
    private init(_ presenter: Hasher, isMarked: Bool, contentHash: UInt64 = 0) {
        // Hashes start at 2, so no claim is significant by accident.
        let hash = max(2, UInt64(truncatingIfNeeded: presenter.finalize()) & ~1)
        self.init(presenterHash: hash | (isMarked ? 1 : 0), contentHash: contentHash)
    }

    /// The trait under a key that most claims of one person share.
    init(presenting observation: borrowing Observation) {
        var presenter = Hasher()
        presenter.combine(observation.accountID)
        presenter.combine(observation.appTransactionID)
        var content = Hasher()
        content.combine(observation.device)
        self.init(presenter, isMarked: !observation.accountID.isEmpty, contentHash: content.word)
    }

    /// The trait under a transaction.
    init(of purchase: borrowing Purchase, in environment: EnvironmentClass) {
        // For a consumable, the device and the days of its claims matter.
        guard purchase.kind != .consumable else {
            self = .significant
            return
        }
        var content = Hasher()
        content.combine(environment)
        content.combine(purchase.productID)
        content.combine(purchase.originalTransactionID ?? purchase.transactionID)
        content.combine(purchase.purchaseDate)
        content.combine(purchase.details?.previousOriginalTransactionID)
        self.init(presenterHash: 2, contentHash: content.word)
    }

    init(underDeviceOf claim: borrowing ClaimObservations) {
        guard claim.proven == nil, let moment = Moment(claim.presented) else {
            self = .significant
            return
        }
        var presenter = Hasher()
        let isMarked = claim.purchases.combine(into: &presenter)
        presenter.combine(claim.presented.accountID)
        self.init(presenter, isMarked: isMarked, contentHash: moment.rawValue)
    }

    init(underAccountOf claim: borrowing ClaimObservations) {
        var content = Hasher()
        claim.purchases.combine(into: &content, withStorefronts: true, withSingle: true)
        self.init(presenterHash: claim.proven == nil ? 2 : 0, contentHash: content.word)
    }

    init(underPersonOf claim: borrowing ClaimObservations) {
        guard claim.proven == nil else {
            self = .significant
            return
        }
        var presenter = Hasher()
        var content = Hasher()
        presenter.combine(claim.presented.accountID)
        presenter.combine(claim.presented.device)
        claim.purchases.combine(into: &content, withStorefronts: true)
        self.init(presenter, isMarked: !claim.presented.accountID.isEmpty, contentHash: content.word)
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
