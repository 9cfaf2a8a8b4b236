import Encodings
import Receipts
import Rules

/// What proofs say of a subscription besides its periods: the newest of each kind, whatever their order.
struct SubscriptionStanding: Codable, Sendable {
    /// When the newest receipt was made that shows the subscription, and with it all of its periods.
    private(set) var receiptAt: Instant?
    /// The newest renewal info.
    private(set) var renewal: Statement<Token.RenewalInfo>?
    /// The newest `data.status` of a notification.
    private(set) var status: Statement<Int>?
    /// The newest proof of all.
    private(set) var newest: Proof?

    /// What a token says, and which.
    struct Statement<Value: Codable & Sendable>: Codable, Sendable {
        let value: Value
        let signedAt: Instant
        /// SHA-256 of the payload.
        let digest: [UInt8]

        /// Whether the other is newer; of equally new ones the one with the smaller digest counts.
        func precedes(_ other: Statement) -> Bool {
            guard signedAt == other.signedAt else { return signedAt < other.signedAt }
            return other.digest.span.precedes(digest.span)
        }
    }

    /// A proof that shows the subscription.
    struct Proof: Codable, Sendable {
        let kind: SubscriptionProof
        let date: Instant
        /// SHA-256 of a token's payload, or of a receipt's content.
        let digest: [UInt8]

        /// Whether the other is newer; of equally new ones a notification says more than what is in it, and a token more
        /// than a receipt.
        func precedes(_ other: Proof) -> Bool {
            guard date == other.date else { return date < other.date }
            guard kind == other.kind else { return kind.place < other.kind.place }
            return other.digest.span.precedes(digest.span)
        }
    }

    /// Adds what a genuine proof says.
    mutating func add(_ observation: Observation, showsPeriod: Bool, createdAt: Instant) {
        let digest = observation.tokenDigest
        if let renewal = observation.renewal {
            Self.update(&self.renewal, Statement(value: renewal, signedAt: createdAt, digest: digest))
        }
        if let status = observation.status {
            Self.update(&self.status, Statement(value: status, signedAt: createdAt, digest: digest))
        }
        if observation.kind == nil, showsPeriod { receiptAt = max(receiptAt ?? createdAt, createdAt) }
        guard showsPeriod || observation.renewal != nil || observation.status != nil else { return }
        update(Proof(kind: SubscriptionProof(observation.kind), date: createdAt, digest: digest))
    }

    /// Adds what other proofs say.
    mutating func add(_ other: SubscriptionStanding) {
        if let date = other.receiptAt { receiptAt = max(receiptAt ?? date, date) }
        if let statement = other.renewal { Self.update(&renewal, statement) }
        if let statement = other.status { Self.update(&status, statement) }
        if let proof = other.newest { update(proof) }
    }

    private static func update<Value>(_ known: inout Statement<Value>?, _ other: Statement<Value>) {
        if known.map({ $0.precedes(other) }) ?? true { known = other }
    }

    private mutating func update(_ proof: Proof) {
        if newest.map({ $0.precedes(proof) }) ?? true { newest = proof }
    }
}

/// A period that no transaction shows.
struct UnseenPeriod: Sendable {
    let productID: ExactText
    let end: Instant
    /// When the renewal info was signed that shows it.
    let signedAt: Instant
}

extension SubscriptionProof {
    fileprivate init(_ kind: Token.Kind?) {
        switch kind {
        case nil: self = .receipt
        case .renewalInfo?: self = .renewalInfo
        case .notification?: self = .notification
        case .transaction?, .appTransaction?, .realtimeRequest?: self = .transaction
        }
    }

    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension SubscriptionStanding {
    /// The time after the paid end within which Apple charges again (App Store Server API, "isInBillingRetryPeriod").
    private static var retrySeconds: Int64 { 60 * 86_400 }

    /// A period that only the newest renewal info shows, whose transaction no proof shows; `nil` if there is none.
    ///
    /// - Parameter periods: those that are known, in order of purchase.
    func unseenPeriod(after periods: [SubscriptionPeriod]) -> UnseenPeriod? {
        guard let renewal, let end = renewal.value.renewalDate, let last = periods.last,
            let product = renewal.value.productID, end > last.purchasedAt,
            !periods.contains(where: { $0.expiresAt == end })
        else { return nil }
        return UnseenPeriod(productID: product, end: end, signedAt: renewal.signedAt)
    }

    /// How a subscription stands whose latest period, which was not taken back, has ended.
    func state(afterEnd end: Instant, at asOf: Instant) -> SubscriptionState {
        let told = max(renewal?.signedAt ?? .leastDate, status?.signedAt ?? .leastDate)
        if let receiptAt, receiptAt >= end, receiptAt >= told { return .expired }
        guard told >= end || isInGrace || isInRetry else { return .notRefreshed }
        if isInGrace {
            // A grace period that ran out leaves open what came then.
            let graceEnd = renewal?.value.gracePeriodExpiresDate ?? end
            return graceEnd > asOf ? .gracePeriod : .notRefreshed
        }
        if isInRetry { return end.adding(seconds: Self.retrySeconds) > asOf ? .billingRetry : .notRefreshed }
        guard told >= end else { return .notRefreshed }
        // An active subscription has a later period, which nothing shows.
        if let status, status.signedAt >= end, status.value == 1, status.signedAt >= told { return .notRefreshed }
        return .expired
    }

    /// Whether the newest of a renewal info and a status says that there is a grace period.
    private var isInGrace: Bool {
        if let status, status.signedAt >= renewal?.signedAt ?? .leastDate { return status.value == 4 }
        return renewal?.value.gracePeriodExpiresDate != nil && renewal?.value.isInBillingRetryPeriod == true
    }

    /// Whether the newest of the two says that Apple charges again.
    private var isInRetry: Bool {
        if let status, status.signedAt >= renewal?.signedAt ?? .leastDate { return status.value == 3 }
        return renewal?.value.isInBillingRetryPeriod == true
    }
}

extension Instant {
    fileprivate static var leastDate: Instant { Instant(milliseconds: .min) }
}
