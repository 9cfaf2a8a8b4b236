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
    package var firstPresented: Instant?
    package var lastPresented: Instant?
    package var refundedAt: Instant?
    /// The findings about the original transaction.
    package var found = FoundAbout()

    /// How long Apple waits for an answer, in seconds ("Send Consumption Information").
    package static let answerSeconds: Int64 = 12 * 3600

    package var answerBy: Instant { request.requestedAt.adding(seconds: Self.answerSeconds) }

    package init(_ request: ConsumptionRequest = ConsumptionRequest()) { self.request = request }

    /// Makes the part that one group of observations contributes: the group of the original transaction, or of the
    /// person who asks.
    init(_ request: ConsumptionRequest, _ sum: SupportSum, under key: GroupKey) {
        self.request = request
        earlierRefunds = sum.earlierRefunds(than: request)
        guard key.kind == .originalTransaction else { return }
        let presented = sum.presentations
        (claims, devices, accounts) = (presented.claims.count, presented.devices.count, presented.accounts.count)
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

/// Sorts requests into the order of their table: the newest first, then by UUID.
package final class RefundRequestSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    package func add(_ row: RefundRequest) throws(FileError) {
        var row = row
        record.removeAll()
        row.code(&record)
        try sorter.add(Self.prefix(of: row.request.requestedAt), record)
    }

    /// Adds a formatted row.
    package func add(_ uuid: ExactText, requestedAt: Instant, _ text: String) throws(FileError) {
        var (uuid, text) = (uuid, ExactText(text))
        record.removeAll()
        record.sortable(&uuid)
        record.text(&text)
        try sorter.add(Self.prefix(of: requestedAt), record)
    }

    private static func prefix(of date: Instant) -> UInt64 { ~(UInt64(bitPattern: date.milliseconds) ^ 1 << 63) }

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
