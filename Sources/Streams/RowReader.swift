import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules

/// A row written by `map` or `reduce`.
struct WrittenRow {
    /// The row as CSV, without its line end.
    var csv: ExactText
    /// The values of the row's other keys.
    var values: [ExactText: ExactText]

    /// The row as a finding; `nil` if it is not one.
    var finding: FindingRow? {
        guard let severity = Severity(code: values["severity"] ?? ""), let rule = values["rule"] else {
            return nil
        }
        guard let confidence = Confidence(code: values["confidence"] ?? "") else { return nil }
        // A rule has one finding about a subject, so no other column decides the order.
        return FindingRow(
            id: .none, severity: severity, confidence: confidence, rule: rule, subject: values["subject"] ?? "")
    }
}

extension WrittenRow {
    /// The sort key of an entity's row; `nil` if it is not one.
    var entity: EntityOrder? {
        guard let kind = Entity.Kind(code: values["kind"] ?? ""), let id = values["id"],
            let score = Self.decimal(values["score"] ?? "", digits: 1)
        else { return nil }
        var order = EntityOrder(Entity(kind, id))
        order.score = Int(score)
        let (stake, date) = (values["at_stake"] ?? "", values["last_presented"] ?? "")
        if !stake.isEmpty, stake != "null" {
            // If there are more transactions than are counted exactly, it is a lower bound.
            guard let millionths = Self.decimal(stake.rest(behind: "at least ") ?? stake, digits: 6) else { return nil }
            order.stake = millionths
        }
        if !date.isEmpty, date != "null" {
            guard let instant = Instant(written: date.utf8.span) else { return nil }
            order.lastPresented = instant
        }
        return order
    }

    /// Reads a non-negative number, such as `12.5`, as a multiple of its last decimal place that is read.
    private static func decimal(_ text: ExactText, digits: Int) -> Int64? {
        let parts = text.text.split(separator: ".", omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? parts[1] : ""
        guard parts.count <= 2, parts.count == 1 || !rest.isEmpty, rest.utf8.count <= digits else { return nil }
        let number = parts[0] + rest + String(repeating: "0", count: digits - rest.utf8.count)
        guard !parts[0].isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(number)
    }
}

extension WrittenRow {
    /// The sort key of a refund request's row; `nil` if it is not one.
    var request: RefundRequestOrder? {
        guard let uuid = values["notification_uuid"], let date = date(of: "requested_at") else { return nil }
        return RefundRequestOrder(uuid, requestedAt: date, isDue: values["overdue"] == "false")
    }

    /// The sort key of an unclaimed purchase's row, and what decides whether it belongs to the table; `nil` if it is
    /// not one.
    var purchase: UnclaimedOrder? {
        guard let original = values["original_transaction_id"], let date = date(of: "purchased_at") else { return nil }
        return UnclaimedOrder(
            original, purchasedAt: date, expiresAt: self.date(of: "expires_at"), of: values["bundle_id"] ?? "")
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

    /// - Returns: `nil` if the line is not a row of the table.
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

    /// Returns the values of the row as text; for a row of another table only its table.
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

    /// Whether to keep a value: all in rows that are sorted, none in others.
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
