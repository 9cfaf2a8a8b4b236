import Encodings
import Foundation
import Inputs
import Testing

@testable import Reports

/// A hundred thousand texts of strangers in the formats of programs, with numbers of ours beside them.
struct `A hundred thousand hostile texts` {
    private static let count = 100_000
    private static let columns = ["text", "number", "date", "id"]
    private static let texts = Array(HostileStrings(count, seed: 1))

    private struct Row: Decodable {
        var text: String
        var number: Int
        var date: String
        var id: String
    }

    private static func rows(_ format: ReportFormat) -> [UInt8] {
        var bytes = format.beginning(columns)
        for (index, text) in texts.enumerated() {
            bytes += format.row(columns) { row in
                row.text(text)
                row.number(-index)
                row.date(Instant(seconds: Int64(index) * 86_399))
                row.text(id(index))
            }
        }
        return bytes
    }

    /// An id of 16 digits, which is greater than what a double holds exactly.
    private static func id(_ index: Int) -> String { String(9_007_199_254_740_993 + index) }

    @Test func `stand in CSV as they are, or disarmed by one apostrophe, and alter nothing beside them`() throws {
        let rows = try #require(CSVRows.read(Self.rows(.csv)))
        #expect(rows.count == Self.count + 1 && rows.first == Self.columns)
        var wrong: [String] = []
        for (index, (row, text)) in zip(rows.dropFirst(), Self.texts).enumerated() {
            let expected = Self.isObeyed(text) ? "'" + text : text
            let isRight =
                row.count == 4 && Array(row[0].utf8) == Array(expected.utf8) && row[1] == String(-index)
                && row[2] == Instant(seconds: Int64(index) * 86_399).description && row[3] == Self.id(index)
            let isDisarmed = row[0].unicodeScalars.first == "'"
            if !isRight || (Self.isObeyed(row[0]) && !isDisarmed) { wrong.append(text.debugDescription) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `parse as JSON, and come back as they were`() throws {
        var bytes = Self.rows(.json)
        bytes.removeLast(2)
        let rows = try JSONDecoder().decode([Row].self, from: Data(bytes + Array("]".utf8)))
        var wrong: [String] = []
        for (index, (row, text)) in zip(rows, Self.texts).enumerated() {
            let isRight =
                row.text.unicodeScalars.elementsEqual(text.unicodeScalars) && row.number == -index
                && row.date == Instant(seconds: Int64(index) * 86_399).description && row.id == Self.id(index)
            if !isRight { wrong.append(text.debugDescription) }
        }
        #expect(rows.count == Self.count)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `are one line each in NDJSON, the same as in JSON`() {
        let lines = Self.rows(.ndjson).split(separator: 0x0a, omittingEmptySubsequences: false)
        #expect(lines.count == Self.count + 1)
        let json = Self.rows(.json).split(separator: 0x0a, omittingEmptySubsequences: false)
        #expect(json.dropFirst().map { $0.last == 0x2c ? $0.dropLast() : $0 } == lines)
    }

    /// What a spreadsheet would obey, told as plainly as can be.
    private static func isObeyed(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0 == "\t" || $0 == "\r" || $0 == "\0" }) { return true }
        let isSeen = { (scalar: Unicode.Scalar) in
            !scalar.properties.isWhitespace && !HiddenScalar.contains(scalar)
        }
        guard let first = scalars.first(where: isSeen) else { return false }
        return "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars.contains(first)
    }
}
