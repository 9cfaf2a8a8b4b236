public import Files
public import Pipeline

/// The report files of one run, which appear together at its end or not at all.
public final class ReportFiles {
    private let files: [OutputFile]

    /// Creates the files beside those that they will replace, so that a bad path fails in the first second.
    public init(_ paths: [String]) throws(FileError) {
        var files: [OutputFile] = []
        for path in paths { files.append(try OutputFile(replacing: path)) }
        self.files = files
    }

    public var paths: [String] { files.map(\.path).filter { $0 != "-" } }

    public func writeHeaders() throws(FileError) {
        for file in files { try file.write(CSVReceipts.header.span) }
    }

    public func write(_ part: AuditRun.Part) throws(FileError) {
        guard let rows = part.rows.first else { return }
        for file in files { try file.write(rows.span) }
    }

    /// Flushes all of them, and only then puts them in place.
    public func publish() throws(FileError) {
        for file in files { try file.finish() }
        for file in files { try file.publish() }
    }
}
