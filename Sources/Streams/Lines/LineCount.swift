import Encodings
package import Engine

/// The number of some lines and the sum of their checksums, independent of their order.
package struct LineCount: Equatable, Sendable {
    package private(set) var count: UInt64 = 0
    private var sum: UInt64 = 0

    package init() {}

    package mutating func add(_ checksum: UInt32) {
        count &+= 1
        sum &+= UInt64(checksum)
    }

    package static func += (total: inout LineCount, other: LineCount) {
        total.count &+= other.count
        total.sum &+= other.sum
    }

    /// Codes it in a record.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number(&count)
        try coder.sortable(&sum)
    }
}

extension LineCount: Codable {
    /// Reads the count, and the sum in hex: `12-deadbeef`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let count = LineCount(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no count of lines")
        }
        self = count
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension LineCount: CustomStringConvertible {
    /// Reads a description.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = UInt64(parts[0]), let sum = UInt64(parts[1], radix: 16) else { return nil }
        self.count = count
        self.sum = sum
    }

    package var description: String { "\(count)-\(String(sum, radix: 16))" }
}

/// The lines of a stream by the first character of their keys, and its rows by table.
package struct LineCounts: Equatable, Sendable {
    /// The counts by character.
    private var kinds = [LineCount](repeating: LineCount(), count: 128)
    private var tables: [ExactText: LineCount] = [:]

    package init() {}

    package mutating func add(_ kind: UInt8, _ checksum: UInt32) {
        guard Int(kind) < kinds.count else { return }
        kinds[Int(kind)].add(checksum)
    }

    package mutating func add(rowOf table: String, _ checksum: UInt32) {
        tables[ExactText(table), default: LineCount()].add(checksum)
    }

    package subscript(kind: UInt8) -> LineCount { Int(kind) < kinds.count ? kinds[Int(kind)] : LineCount() }

    package subscript(rowsOf table: String) -> LineCount { tables[ExactText(table)] ?? LineCount() }

    package static func += (total: inout LineCounts, other: LineCounts) {
        for kind in total.kinds.indices { total.kinds[kind] += other.kinds[kind] }
        for (table, count) in other.tables { total.tables[table, default: LineCount()] += count }
    }
}

extension LineCounts: Codable {
    /// Reads a list of texts, each a character or a table with its count: `r=12-deadbeef`. No table has a name of one
    /// character.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        for text in try container.decode([ExactText].self) {
            let parts = text.text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let kind = parts[0].utf8.first, let count = LineCount(parts[1]) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no count of lines")
            }
            if parts[0].utf8.count == 1, Int(kind) < kinds.count {
                kinds[Int(kind)] = count
            } else {
                tables[ExactText(String(parts[0]))] = count
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var counts = kinds.enumerated().filter { $1 != LineCount() }
            .map { ExactText("\(UnicodeScalar(UInt8(truncatingIfNeeded: $0)))=\($1)") }
        counts += tables.sorted { $0.key < $1.key }.map { ExactText("\($0.key.text)=\($0.value)") }
        var container = encoder.singleValueContainer()
        try container.encode(counts)
    }
}

/// The checksum of a line, which shows a reader that the line was changed on its way.
///
/// It guards against failing disks and programs, not against people: anybody can compute it.
package enum LineChecksum {
    /// Its size in a record, in bytes.
    package static let size = 4

    package static func of(_ key: Span<UInt8>, _ record: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: stableMix(stableMix(key.stableHash) &+ record.stableHash))
    }

    /// The checksum of a row.
    package static func of(_ row: Span<UInt8>) -> UInt32 { UInt32(truncatingIfNeeded: row.stableHash) }
}
