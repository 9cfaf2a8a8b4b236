public import Encodings
import Files
import FoundationEssentials
import Inputs
import Rules

extension Baseline {
    /// An earlier report cannot be compared with.
    public struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        public var description: String { "cannot compare with \(path): \(reason)" }
    }

    /// Reads a report of the table `fraud`, CSV or NDJSON by its extension.
    ///
    /// - Parameters:
    ///   - asOf: the instant of the run that will be compared.
    ///   - maxBytes: how large the file may be, all of which is held.
    ///   - subject: what to write in place of a subject.
    /// - Throws: `FileError`, or ``Unreadable`` if it is no such report.
    public init(
        reading path: String, asOf: Instant, maxBytes: Int = 1 << 30, subject: (ExactText) -> ExactText = { $0 }
    ) throws {
        let bytes = try FileContents.bytes(of: path, limit: maxBytes)
        guard bytes.count <= maxBytes else {
            throw Unreadable(path: path, reason: "it is larger than \(grouped(maxBytes)) bytes")
        }
        let findings: [ComparedFinding]
        switch ReportFormat(path: path) {
        case .csv: findings = try Self.findings(csv: bytes, path)
        case .ndjson: findings = try Self.findings(ndjson: bytes, path)
        default: throw Unreadable(path: path, reason: "the extension must be .csv or .ndjson")
        }
        self.init(findings, asOf: asOf, subject: subject)
    }

    private static func findings(csv bytes: [UInt8], _ path: String) throws -> [ComparedFinding] {
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf])
        guard let rows = CSVRows.read(marked ? Array(bytes.dropFirst(3)) : bytes), let header = rows.first else {
            throw Unreadable(path: path, reason: "it is not CSV")
        }
        func column(_ name: String) throws -> Int {
            guard let index = header.firstIndex(of: name) else {
                throw Unreadable(path: path, reason: "it has no column “\(name)”; give it a report of the table fraud")
            }
            return index
        }
        let (severity, rule, subject) = (try column("severity"), try column("rule"), try column("subject"))
        let (firstSeen, change) = (try column("first_seen"), header.firstIndex(of: "change"))
        return try rows.dropFirst().enumerated().map { index, row in
            guard row.count == header.count else {
                throw Unreadable(path: path, reason: "row \(index + 2) has \(row.count) cells, not \(header.count)")
            }
            let line = Line(
                severity: ExactText(row[severity]), rule: ExactText(row[rule]), subject: Self.unprefixed(row[subject]),
                first_seen: row[firstSeen], change: change.map { row[$0] })
            return try finding(line, number: index + 2, path)
        }
    }

    /// A cell as it was before it was disarmed.
    private static func unprefixed(_ cell: String) -> ExactText {
        let cell = ExactText(cell)
        return cell.rest(behind: "'") ?? cell
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

    /// What is needed of a row, under the names of the columns.
    private struct Line: Decodable {
        var severity: ExactText
        var rule: ExactText
        var subject: ExactText
        var first_seen: String?
        var change: String?
    }

    private static func finding(_ line: Line, number: Int, _ path: String) throws -> ComparedFinding {
        guard let severity = Severity(code: line.severity) else {
            throw Unreadable(path: path, reason: "row \(number) has no severity")
        }
        let row = FindingRow(
            severity: severity, rule: line.rule, subject: line.subject, claims: 0, devices: 0, accounts: 0, sources: [],
            evidence: "")
        return ComparedFinding(
            row, firstSeen: line.first_seen.flatMap { Instant(rfc3339: $0) },
            change: line.change.flatMap(ComparedFinding.Change.init(rawValue:)))
    }
}
