package import Encodings
package import Rules
import Subscriptions

/// A refund request from Apple, with the known facts about the purchase and its presenters: a row of the table
/// `refund_requests`, or a part of one.
package struct RefundRequest: Sendable {
    package var request: ConsumptionRequest
    /// The number of other purchases that were refunded before the request: of the person, or of the original
    /// transaction if the person is not known.
    package var earlierRefunds = 0
    /// The numbers of distinct claims, devices and accounts that present the original transaction.
    package var claims = 0
    package var devices = 0
    package var accounts = 0
    /// The account that presents it, if it is the only one.
    package var accountID: ExactText = ""
    package var firstPresented: Instant?
    package var lastPresented: Instant?
    package var refundedAt: Instant?
    /// Whether the reference time is after ``answerBy``.
    package var isLate = false
    /// The findings about the original transaction.
    package var found = FoundAbout()

    /// How long Apple waits for an answer, in seconds ("Send Consumption Information").
    package static let answerSeconds: Int64 = 12 * 3600

    package var answerBy: Instant { request.requestedAt.adding(seconds: Self.answerSeconds) }

    /// Whether Apple no longer waits for an answer; `nil` if it has decided.
    package var isOverdue: Bool? { refundedAt == nil ? isLate : nil }

    /// `deliveryStatus` of the answer, where facts decide it: a genuine proof that was presented was delivered. Nothing
    /// proves why a purchase was not.
    package var deliveryStatus: String? { claims > 0 ? "DELIVERED" : nil }

    package init(_ request: ConsumptionRequest = ConsumptionRequest()) { self.request = request }

    /// Makes the part that one group of observations contributes: the group of the original transaction, or of the
    /// person who asks.
    init(_ request: ConsumptionRequest, _ sum: SupportSum, under key: GroupKey, asOf: Instant) {
        self.request = request
        isLate = answerBy < asOf
        earlierRefunds = sum.earlierRefunds(than: request)
        guard key.kind == .originalTransaction else { return }
        let presented = sum.presentations
        claims = presented.claims.count
        devices = presented.devices.count
        accounts = presented.accounts.count
        if accounts == 1 { accountID = presented.accounts.sorted.first ?? "" }
        firstPresented = presented.first
        lastPresented = presented.last
        refundedAt = sum.refundDate(of: request)
    }

    /// The original transaction, which findings may also be about.
    package var entity: Entity { Entity(.transaction, request.originalTransactionID) }

    /// Adds the other group's part.
    mutating func add(_ other: RefundRequest) {
        if other.request.counts(before: request) { request = other.request }
        earlierRefunds = max(earlierRefunds, other.earlierRefunds)
        claims = max(claims, other.claims)
        devices = max(devices, other.devices)
        accounts = max(accounts, other.accounts)
        if accountID.isEmpty { accountID = other.accountID }
        firstPresented = firstPresented ?? other.firstPresented
        lastPresented = lastPresented ?? other.lastPresented
        refundedAt = refundedAt ?? other.refundedAt
    }

    /// Codes it so that the parts of one request sort together.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&request.uuid)
        try request.code(&coder)
        for field in [\RefundRequest.earlierRefunds, \.claims, \.devices, \.accounts] {
            try coder.count(&self[keyPath: field])
        }
        var bits = try coder.beginBits()
        try coder.instant(&firstPresented, &bits)
        try coder.instant(&lastPresented, &bits)
        try coder.instant(&refundedAt, &bits)
        try coder.text(&accountID, &bits)
        coder.flag(&isLate, &bits)
        coder.end(bits)
        try found.code(&coder)
    }
}

/// The number of findings about something, and their worst severity.
package struct FoundAbout: Sendable {
    package var findings = 0
    /// The highest severity of a mark; `nil` without findings, like the next two.
    package var worst: Severity?
    package var confidence: Confidence?
    package var status: FindingStatus?

    package init() {}

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.count(&findings)
        guard findings > 0 else { return (worst, confidence, status) = (nil, nil, nil) }
        var (worst, confidence) = (worst ?? .info, confidence ?? .doubtful)
        var status = status ?? .open
        try coder.code(&worst)
        try coder.code(&confidence)
        try coder.place(of: &status)
        self.worst = worst
        self.confidence = confidence
        self.status = status
    }
}

/// The place of a request in the order of their table: those that Apple waits for, by ``RefundRequest/answerBy``, then
/// the others, the newest first; then by UUID.
package struct RefundRequestOrder: SortedRecord {
    private var uuid: ExactText
    package let prefix: UInt64

    package init(_ uuid: ExactText, requestedAt date: Instant, isDue: Bool) {
        self.uuid = uuid
        // Written dates are of whole seconds.
        let time = (UInt64(bitPattern: date.seconds) ^ 1 << 63) >> 1
        prefix = isDue ? time : 1 << 63 | (~time & ~(1 << 63))
    }

    package static var unread: Self { Self("", requestedAt: Instant(milliseconds: 0), isDue: false) }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&uuid)
    }
}

extension RefundRequest: SortedRecord {
    package static var unread: RefundRequest { RefundRequest() }

    package var prefix: UInt64 {
        RefundRequestOrder(request.uuid, requestedAt: request.requestedAt, isDue: isOverdue == false).prefix
    }
}
