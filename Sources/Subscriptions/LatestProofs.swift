import Encodings
import Receipts
import Rules

/// What proofs show about a subscription apart from its periods: the newest statement of each kind, in any order.
struct LatestProofs: Sendable {
    /// When the newest receipt with the subscription was made. It shows all of its periods.
    private(set) var receiptAt: Instant?
    /// The newest renewal info.
    private(set) var renewal: Statement<Token.RenewalInfo>?
    /// The newest `data.status` of a notification that gives the state of a subscription.
    private(set) var status: Statement<Int>?
    /// The newest proof of all.
    private(set) var newest: Proof?

    /// Active, expired, billing retry and grace period. 5, revoked, has no meaning by itself: a transaction shows what
    /// was revoked, and why. Other numbers are not known.
    private static let meaningful = 1...4

    /// A statement of a token, with the token.
    struct Statement<Value: Codable & Sendable>: Sendable {
        let value: Value
        let signedAt: Instant
        /// SHA-256 of the payload.
        let digest: [UInt8]

        /// Whether the other is newer; for equal dates the one with the smaller digest wins.
        func precedes(_ other: Statement) -> Bool {
            guard signedAt == other.signedAt else { return signedAt < other.signedAt }
            return other.digest.span.precedes(digest.span)
        }
    }

    /// A proof that shows the subscription.
    struct Proof: Sendable {
        let kind: SubscriptionProof
        let date: Instant
        /// SHA-256 of a token's payload, or of a receipt's content.
        let digest: [UInt8]

        /// Whether the other is newer; for equal dates a notification ranks above the tokens in it, and a token above a
        /// receipt.
        func precedes(_ other: Proof) -> Bool {
            guard date == other.date else { return date < other.date }
            guard kind == other.kind else { return kind.place < other.kind.place }
            return other.digest.span.precedes(digest.span)
        }
    }

    /// Adds a genuine proof.
    mutating func add(_ observation: Observation, showsPeriod: Bool, createdAt: Instant) {
        let digest = observation.tokenDigest
        if let renewal = observation.renewal {
            Self.update(&self.renewal, Statement(value: renewal, signedAt: createdAt, digest: digest))
        }
        if let status = observation.status, Self.meaningful.contains(status) {
            Self.update(&self.status, Statement(value: status, signedAt: createdAt, digest: digest))
        }
        if observation.kind == nil, showsPeriod { receiptAt = max(receiptAt ?? createdAt, createdAt) }
        guard showsPeriod || observation.renewal != nil || observation.status != nil else { return }
        update(Proof(kind: SubscriptionProof(observation.kind), date: createdAt, digest: digest))
    }

    private static func update<Value>(_ known: inout Statement<Value>?, _ other: Statement<Value>) {
        if known.map({ $0.precedes(other) }) ?? true { known = other }
    }

    private mutating func update(_ proof: Proof) {
        if newest.map({ $0.precedes(proof) }) ?? true { newest = proof }
    }
}

/// A period without a known transaction.
struct UnseenPeriod: Sendable {
    let productID: ExactText
    /// The stated end, or the start of the chain that replaced this one.
    var end: Instant
    /// When the renewal info that shows it was signed.
    let signedAt: Instant

    /// Whether its product differs from that of the latest known period.
    func isOther(than latest: SubscriptionPeriod) -> Bool { productID != latest.productID }
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

extension LatestProofs {
    /// The time after the paid end within which Apple charges again (App Store Server API, "isInBillingRetryPeriod").
    private static var retrySeconds: Int64 { 60 * 86_400 }

    /// Returns the period that only the newest renewal info shows, without a known transaction; `nil` if there is none.
    ///
    /// - Parameter periods: the known periods, in order of purchase.
    func unseenPeriod(after periods: [SubscriptionPeriod]) -> UnseenPeriod? {
        guard let renewal, let end = renewal.value.renewalDate, let last = periods.last,
            let product = renewal.value.productID, end > last.purchasedAt,
            !periods.contains(where: { $0.expiresAt == end })
        else { return nil }
        return UnseenPeriod(productID: product, end: end, signedAt: renewal.signedAt)
    }

