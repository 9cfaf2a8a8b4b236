import Checks
import Encodings
import Inputs
import Receipts
import Rules

/// The stored result of a block of claims: all outputs of the map stage, except the places of claims.
private struct BlockRecord {
    var window = AsOfWindow()
    var tally = Tally()
    var breakdown = Breakdown()
    var unknownKeys: [ExactText] = []
    var rows: [EncodedRows] = []
    /// Consecutive findings, each with the index of its claim in the block.
    var findings: [UInt8] = []
    var claims: [UInt8] = []

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try codeHead(&coder)
        try tally.code(&coder)
        try breakdown.code(&coder)
        try coder.texts(&unknownKeys)
        // A copy, because writing rows back where an error leaves makes LLVM (Swift 6.3) emit a broken module,
        // "swifterror value can only be loaded and stored".
        var rows = rows
        try coder.list(&rows, of: EncodedRows()) { (rows, coder) throws(Coder.Failure) in try rows.code(&coder) }
        self.rows = rows
        try coder.octets(&findings)
        try coder.octets(&claims)
    }

    mutating func codeHead<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try window.code(&coder)
    }
}

/// Records the result of a block of claims, so that it need not be checked again. ``BlockReplay`` reads it.
struct BlockRecorder {
    private var content = BlockRecord()
    private let asOf: Instant
    private let places: BlockPlaces
    private let sources: [ExactText]
    private var findings = RecordWriter()
    private var claims = RecordWriter()
    /// A record without its place.
    private var moved = RecordWriter()
    private var isWhole = true

    init(_ block: ClaimBlock, asOf: Instant) {
        places = block.places
        sources = block.sources
        self.asOf = asOf
    }

    /// - Parameter policy: the run's policy, if figures are wanted.
    mutating func record(_ facts: Facts, figuresBy policy: Policy?) {
        content.window.narrow(to: facts, asOf: asOf)
        if let policy { content.breakdown.count(facts, policy) }
    }

    mutating func record(_ finding: MergedFinding, ofClaim index: Int) {
        var (finding, place, record) = (finding.withoutSource, index, RecordWriter())
        finding.code(&record)
        findings.count(&place)
        findings.octets(&record.bytes)
    }

    /// - Parameter claim: the claim's ``ClaimRecord``.
    mutating func record(claim: [UInt8], ofClaim index: Int) {
        let path = sources.indices.contains(index) ? places.path(in: sources[index]) : ""
        moved.removeAll()
        do throws(RecordError) {
            try ClaimRecord.move(claim.span, to: 0, &moved) { _ in path }
        } catch {
            return isWhole = false
        }
        var place = index
        claims.count(&place)
        claims.octets(&moved.bytes)
    }

    /// Returns the whole record; `nil` if the result does not even hold at `asOf`.
    func bytes(
        _ tally: Tally, rows: [EncodedRows], _ encoders: [RowEncoder], unknownKeys: [String]
    ) -> [UInt8]? {
        guard isWhole, content.window.contains(asOf) else { return nil }
        var content = content
        content.tally = tally
        for (rows, encoder) in zip(rows, encoders) {
            guard let stripped = rows.withoutSources(sources, encoder) else { return nil }
            content.rows.append(stripped)
        }
        content.unknownKeys = unknownKeys.map { ExactText($0) }
        content.findings = findings.bytes
        content.claims = claims.bytes
        var record = RecordWriter()
        content.code(&record)
        return record.bytes
    }
}

/// Reads what ``BlockRecorder`` recorded.
struct BlockReplay {
    private let content: BlockRecord

    /// - Returns: `nil` if the result does not hold at this time, lacks these formats, or the bytes are not such a
    ///   record.
    init?(_ bytes: Span<UInt8>, asOf: Instant, formats: Int) {
        guard Self.isTrue(bytes, asOf: asOf) else { return nil }
        var content = BlockRecord()
        do throws(RecordError) {
            var fields = RecordReader(bytes)
            try content.code(&fields)
            try fields.end()
        } catch {
            return nil
        }
        let claims = content.tally.claims
        guard content.rows.count == formats,
            content.rows.allSatisfy({ $0.isConsistent(claims: claims) })
        else { return nil }
        self.content = content
    }

    var tally: Tally { content.tally }
    var breakdown: Breakdown { content.breakdown }
    var unknownKeys: [String] { content.unknownKeys.map(\.text) }
    /// The rows without their sources.
    var rows: [EncodedRows] { content.rows }

    /// Returns the rows of a block with this many claims before it, with the sources of its claims; `nil` if the record
    /// does not have them.
    func rows(for encoders: [RowEncoder], after claims: Int, _ sources: [ExactText]) -> [EncodedRows]? {
        guard sources.count == tally.claims else { return nil }
        var wanted: [EncodedRows] = []
        for (rows, encoder) in zip(rows, encoders) {
            let isWanted = encoder.wantsRows(after: claims)
            guard !isWanted || (encoder.isJoined ? rows.ends.count == tally.claims : rows.isPlain || rows.ends.isEmpty)
            else { return nil }
            wanted.append(isWanted ? rows.withSources(sources, encoder) : EncodedRows())
        }
        return wanted
    }

    /// Whether the recorded result holds at this time.
    static func isTrue(_ bytes: Span<UInt8>, asOf: Instant) -> Bool {
        var (fields, content) = (RecordReader(bytes), BlockRecord())
        do throws(RecordError) { try content.codeHead(&fields) } catch { return false }
        return content.window.contains(asOf)
    }

    /// Calls a body for each finding, with the index of its claim in the block, and its record with the claim's source
    /// in this run.
    ///
    /// - Parameter sources: the sources of all claims of the block.
    func forEachFinding(
        _ sources: [ExactText], _ body: (Int, FindingHead, Span<UInt8>) throws -> Void
    ) throws {
        let findings = content.findings
        var (fields, moved) = (RecordReader(findings.span), RecordWriter())
        while !fields.isAtEnd {
            let index = try place(&fields)
            guard index < sources.count else { throw RecordError.malformed }
            moved.removeAll()
            let head = try MergedFinding.move(fields.octets(), to: sources[index], &moved)
            let record = moved.bytes
            try body(index, head, record.span)
        }
    }

    /// Calls a body for each claim with keys, with its number and source in this run.
    ///
    /// - Parameter block: the block's number in this run.
    func forEachClaim(
        ofBlock block: UInt64, _ places: BlockPlaces, _ body: (ClaimObservations) throws -> Void
    ) throws {
        let claims = content.claims
        let lines = places.lines(tally.claims)
        var fields = RecordReader(claims.span)
        while !fields.isAtEnd {
            let index = try place(&fields)
            guard lines.isEmpty || index < lines.count else { throw RecordError.malformed }
            let said = try ClaimRecord.observations(of: fields.octets())
            let source = places.source(line: lines.isEmpty ? nil : lines[index], path: said.presented.source)
            try body(said.moved(to: ClaimNumber(block: block, index: index), source))
        }
    }

    private func place(_ fields: inout RecordReader) throws(RecordError) -> Int {
        var index = 0
        try fields.count(&index)
        guard index < tally.claims else { throw .malformed }
        return index
    }
}
