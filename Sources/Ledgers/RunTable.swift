private import Encodings

/// The runs of a ledger, as rows.
struct RunTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    private static let columns = """
        id, as_of, is_published, claims, valid, invalid, covers_all, seal, inputs, settings, blocks, findings
        """
    static let all = "SELECT \(columns) FROM run ORDER BY id"

    /// All runs, oldest first.
    func all() throws(LedgerError) -> [LedgerRun] {
        let statement = try Statement(connection, Self.all)
        var runs: [LedgerRun] = []
        while try statement.step() {
            guard let run = Self.run(statement) else {
                throw .damaged(path: connection.name, reason: "what it says of a run is not what it was")
            }
            runs.append(run)
        }
        return runs
    }

    /// Reads a row; `nil` if it is not what was written.
    static func run(_ row: Statement) -> LedgerRun? {
        var run = LedgerRun(
            asOf: Instant(milliseconds: row.number(1)), inputs: texts(row.bytes(8)), claims: Int(row.number(3)),
            valid: Int(row.number(4)), invalid: Int(row.number(5)), settings: row.bytes(9), blocks: row.bytes(10),
            coversAll: row.number(6) != 0)
        run.id = row.number(0)
        run.isPublished = row.number(2) != 0
        run.findings = counts(row.bytes(11))
        return row.number(7) == seal(run) ? run : nil
    }

    /// Adds a run, or says anew what it is.
    func put(_ run: LedgerRun) throws(LedgerError) {
        let statement = try Statement(
            connection,
            """
            INSERT OR REPLACE INTO run(\(Self.columns))
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """)
        for (index, value) in Self.numbers(run).enumerated() { statement.bind(value, at: Int32(index + 1)) }
        statement.bind(Self.seal(run), at: 8)
        for (index, value) in Self.blobs(run).enumerated() { statement.bind(value.span, at: Int32(index + 9)) }
        try statement.run()
    }

    private static func numbers(_ run: LedgerRun) -> [Int64] {
        [
            run.id, run.asOf.milliseconds, run.isPublished ? 1 : 0, Int64(run.claims), Int64(run.valid),
            Int64(run.invalid), run.coversAll ? 1 : 0,
        ]
    }

    private static func blobs(_ run: LedgerRun) -> [[UInt8]] {
        var (inputs, findings): ([UInt8], [UInt8]) = ([], [])
        for input in run.inputs { inputs += Array(input.utf8) + [0] }
        for (severity, count) in run.findings.sorted(by: { $0.key < $1.key }) {
            findings.append(severity)
            for shift in stride(from: 56, through: 0, by: -8) {
                findings.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        return [inputs, run.settings, run.blocks, findings]
    }

    private static func seal(_ run: LedgerRun) -> Int64 {
        var seal = Checksum()
        for number in numbers(run) { seal.add(number) }
        for blob in blobs(run) { seal.add(blob.span) }
        return seal.value
    }

    /// Texts, each ended by a zero, which no name of a file has.
    private static func texts(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Severities of one octet, each with a number of eight.
    private static func counts(_ bytes: [UInt8]) -> [UInt8: Int] {
        var counts: [UInt8: Int] = [:]
        for start in stride(from: 0, to: bytes.count - 8, by: 9) {
            var count: UInt64 = 0
            for byte in bytes[start + 1..<start + 9] { count = count << 8 | UInt64(byte) }
            counts[bytes[start]] = Int(truncatingIfNeeded: count)
        }
        return counts
    }
}
