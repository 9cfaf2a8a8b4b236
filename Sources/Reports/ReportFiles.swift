public import Files
public import Pipeline

/// The report files of one run, which appear together at its end or not at all.
public final class ReportFiles {
    private let sinks: [any ReportSink]
    private let baseline: Baseline?

    /// Creates the files beside those that they will replace, so that a bad path fails in the first second.
    ///
    /// - Parameter baseline: an earlier report to compare findings with.
    public init(_ requests: [ReportRequest], baseline: Baseline? = nil, _ setting: ReportSetting) throws(FileError) {
        var sinks: [any ReportSink] = []
        for request in requests { sinks.append(try request.sink(withChange: baseline != nil, setting)) }
        self.sinks = sinks
        self.baseline = baseline
    }

    /// The paths of the files, without standard output.
    public var paths: [String] { sinks.map { $0.path }.filter { $0 != "-" } }

    private var receiptsSinks: [any ReportSink] { sinks.filter { $0.receiptsEncoder != nil } }

    /// What the run must write rows with, for ``write(_:_:)``.
    public var encoders: [RowEncoder] { sinks.compactMap { $0.receiptsEncoder } }

    /// Whether any of them shows subscriptions, or what receipts say of themselves.
    public var wantFigures: Bool { sinks.contains { $0.wantsFigures } }

    /// Writes all reports.
    ///
    /// - Returns: how findings compare with those of the earlier report, if there is one.
    @discardableResult
    public func write(_ result: AuditResult, _ run: RunDescription) throws -> ChangeCounts? {
        let receiptsSinks = receiptsSinks
        if !receiptsSinks.isEmpty {
            try result.writeReceipts { format, rows in try receiptsSinks[format].write(receipts: rows) }
        }
        let changes = try writeFindings(result)
        try result.forEachSubscription { subscription in
            for sink in sinks { try sink.write(subscription) }
        }
        let summary = Summary(result, run, changes: changes)
        for sink in sinks {
            try sink.write(summary)
            try sink.finish()
        }
        return changes
    }

    private func writeFindings(_ result: AuditResult) throws -> ChangeCounts? {
        var changes = ChangeCounts()
        let write = { (finding: ComparedFinding) throws(FileError) in
            changes.count(finding)
            for sink in self.sinks { try sink.write(finding) }
        }
        var comparison = Comparison(baseline)
        try result.forEachFinding { try write(comparison.compare($0)) }
        for finding in comparison.resolved { try write(finding) }
        return baseline == nil ? nil : changes
    }

    /// Puts all of them in place, after all have been written and flushed, or none of them.
    ///
    /// - Parameter others: files that belong to the run and are no reports.
    public func publish(with others: [OutputFile] = []) throws(FileError) {
        try Publication.publish(sinks.map { $0.file } + others)
    }
}