    /// Returns the end of the commitment that the latest period belongs to. If the newest renewal info states that no
    /// other one follows, it is the date that it gives; otherwise the date in the period's newest token.
    func commitmentEnd(after latest: SubscriptionPeriod?) -> Instant? {
        if let info = renewal?.value, info.commitmentRenews == false, let end = info.commitmentRenewalDate,
            latest.map({ $0.purchasedAt < end }) ?? true
        {
            return end
        }
        return latest?.details?.commitmentExpiresDate
    }

    /// Returns the price of the seats in the next period from the newest renewal info, if that is about the end of this
    /// period and as new as all of its parts.
    func nextSeats(after latest: SubscriptionPeriod) -> PeriodPrice? {
        guard let statement = renewal, statement.value.renewsByItself != false,
            latest.transactions.allSatisfy({ $0.purchasedAt <= statement.signedAt }),
            statement.value.renewalDate.map({ $0 >= latest.expiresAt }) ?? true,
            statement.value.nextProductID.map({ $0 == latest.productID }) ?? true,
            let amount = statement.value.seatAmount, let currency = statement.value.currency
        else { return nil }
        return PeriodPrice(paid: amount, currency)
    }

    /// Returns the state of a subscription whose latest period has ended and was not revoked.
    ///
    /// Receipts show neither grace periods nor billing retry, so a receipt made during one does not end it.
    func state(after ending: PeriodEnding, at asOf: Instant) -> SubscriptionState {
        let word = lastWord(on: ending)
        /// The end of the time in which no receipt can show what follows.
        var openUntil = ending.end
        if let word {
            switch word.meaning {
            case .grace(let graceEnd):
                openUntil = graceEnd.map { max($0, openUntil) } ?? ending.end.adding(seconds: Self.retrySeconds)
                if let graceEnd, graceEnd > asOf { return .gracePeriod }
            case .retry:
                openUntil = ending.end.adding(seconds: Self.retrySeconds)
                if openUntil > asOf { return .billingRetry }
            case .active:
                // A later period, which no proof shows, although a receipt would.
                if word.signedAt >= ending.end { openUntil = max(openUntil, word.signedAt) }
            case .over:
                if word.signedAt >= ending.end { return .expired }
            }
        }
        return receiptAt.map { $0 >= openUntil } ?? false ? .expired : .notRefreshed
    }

    /// Returns what the newer of a renewal info and a status says about the time after a period; for equal dates the
    /// status wins.
    private func lastWord(on ending: PeriodEnding) -> (meaning: Meaning, signedAt: Instant)? {
        let renewal = self.renewal.flatMap { $0.signedAt >= ending.boughtAt && $0.value.isAbout(ending) ? $0 : nil }
        let status = self.status.flatMap { $0.signedAt >= ending.boughtAt ? $0 : nil }
        let graceEnd = renewal.flatMap { $0.value.gracePeriodExpiresDate }
        if let status, renewal.map({ $0.signedAt <= status.signedAt }) ?? true {
            switch status.value {
            case 1: return (.active, status.signedAt)
            case 3: return (.retry, status.signedAt)
            case 4: return (.grace(until: graceEnd), status.signedAt)
            default: return (.over, status.signedAt)
            }
        }
        guard let renewal else { return nil }
        if let graceEnd, graceEnd > renewal.signedAt { return (.grace(until: graceEnd), renewal.signedAt) }
        return (renewal.value.isInBillingRetryPeriod == true ? .retry : .over, renewal.signedAt)
    }

    /// The meaning of a token for the time after a period.
    private enum Meaning {
        case active
        /// Access continues, until a date if it is known.
        case grace(until: Instant?)
        case retry
        /// There is no later period, and access does not continue.
        case over
    }
}

/// The end of a period, and the time from which tokens can show what follows.
struct PeriodEnding {
    let end: Instant
    /// The purchase, or the signing of the only proof of the period. Earlier tokens are about an earlier period.
    let boughtAt: Instant
}

extension Token.RenewalInfo {
    /// Whether it is not about an earlier end.
    fileprivate func isAbout(_ ending: PeriodEnding) -> Bool { renewalDate.map { $0 >= ending.end } ?? true }
}
