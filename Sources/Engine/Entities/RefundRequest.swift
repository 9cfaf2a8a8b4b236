package import Encodings
package import Files
package import Rules
import Sorting
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
        (claims, devices, accounts) = (presented.claims.count, presented.devices.count, presented.accounts.count)
        if accounts == 1 { accountID = presented.accounts.sorted.first ?? "" }
        (firstPresented, lastPresented) = (presented.first, presented.last)
        refundedAt = sum.refundDate(of: request)
    }

    /// The original transaction, which findings may also be about.
    package var entity: Entity { Entity(.transaction, request.originalTransactionID) }

    /// Adds the other group's part.
    mutating func add(_ other: RefundRequest) {
        if other.request.counts(before: request) { request = other.request }
        earlierRefunds = max(earlierRefunds, other.earlierRefunds)
        (claims, devices) = (max(claims, other.claims), max(devices, other.devices))
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
        (self.worst, self.confidence, self.status) = (worst, confidence, status)
    }
}

extension RefundRequest {
    /// Calls a body with each request in sorted runs.
    static func forEach(in runs: [SortedRun], _ body: (RefundRequest) throws -> Void) throws {
        try RunMerge.forEachRecord(of: runs) { _, record in
            try body(
                RecordReader.read(record, RefundRequest()) { (row, fields) throws(RecordError) in
                    try row.code(&fields)
                })
        }
    }
}

/// Sorts requests into the order of their table: those that Apple waits for, by ``RefundRequest/answerBy``, then the
/// others, the newest first; then by UUID.
package final class RefundRequestSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    package func add(_ row: RefundRequest) throws(FileError) {
        var row = row
        record.removeAll()
        row.code(&record)
        try sorter.add(Self.prefix(of: row.request.requestedAt, isDue: row.isOverdue == false), record)
    }

    /// Adds a formatted row.
    package func add(_ uuid: ExactText, requestedAt: Instant, isDue: Bool, _ text: String) throws(FileError) {
        var (uuid, text) = (uuid, ExactText(text))
        record.removeAll()
        record.sortable(&uuid)
        record.text(&text)
        try sorter.add(Self.prefix(of: requestedAt, isDue: isDue), record)
    }

    private static func prefix(of date: Instant, isDue: Bool) -> UInt64 {
        // Written dates are of whole seconds.
        let time = (UInt64(bitPattern: date.seconds) ^ 1 << 63) >> 1
        return isDue ? time : 1 << 63 | (~time & ~(1 << 63))
    }

    /// Calls a body with each row, once.
    package func forEach(_ body: (RefundRequest) throws -> Void) throws {
        try RefundRequest.forEach(in: sorter.finish(), body)
    }

    /// Calls a body with each row's text, once.
    package func forEachText(_ body: (String) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { _, record in
            let row = try RecordReader.read(record, (ExactText(""), ExactText(""))) {
                (row, fields) throws(RecordError) in
                try fields.sortable(&row.0)
                try fields.text(&row.1)
            }
            try body(row.1.text)
        }
    }
}
