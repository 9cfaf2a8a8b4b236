import Encodings
public import Engine
public import Files
import Rules

/// Writes the report files of one run. They appear together at its end, or not at all.
public final class ReportFiles {
    private let requests: [ReportRequest]
    private let sinks: [any ReportSink]
    /// The database of the run, if a report is made from it.
    private let database: ReportDatabase?
    private let baseline: Baseline?
    private let asOf: Instant
    private var readers = SinkReaders()

    /// Creates the files in the folders of those that they will replace, so that a bad path fails within the first
    /// second.
    ///
    /// - Parameter baseline: an earlier report to compare findings with.
    public init(_ requests: [ReportRequest], baseline: Baseline? = nil, _ setting: ReportSetting) throws {
        var sinks: [any ReportSink] = []
        for request in requests {
            let sink = try request.format.type.sink(for: request, setting)
            sink.file?.setMode(setting.mode)
            sinks.append(sink)
        }
        let views = requests.filter(\.isView)
        var database = sinks.lazy.compactMap { $0 as? ReportDatabase }.first
        if database == nil, !views.isEmpty {
            let temporary = try ReportDatabase(temporary: setting, for: views)
            sinks.append(temporary)
            database = temporary
        }
        self.database = database
        self.requests = requests
        self.sinks = sinks
        self.baseline = baseline
        asOf = setting.asOf
    }

    /// The paths of the files, without standard output.
    public var paths: [String] { requests.map(\.path).filter { $0 != "-" } }

    /// The row encoders that the run needs for ``write(_:_:history:)``.
    public var encoders: [RowEncoder] { sinks.flatMap { $0.encodedTables.map(\.encoder) } }

    /// Whether any report shows the claims of findings.
    public var wantsLinks: Bool { requests.contains { $0.wantsLinks } }

    /// Whether any report shows the entities of findings.
    public var wantsEntities: Bool { requests.contains { $0.wantsEntities } }

    /// Whether any report shows subscriptions, or figures from the content of receipts.
    public var wantsFigures: Bool { requests.contains { $0.wantsFigures } }

    /// Writes all reports.
    ///
    /// If the reader of standard output or of a FIFO goes away, that report ends there; the others continue.
    ///
    /// - Parameter history: the findings of earlier runs.
    /// - Returns: how findings compare with those of the earlier report, or of earlier runs if there is no report.
    @discardableResult
    public func write(
        _ result: AuditResult, _ run: RunDescription, history: RunHistory = .none
    ) throws -> ChangeCounts? {
        let (changes, changesInHistory) = try writeRowsAndFindings(result, history)
        try result.forEachLink {
            try write($0, of: LinksTable.self)
        } onMark: {
            try write($0, of: EntityMarksTable.self)
        }
        var summary = Summary(result, run, changes: changes, history: changesInHistory)
        if history.isKept {
            summary.add(try history.ruleQuality())
            try ReviewsTable.forEachRow(in: history) { try write($0, of: ReviewsTable.self) }
        }
        let reported = ReportedRun(result, summary)
        try writeRows(of: EntitiesTable.self, reported)
        let tables = ReportRequest.Table.allCases.filter { $0.type.stage > .entities }
        for table in tables.sorted(by: { $0.type.stage < $1.type.stage }) { try writeRows(of: table.type, reported) }
        var reports: [ObjectIdentifier: StoredReport] = [:]
        for case let sink as ReportDatabase in sinks {
            try readers.write(to: sink) { _ in reports[ObjectIdentifier(sink)] = try sink.complete(summary) }
        }
        let report = database.flatMap { reports[ObjectIdentifier($0)] }
        try writeToAll { sink in try sink.finish(summary, from: report) }
        return changes ?? (history.isKept ? changesInHistory : nil)
    }

    private func writeRows<Table: ReportTable>(of table: Table.Type, _ run: ReportedRun) throws {
        try table.forEachRow(of: run) { try write($0, of: table) }
    }

    private func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws {
        try writeToAll { sink in try sink.write(row, of: table) }
    }

    private func writeToAll(_ part: (any ReportSink) throws -> Void) throws {
        for sink in sinks { try readers.write(to: sink, part) }
    }

    private func writeRowsAndFindings(
        _ result: AuditResult, _ history: RunHistory
    ) throws -> (baseline: ChangeCounts?, history: ChangeCounts) {
        let rows = RowReports(sinks)
        guard !rows.isEmpty || wantsLinks else { return try writeFindings(result, history) }
        defer { readers.add(rows.readers) }
        if rows.areRowsOnly {
            return try result.writeRows(rows.write) { try writeFindings(result, history) }
        }
        try result.writeRows(rows.write)
        return try writeFindings(result, history)
    }

    private func writeFindings(
        _ result: AuditResult, _ history: RunHistory
    ) throws -> (baseline: ChangeCounts?, history: ChangeCounts) {
        var changes = ChangeCounts()
        let write = { (finding: ComparedFinding) throws in
            changes.add(finding)
            try result.setCompared(
                ComparedID(id: finding.finding.id, isNew: finding.change.map { $0 == .new }, status: finding.status))
            try self.write(finding, of: FraudTable.self)
        }
        var comparison = Comparison(baseline, history, asOf: asOf)
        try result.forEachFinding { try write(comparison.compare($0)) }
        for finding in try comparison.resolved(where: result.hasClaim) { try write(finding) }
        return (baseline == nil ? nil : changes, comparison.changesInHistory)
    }

    /// Puts all files in place, after all of them have been written and flushed, or none.
    ///
    /// - Parameter others: other files of the run.
    public func publish(with others: [OutputFile] = []) throws(FileError) {
        try Publication.publish(sinks.compactMap { $0.file } + others)
    }
}

/// The readers of standard output and of FIFOs. If one goes away, its report ends; the others continue.
private struct SinkReaders {
    /// The sinks whose readers have gone away.
    private var gone: Set<ObjectIdentifier> = []

    mutating func write(
        to sink: any ReportSink, _ part: (any ReportSink) throws -> Void
    ) throws {
        guard !gone.contains(ObjectIdentifier(sink)) else { return }
        do {
            try part(sink)
        } catch let error as FileError {
            guard error.isBrokenPipe else { throw error }
            gone.insert(ObjectIdentifier(sink))
        }
    }

    mutating func add(_ other: SinkReaders) { gone.formUnion(other.gone) }
}

/// The reports with rows that were encoded when claims were checked. For one thread at a time.
private final class RowReports: @unchecked Sendable {
    /// The sinks in the order of their encoders.
    private let sinks: [(sink: any ReportSink, table: ReportRequest.Table)]
    private(set) var readers = SinkReaders()

    init(_ sinks: [any ReportSink]) {
        self.sinks = sinks.flatMap { sink in sink.encodedTables.map { (sink, $0.table) } }
    }

    var isEmpty: Bool { sinks.isEmpty }

    /// Whether none of them shows findings, so that rows and findings may be written at the same time.
    var areRowsOnly: Bool { sinks.allSatisfy { $0.sink.isOneTable } }

    /// Writes rows of one of the encoders.
    func write(encoder: Int, rows: Span<UInt8>) throws {
        let (sink, table) = sinks[encoder]
        try readers.write(to: sink) { sink in try sink.write(rows: rows, of: table) }
    }
}
