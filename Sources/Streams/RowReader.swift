import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules

/// A row that `map` or `reduce` has written.
struct WrittenRow {
    /// The row as CSV, without the end of its line.
    var csv: ExactText
    /// What the row says under its other keys.
    var values: [ExactText: ExactText]

    /// The row as a finding; `nil` if it is none.
    var finding: FindingRow? {
        guard let severity = Severity(code: values["severity"] ?? ""), let rule = values["rule"] else {
            return nil
        }
        // A rule has one finding about a subject: nothing else decides the order.
        return FindingRow(
            id: .none, severity: severity, confidence: .likely, rule: rule, subject: values["subject"] ?? "")
    }
}

extension WrittenRow {
    /// What decides the order of the row of an entity, the score in tenths of a point; `nil` if it is none.
    var entity: (entity: Entity, score: Int)? {
        guard let kind = Entity.Kind(code: values["kind"] ?? ""), let id = values["id"],
            let score = Self.tenths(values["score"] ?? "")
        else { return nil }
        return (Entity(kind, id), score)
    }

    /// Reads a number with at most one decimal, such as `12.5`.
    private static func tenths(_ text: ExactText) -> Int? {
        let parts = text.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int(parts[0]), (0...1_000_000).contains(whole) else { return nil }
        guard parts.count == 2 else { return whole * 10 }
        guard parts[1].utf8.count == 1, let digit = Int(parts[1]) else { return nil }
        return whole * 10 + digit
    }
}

extension WrittenRow {
    /// What decides the order of the row of a refund that Apple asks about; `nil` if it is none.
    var request: (uuid: ExactText, requestedAt: Instant)? {
        guard let uuid = values["notification_uuid"], let date = date(of: "requested_at") else { return nil }
        return (uuid, date)
    }

    /// What decides the order of the row of an unclaimed purchase, and when that was bought; `nil` if it is none.
    var purchase: (original: ExactText, purchasedAt: Instant)? {
        guard let original = values["original_transaction_id"], let date = date(of: "purchased_at") else { return nil }
        return (original, date)
    }

    private func date(of key: ExactText) -> Instant? { values[key].flatMap { Instant(written: $0.utf8.span) } }
}

/// Reads rows of one table among lines of all kinds.
struct RowReader {
    private let table: ExactText
    private var spelled: [UInt8] = []

    private let isSorted: Bool

    init(_ table: String) {
        self.table = ExactText(table)
        isSorted = RowSorter.tables.contains(table)
    }

    /// - Returns: `nil` if the line is no row of the table.
    mutating func row(_ line: Span<UInt8>) throws(LineFault) -> WrittenRow? {
        guard line.count > 0, line[0] == UInt8(ascii: "{") else { return nil }
        guard (try? UTF8Span(validating: line)) != nil else { throw .malformed("it is not UTF-8") }
        var values: [ExactText: ExactText]
        do throws(JSONError) {
            values = try self.values(line)
        } catch {
            throw .malformed(error.description)
        }
        guard values["table"] == table else { return nil }
        guard let csv = values.removeValue(forKey: "csv") else {
            throw .malformed("the row has no key csv: give map and reduce --csv")
        }
        return WrittenRow(csv: csv, values: values)
    }

    /// What the row says, as text; of a row of another table no more than that.
    private mutating func values(_ line: Span<UInt8>) throws(JSONError) -> [ExactText: ExactText] {
        var scanner = JSONScanner(line)
        var values: [ExactText: ExactText] = [:]
        spelled.removeAll(keepingCapacity: true)
        try scanner.expect("{")
        repeat {
            let key = Self.string(try scanner.string(spellingInto: &spelled), of: line, spelled)
            try scanner.expect(":")
            guard isWanted(key) else {
                try scanner.skipValue(arena: &spelled)
                continue
            }
            if scanner.next() == UInt8(ascii: "[") {
                // No row is sorted by a list.
                try scanner.skipValue(arena: &spelled)
            } else if scanner.next() == 0x22 {
                values[key] = Self.string(try scanner.string(spellingInto: &spelled), of: line, spelled)
            } else {
                values[key] = Self.string(.plain(try scanner.word()), of: line, spelled)
            }
            if let found = values["table"], found != table { return values }
        } while scanner.skip(",")
        try scanner.expect("}")
        return values
    }

    /// Whether a value is kept. Of rows that are sorted all are, of others none.
    private func isWanted(_ key: ExactText) -> Bool { isSorted || key == "table" || key == "csv" }

    private static func string(_ text: JSONText, of line: Span<UInt8>, _ spelled: [UInt8]) -> ExactText {
        switch text {
        case .plain(let range):
            return string(line.extracting(range))
        case .spelled(let range):
            let bytes = spelled.span.extracting(range)
            return string(bytes)
        }
    }

    /// Bytes that are known to be UTF-8.
    private static func string(_ bytes: Span<UInt8>) -> ExactText {
        guard let text = try? UTF8Span(validating: bytes) else { return "" }
        return ExactText(String(copying: text))
    }
}
