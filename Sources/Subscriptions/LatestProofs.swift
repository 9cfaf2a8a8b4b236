import Encodings
import Receipts
import Rules

/// What proofs say of a subscription besides its periods: the newest of each kind, whatever their order.
struct LatestProofs: Codable, Sendable {
    /// When the newest receipt was made that shows the subscription, and with it all of its periods.
    private(set) var receiptAt: Instant?
    /// The newest renewal info.
    private(set) var renewal: Statement<Token.RenewalInfo>?
    /// The newest `data.status` of a notification, of those that give the state of a subscription.
    private(set) var status: Statement<Int>?
    /// The newest proof of all.
    private(set) var newest: Proof?

    /// Active, expired, billing retry and grace period. 5, revoked, alone says nothing: a transaction shows what was taken
    /// back, and what for. Other numbers are not known.
    private static let meaningful = 1...4

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
        if let status = observation.status, Self.meaningful.contains(status) {
            Self.update(&self.status, Statement(value: status, signedAt: createdAt, digest: digest))
        }
        if observation.kind == nil, showsPeriod { receiptAt = max(receiptAt ?? createdAt, createdAt) }
        guard showsPeriod || observation.renewal != nil || observation.status != nil else { return }
        update(Proof(kind: SubscriptionProof(observation.kind), date: createdAt, digest: digest))
    }

    /// Adds what other proofs say.
    mutating func add(_ other: LatestProofs) {
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
    /// The stated end, or the beginning of the chain that took the place of this one.
    var end: Instant
    /// When the renewal info was signed that shows it.
    let signedAt: Instant

    /// Whether its product is another than that of the latest known period.
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

    /// When the commitment ends that the latest period is a part of: where the newest renewal info says that no other one
    /// follows, at the date that it states; else at the date that the period's newest token states.
    func commitmentEnd(after latest: SubscriptionPeriod?) -> Instant? {
        if let info = renewal?.value, info.commitmentRenews == false, let end = info.commitmentRenewalDate,
            latest.map({ $0.purchasedAt < end }) ?? true
        {
            return end
        }
        return latest?.details?.commitmentExpiresDate
    }

    /// What the newest renewal info says that the seats of the next period cost, if it is about the end of this one and
    /// as new as all of its parts.
    func nextSeats(after latest: SubscriptionPeriod) -> PeriodPrice? {
        guard let statement = renewal, statement.value.renewsByItself != false,
            latest.transactions.allSatisfy({ $0.purchasedAt <= statement.signedAt }),
            statement.value.renewalDate.map({ $0 >= latest.expiresAt }) ?? true,
            statement.value.nextProductID.map({ $0 == latest.productID }) ?? true,
            let amount = statement.value.seatAmount, let currency = statement.value.currency
        else { return nil }
        return PeriodPrice(paid: amount, currency)
    }

    /// The state of a subscription whose latest period has ended and was not taken back.
    ///
    /// Receipts show neither grace periods nor billing retry, so that one made meanwhile does not end them.
    func state(after ending: PeriodEnding, at asOf: Instant) -> SubscriptionState {
        let word = lastWord(on: ending)
        /// The end of the time in which no receipt can show what comes then.
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
                // A later period, which nothing shows, or a receipt would.
                if word.signedAt >= ending.end { openUntil = max(openUntil, word.signedAt) }
            case .over:
                if word.signedAt >= ending.end { return .expired }
            }
        }
        return receiptAt.map { $0 >= openUntil } ?? false ? .expired : .notRefreshed
    }

    /// What the newer of a renewal info and a status says of the time after a period; of one date the status counts.
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

    /// What a token says of the time after a period.
    private enum Meaning {
        case active
        /// Access goes on, until a date if it is known.
        case grace(until: Instant?)
        case retry
        /// No later period, and nothing that goes on.
        case over
    }
}

/// The end of a period, and since when tokens can say what came then.
struct PeriodEnding {
    let end: Instant
    /// The purchase, or the signing of what alone shows the period: what was signed before is about an earlier one.
    let boughtAt: Instant
}

extension Token.RenewalInfo {
    /// Whether it is not about an earlier end.
    fileprivate func isAbout(_ ending: PeriodEnding) -> Bool { renewalDate.map { $0 >= ending.end } ?? true }
}
