import Checks
public import Encodings
import Files
import FoundationEssentials
import Inputs
import Rules

extension Baseline {
    /// A report to which findings cannot be compared.
    public struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        public var description: String { "cannot compare with \(path): \(reason)" }
    }

    /// Reads a report of the table `fraud` in CSV or NDJSON, depending on its extension.
    ///
    /// - Parameters:
    ///   - maxBytes: the maximum file size; the whole file is in memory.
    ///   - subject: transforms each subject.
    /// - Throws: `FileError`, or ``Unreadable`` if it is not such a report.
    public init(
        reading path: String, asOf: Instant, maxBytes: Int = 1 << 30, subject: (ExactText) -> ExactText = { $0 }
    ) throws {
        let bytes = try FileContents.bytes(of: path, limit: maxBytes)
        guard bytes.count <= maxBytes else {
            throw Unreadable(path: path, reason: "it is larger than \(grouped(maxBytes)) bytes")
        }
        let readers: [ReportFormat: ([UInt8], String) throws -> [ComparedFinding]] = [
            .csv: Self.findings(csv:_:), .ndjson: Self.findings(ndjson:_:),
        ]
        guard let format = ReportFormat(path: path), let findings = readers[format] else {
            throw Unreadable(path: path, reason: "the extension must be .csv or .ndjson")
        }
        self.init(try findings(bytes, path), subject: subject)
    }

    private static func findings(csv bytes: [UInt8], _ path: String) throws -> [ComparedFinding] {
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf])
        guard let rows = CSVRows.read(marked ? Array(bytes.dropFirst(3)) : bytes), let header = rows.first else {
            throw Unreadable(path: path, reason: "it is not CSV")
        }
        let columns = try Line.CodingKeys.allCases.map { key in
            guard let index = header.firstIndex(of: key.rawValue) else {
                let reason = "it has no column “\(key.rawValue)”; give it a report of the table fraud"
                throw Unreadable(path: path, reason: reason)
            }
            return (key, index)
        }
        return try rows.dropFirst().enumerated().map { index, row in
            guard row.count == header.count else {
                throw Unreadable(path: path, reason: "row \(index + 2) has \(row.count) cells, not \(header.count)")
            }
            let cells = Dictionary(uniqueKeysWithValues: columns.map { ($0, row[$1]) })
            return try finding(Line(cells), number: index + 2, path)
        }
    }

    private static func findings(ndjson bytes: [UInt8], _ path: String) throws -> [ComparedFinding] {
        let decoder = JSONDecoder()
        return try bytes.split(separator: UInt8(ascii: "\n")).enumerated().map { index, bytes in
            guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else {
                throw Unreadable(path: path, reason: "line \(index + 1) is no finding")
            }
            return try finding(line, number: index + 1, path)
        }
    }

    /// The cells that are read of a row.
    struct Line: Decodable {
        var severity: ExactText
        var rule: ExactText
        var subject: ExactText
        var firstSeen: String?
        var change: String?
        var id: ExactText
        var confidence: ExactText
        var events: Int

        /// The names of the columns.
        enum CodingKeys: String, CodingKey, CaseIterable {
            case severity
            case rule
            case subject
            case firstSeen = "first_seen"
            case change
            case id = "finding_id"
            case confidence
            case events
        }

        /// - Parameter cells: the cells of a row in CSV.
        fileprivate init(_ cells: [CodingKeys: String]) {
            let cell = { (key: CodingKeys) in cells[key] ?? "" }
            severity = ExactText(cell(.severity))
            rule = ExactText(cell(.rule))
            subject = ExactText(CSVRow.armed(cell(.subject)))
            firstSeen = cells[.firstSeen]
            change = cells[.change]
            id = ExactText(cell(.id))
            confidence = ExactText(cell(.confidence))
            events = Int(cell(.events)) ?? 1
        }
    }

    private static func finding(_ line: Line, number: Int, _ path: String) throws -> ComparedFinding {
        guard let severity = Severity(code: line.severity) else {
            throw Unreadable(path: path, reason: "row \(number) has no severity")
        }
        guard let id = FindingID(line.id), let confidence = Confidence(code: line.confidence) else {
            throw Unreadable(path: path, reason: "row \(number) has no finding_id or no confidence")
        }
        var row = FindingRow(
            id: id, severity: severity, confidence: confidence, rule: line.rule, subject: line.subject)
        row.events = max(1, line.events)
        return ComparedFinding(
            row, firstSeen: line.firstSeen.flatMap { Instant(rfc3339: $0) },
            change: line.change.flatMap(ComparedFinding.Change.init(rawValue:)))
    }
}
