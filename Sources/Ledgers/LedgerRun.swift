public import Encodings

/// A run in a ledger, and its row in the table `run`.
public struct LedgerRun: Sendable, Equatable {
    /// Counts up from 1; 0 until the run is committed.
    public internal(set) var id: Int64 = 0
    /// The run's reference time.
    public var asOf: Instant
    public var inputs: [String]
    public var claims: Int
    public var valid: Int
    /// The number of claims that are not valid, for whatever reason.
    public var invalid: Int
    /// A digest of all settings, and one of all blocks that were audited. Only their writer understands them.
    public var settings: [UInt8]
    public var blocks: [UInt8]
    /// Whether the run saw all claims of the run before, so that what it did not find is resolved.
    public var coversAll: Bool
    /// Whether its reports were put in place.
    public internal(set) var isPublished = false
    /// The number of findings by severity.
    public internal(set) var findings: [UInt8: Int] = [:]

    public init(
        asOf: Instant, inputs: [String], claims: Int, valid: Int, invalid: Int, settings: [UInt8], blocks: [UInt8],
        coversAll: Bool
    ) {
        self.asOf = asOf
        self.inputs = inputs
        self.claims = claims
        self.valid = valid
        self.invalid = invalid
        self.settings = settings
        self.blocks = blocks
        self.coversAll = coversAll
    }
}

extension LedgerRun {
    private static let columns = """
        id, as_of, is_published, claims, valid, invalid, covers_all, seal, inputs, settings, blocks, findings
        """
    static let select = "SELECT \(columns) FROM run ORDER BY id"

    /// Reads all runs, oldest first.
    static func all(in connection: Connection) throws(LedgerError) -> [LedgerRun] {
        let statement = try Statement(connection, select)
        var runs: [LedgerRun] = []
        while try statement.step() {
            guard let run = LedgerRun(statement) else {
                throw .damaged(path: connection.name, reason: "checksum mismatch in a run")
            }
            runs.append(run)
        }
        return runs
    }

    /// Reads a row; `nil` if its checksum does not match.
    init?(_ row: Statement) {
        self.init(
            asOf: Instant(milliseconds: row.number(1)), inputs: Self.texts(row.bytes(8)), claims: Int(row.number(3)),
            valid: Int(row.number(4)), invalid: Int(row.number(5)), settings: row.bytes(9), blocks: row.bytes(10),
            coversAll: row.number(6) != 0)
        id = row.number(0)
        isPublished = row.number(2) != 0
        findings = Self.counts(row.bytes(11))
        guard row.number(7) == checksum else { return nil }
    }

    /// Adds the run, or replaces its row.
    func write(to connection: Connection) throws(LedgerError) {
        let statement = try Statement(
            connection,
            """
            INSERT OR REPLACE INTO run(\(Self.columns))
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """)
        for (index, value) in (numbers + [checksum]).enumerated() { statement.bind(value, at: Int32(index + 1)) }
        for (index, value) in blobs.enumerated() { statement.bind(value.span, at: Int32(index + 9)) }
        try statement.run()
    }

    private var numbers: [Int64] {
        [
            id, asOf.milliseconds, isPublished ? 1 : 0, Int64(claims), Int64(valid), Int64(invalid), coversAll ? 1 : 0,
        ]
    }

    private var blobs: [[UInt8]] {
        [
            inputs.flatMap { Array($0.utf8) + [0] }, settings, blocks,
            findings.sorted { $0.key < $1.key }.flatMap { [$0.key] + Int64($0.value).octets },
        ]
    }

    private var checksum: Int64 {
        var checksum = Checksum()
        for number in numbers { checksum = checksum.adding(number) }
        for blob in blobs { checksum = checksum.adding(blob.span) }
        return checksum.value
    }

    /// Splits texts that each end with a zero octet, which no file name contains.
    private static func texts(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Reads severities of one octet, each with a count of eight.
    private static func counts(_ bytes: [UInt8]) -> [UInt8: Int] {
        var counts: [UInt8: Int] = [:]
        for start in stride(from: 0, to: bytes.count - 8, by: 9) {
            counts[bytes[start]] = Int(Int64(octets: bytes[start + 1..<start + 9]))
        }
        return counts
    }
}
