public import Checks
public import Encodings
public import Engine
import Files
import Inputs

/// The rows of a report of the table `fraud` with the columns `status` and `note` filled in by somebody.
public struct ReviewedRows {
    /// A row with the status of a review.
    public struct Row: Sendable, Equatable {
        /// The place of the row: `row 7`, with the sheet for a workbook. The header is row 1.
        public let place: String
        public let finding: FindingID
        public let disposition: Disposition
        public let note: String
        /// Who decided and when, if the file states it.
        public let author: String?
        public let decidedAt: Instant?
        /// The review in the ledger when the file was written, if the file states it.
        public let recorded: Recorded?
    }

    /// The last review of a finding in a ledger.
    public struct Recorded: Sendable, Equatable {
        let status: FindingStatus
        /// When the last review was made; `nil` if there was none.
        let at: Instant?
    }

    public private(set) var rows: [Row] = []
    /// The number of rows with `open`, `reopened` or nothing.
    public private(set) var open = 0
    /// The findings of rows with `open`.
    public private(set) var opened: [FindingID] = []
    /// The notes of rows with `open`, `reopened` or nothing.
    private(set) var openNotes: [(finding: FindingID?, note: String)] = []
    private var places: [FindingID: Int] = [:]
    /// When the file was last changed.
    let writtenAt: Instant?

    /// A file without reviews.
    public struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        public var description: String { "cannot import \(path): \(reason)" }
    }

    /// Reads a CSV file, or the sheets of a workbook, with the columns `finding_id`, `status` and optionally `note`; of
    /// the file that a page downloads also who decided and when.
    ///
    /// - Parameter maxBytes: the maximum file size.
    /// - Throws: `FileError`, or ``Unreadable`` with the row of the error.
    public init(reading path: String, maxBytes: Int = 1 << 28) throws {
        writtenAt = FileContents.modified(path).map { Instant(milliseconds: $0 / 1_000_000) }
        let name = path.lowercased()
        if name.hasSuffix(".xlsx") {
            try readWorkbook(path, maxBytes)
        } else if name.hasSuffix(".csv") {
            try readCSV(path, maxBytes)
        } else {
            throw Unreadable(path: path, reason: "the extension must be .xlsx or .csv")
        }
    }

    private static let required = ["finding_id", "status"]
    private static let optional = [
        "note", QueueSheet.recordedStatus, QueueSheet.recordedAt, "reviewed_by", "reviewed_at",
    ]
    private static let noColumns =
        "it has no columns finding_id and status; fill in the sheet Queue of a workbook, or a report of the table fraud"

    private mutating func readCSV(_ path: String, _ maxBytes: Int) throws {
        guard let cells = CSVRows.read(saved: try Self.bytes(of: path, maxBytes)), let header = cells.first else {
            throw Unreadable(path: path, reason: "it is not CSV")
        }
        let columns = Self.required.compactMap { header.firstIndex(of: $0) }
        guard columns.count == Self.required.count else { throw Unreadable(path: path, reason: Self.noColumns) }
        let more = Self.optional.map { header.firstIndex(of: $0) }
        for (index, row) in cells.enumerated().dropFirst() where row != [""] {
            guard row.count == header.count else {
                let reason = "row \(index + 1) has \(counted(row.count, "cell")), not \(header.count)"
                throw Unreadable(path: path, reason: reason)
            }
            try add(
                (columns + more).map { $0.map { CSVRow.armed(row[$0]) } ?? "" }, at: "row \(index + 1)", path)
        }
    }

    private mutating func readWorkbook(_ path: String, _ maxBytes: Int) throws {
        // minizip reads the file itself, and does not report why it fails.
        _ = try Self.bytes(of: path, maxBytes)
        let found: [WorkbookReader.Row]
        do {
            found = try WorkbookReader(path).rows(required: Self.required, optional: Self.optional)
        } catch let failure as ArchiveReader.Failure {
            throw Unreadable(path: path, reason: failure.reason)
        }
        guard !found.isEmpty else { throw Unreadable(path: path, reason: Self.noColumns) }
        for row in found {
            let place = "row \(row.number) of the sheet \(TextLayout.safe(row.sheet, limit: 40))"
            try add(row.cells, at: place, path)
        }
    }

    private static func bytes(of path: String, _ maxBytes: Int) throws -> [UInt8] {
        let bytes = try FileContents.bytes(of: path, limit: maxBytes)
        guard bytes.count <= maxBytes else {
            throw Unreadable(path: path, reason: "it is larger than \(grouped(maxBytes)) bytes")
        }
        return bytes
    }

    /// - Parameter cells: the cells of the required and the optional columns.
    private mutating func add(_ cells: [String], at place: String, _ path: String) throws {
        let (status, note) = (cells[1].trimmed, cells[2].trimmed)
        let id = FindingID(ExactText(cells[0].trimmed))
        guard !["", "open", "reopened"].contains(status) else {
            open += 1
            if !note.isEmpty { openNotes.append((id, note)) }
            if status == "open", let id { opened.append(id) }
            return
        }
        guard let disposition = Disposition(rawValue: status.lowercased()) else {
            throw Unreadable(
                path: path,
                reason: "the status of \(place) is “\(status.prefix(40))”; it may be fraud, ok, watch or open")
        }
        guard let finding = id else { throw Unreadable(path: path, reason: "\(place) has no finding_id") }
        let recorded = FindingStatus(rawValue: cells[3].trimmed).map { status in
            Recorded(status: status, at: Instant(rfc3339: cells[4].trimmed))
        }
        let author = cells[5].trimmed
        let row = Row(
            place: place, finding: finding, disposition: disposition, note: note,
            author: author.isEmpty ? nil : author, decidedAt: Instant(rfc3339: cells[6].trimmed), recorded: recorded)
        guard let index = places[finding] else {
            places[finding] = rows.count
            return rows.append(row)
        }
        let first = rows[index]
        guard first.disposition == row.disposition, first.note == row.note else {
            let reason = "\(first.place) and \(place) decide about the finding \(finding) in two ways"
            throw Unreadable(path: path, reason: reason)
        }
    }
}

extension String {
    /// The text without blanks at its ends.
    package var trimmed: String {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: blanks).reversed().drop(while: blanks).reversed())
    }
}
