public import Checks
import Encodings
import Files
import Inputs
public import Ledgers

/// The rows of a report of the table `fraud` in which somebody filled in the columns `status` and `note`.
public struct ReviewedRows {
    /// A row whose status is that of a review.
    public struct Row: Sendable, Equatable {
        /// The row's number in the file; the header is row 1.
        public let number: Int
        public let finding: FindingID
        public let disposition: Disposition
        public let note: String
    }

    public private(set) var rows: [Row] = []
    /// How many rows say `open` or `reopened`, or nothing.
    public private(set) var open = 0

    /// A file that has no reviews in it.
    public struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        public var description: String { "cannot import \(path): \(reason)" }
    }

    /// Reads a CSV file with the columns `finding_id` and `status`, and perhaps `note`.
    ///
    /// - Parameter maxBytes: the largest file, all of which is in memory.
    /// - Throws: `FileError`, or ``Unreadable`` with the row that is wrong.
    public init(reading path: String, maxBytes: Int = 1 << 28) throws {
        guard path.lowercased().hasSuffix(".csv") else {
            throw Unreadable(
                path: path, reason: "the extension must be .csv; save the sheet of findings as CSV (UTF-8)")
        }
        let bytes = try FileContents.bytes(of: path, limit: maxBytes)
        guard bytes.count <= maxBytes else {
            throw Unreadable(path: path, reason: "it is larger than \(grouped(maxBytes)) bytes")
        }
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf])
        guard let cells = CSVRows.read(marked ? Array(bytes.dropFirst(3)) : bytes), let header = cells.first else {
            throw Unreadable(path: path, reason: "it is not CSV with commas")
        }
        guard let id = header.firstIndex(of: "finding_id"), let status = header.firstIndex(of: "status") else {
            throw Unreadable(
                path: path, reason: "it has no columns finding_id and status; fill in a report of the table fraud")
        }
        let note = header.firstIndex(of: "note")
        for (index, row) in cells.enumerated().dropFirst() where row != [""] {
            try add(row, number: index + 1, (id, status, note), width: header.count, path)
        }
    }

    private mutating func add(
        _ row: [String], number: Int, _ columns: (id: Int, status: Int, note: Int?), width: Int, _ path: String
    ) throws {
        guard row.count == width else {
            throw Unreadable(path: path, reason: "row \(number) has \(row.count) cells, not \(width)")
        }
        let status = row[columns.status].trimmed
        guard !["", "open", "reopened"].contains(status) else { return open += 1 }
        guard let disposition = Disposition(rawValue: status.lowercased()) else {
            throw Unreadable(
                path: path,
                reason: "the status of row \(number) is “\(status.prefix(40))”; it may be fraud, ok, watch or open")
        }
        guard let finding = FindingID(ExactText(row[columns.id].trimmed)) else {
            throw Unreadable(path: path, reason: "row \(number) has no finding_id")
        }
        let note = columns.note.map { row[$0].trimmed } ?? ""
        rows.append(Row(number: number, finding: finding, disposition: disposition, note: note))
    }
}

extension String {
    fileprivate var trimmed: String {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: blanks).reversed().drop(while: blanks).reversed())
    }
}
