import Checks
import Encodings
import Proofs
import Rules
import SampleStore
import Testing

@testable import Engine
@testable import Inputs

/// What is written down of a block and read again, perhaps elsewhere.
struct `A block in the ledger` {
    private let recorded: [UInt8]
    private let facts: [Facts]
    private let rows: [EncodedRows]
    private let tally: Tally
    private let breakdown: Breakdown
    private let claims: [ClaimObservations]
    private let findings: [MergedFinding]

    /// The claims of a block on every other line of a table.
    private static func block(_ table: String, from line: Int = 0, count: Int = 60) -> ClaimBlock {
        let block = ClaimBlock(.lines, from: ClaimOrigin(table: table), pool: nil)
        for index in 0..<count { block.append(ClaimBlock.Item(line: line + 2 * index)) }
        return block
    }

    private static let block = block("devices.csv")

    /// Cells with tabs between them.
    private static func encoder(maxRows: Int? = nil) -> RowEncoder {
        RowEncoder(
            name: "x", maxRows: maxRows, emptyLength: 0, encode: { _, _ in 0 },
            encodeSource: { source, bytes in bytes += Array("\(source)\t".utf8) }, fill: { _, _, _ in })
    }

    private static func rows(_ block: ClaimBlock) -> EncodedRows {
        var rows = EncodedRows()
        for (index, source) in block.sources.enumerated() {
            rows.bytes += Array("\(source)\trow \(index)\n".utf8)
            rows.cells.append(rows.bytes.count - 1)
            rows.ends.append(rows.bytes.count)
        }
        return rows
    }

    init() throws {
        let export = try SampleExport(count: 100, seed: 8, forgeryShare: 0.5)
        let checker = try Checker(
            trust: TrustAnchors(files: [(name: "root", bytes: export.root)]),
            expectations: Expectations(asOf: SampleExport.asOf))
        let rules = RuleSet(Policy(), asOf: SampleExport.asOf)
        var recorder = BlockRecorder(Self.block, asOf: SampleExport.asOf)
        let identities = try IdentityHasher()
        var (facts, found) = ([Facts](), [MergedFinding]())
        var (tally, breakdown, claims) = (Tally(), Breakdown(), [ClaimObservations]())
        let files = try (0..<100).compactMap { try export.claim(at: $0).file }.prefix(60)
        for (index, file) in files.enumerated() {
            var claim = Claim(source: Self.block.sources[index])
            claim.accountID = "ä \(index % 7)"
            claim.isDateUnread = index % 7 == 0
            var judged = checker.facts(of: claim, receipt: file.bytes.span)
            identities.identify(&judged, raw: file.bytes.span)
            facts.append(judged)
            tally.count(judged)
            breakdown.count(judged, Policy())
            recorder.record(judged, figuresBy: Policy())
            rules.evaluate(judged) { finding in
                let finding = MergedFinding(finding, identities)
                found.append(finding)
                recorder.record(finding, ofClaim: facts.count - 1)
            }
            let said = ClaimObservations(judged, claim: ClaimNumber(rawValue: UInt64(index)))
            claims.append(said)
            recorder.record(claim: Self.record(said), ofClaim: facts.count - 1)
        }
        (self.facts, findings, self.claims) = (facts, found, claims)
        (self.tally, self.breakdown) = (tally, breakdown)
        rows = [Self.rows(Self.block), Self.rows(Self.block)]
        recorded = try #require(
            recorder.bytes(tally, rows: rows, [Self.encoder(), Self.encoder()], unknownKeys: ["a", "ö"]))
    }

    private static func record(_ said: ClaimObservations) -> [UInt8] {
        var record = RecordWriter()
        ClaimRecord.write(said, to: &record)
        return record.bytes
    }

    private func replayed(asOf: Instant = SampleExport.asOf, formats: Int = 2) -> BlockReplay? {
        BlockReplay(recorded.span, asOf: asOf, formats: formats)
    }

    @Test func `is what it was`() throws {
        let replay = try #require(replayed())
        #expect(replay.unknownKeys == ["a", "ö"])
        #expect(replay.tally.claims == facts.count)
        for verdict in Verdict.allCases { #expect(replay.tally.verdicts[verdict] == tally.verdicts[verdict]) }
        for check in Check.allCases { #expect(replay.tally.failedChecks[check] == tally.failedChecks[check]) }
        for match in DeviceHashResult.allCases {
            #expect(replay.tally.deviceHashResults[match] == tally.deviceHashResults[match])
        }
        #expect(tally.unreadDates > 0 && replay.tally.unreadDates == tally.unreadDates)
        #expect(replay.breakdown == breakdown)
        let encoders = [Self.encoder(), Self.encoder()]
        let found = try #require(replay.rows(for: encoders, after: 0, Self.block.sources))
        #expect(found.map(\.bytes) == rows.map(\.bytes))
        #expect(found.map(\.ends) == rows.map(\.ends))
        #expect(found.map(\.cells) == rows.map(\.cells))
        var index = 0
        try replay.forEachClaim(ofBlock: 0, Self.block.places) { claim in
            #expect(Self.record(claim) == Self.record(claims[index]))
            index += 1
        }
        #expect(index == facts.count)
    }

    @Test func `holds nothing of where its claims stood`() throws {
        #expect(!String(decoding: recorded, as: UTF8.self).contains("devices.csv"))
    }

    @Test func `is what it would be on other lines of another table`() throws {
        let replay = try #require(replayed())
        let moved = Self.block("a longer, quoted name.csv", from: 1_000_000)
        #expect(
            replay.rows(for: [Self.encoder(), Self.encoder()], after: 0, moved.sources)?.map(\.bytes)
                == [Self.rows(moved).bytes, Self.rows(moved).bytes])
        let sources = moved.sources
        var index = 0
        try replay.forEachClaim(ofBlock: 3, moved.places) { claim in
            let moved = claims[index].moved(to: ClaimNumber(block: 3, index: index), sources[index])
            #expect(Self.record(claim) == Self.record(moved))
            index += 1
        }
        #expect(index == 60)
        var found = 0
        try replay.forEachFinding(sources) { index, head, record in
            let finding = try MergedFinding(record: record)
            #expect(head.id == finding.id && head.subject == finding.finding.subject)
            let (row, before) = (finding.row(RuleSet(Policy())), findings[found].row(RuleSet(Policy())))
            #expect(row.sources == [sources[index]] && before.sources == [Self.block.sources[index]])
            #expect(row.id == before.id && row.subject == "claim:\(facts[index].id.description)")
            #expect(row.evidence == before.evidence)
            found += 1
        }
        #expect(found == findings.count)
    }

    @Test func `has the findings that it had`() throws {
        var found: [MergedFinding] = []
        try replayed()?.forEachFinding(Self.block.sources) { found.append(try MergedFinding(record: $2)) }
        #expect(found.count == findings.count && !found.isEmpty)
        for (found, finding) in zip(found, findings) {
            #expect(found.id == finding.id && found.finding.rule == finding.finding.rule)
            #expect(found.row(RuleSet(Policy())) == finding.row(RuleSet(Policy())))
        }
    }

    @Test func `is not taken for other nights or other formats`() {
        #expect(replayed(asOf: .utc(1980, 1, 1)) == nil)
        #expect(replayed(formats: 1) == nil)
    }

    @Test func `is judged again if rows are wanted that nobody wanted then, and has none that nobody wants`() throws {
        let replay = try #require(replayed())
        let (all, seven, sources) = (Self.encoder(), Self.encoder(maxRows: 7), Self.block.sources)
        #expect(replay.rows(for: [all, seven], after: 6, sources)?.map(\.bytes) == rows.map(\.bytes))
        #expect(replay.rows(for: [seven, all], after: 7, sources)?.map(\.ends.count) == [0, facts.count])
        var recorder = BlockRecorder(Self.block, asOf: SampleExport.asOf)
        for facts in facts { recorder.record(facts, figuresBy: Policy()) }
        let bytes = try #require(
            recorder.bytes(tally, rows: [rows[0], EncodedRows()], [all, seven], unknownKeys: []))
        let bare = BlockReplay(bytes.span, asOf: SampleExport.asOf, formats: 2)
        #expect(bare?.rows(for: [all, seven], after: 7, sources) != nil)
        #expect(bare != nil && bare?.rows(for: [all, seven], after: 6, sources) == nil)
    }

    @Test func `is not stored if a row does not begin with its source`() {
        var other = rows[1]
        other.bytes[0] = UInt8(ascii: "D")
        var recorder = BlockRecorder(Self.block, asOf: SampleExport.asOf)
        for facts in facts { recorder.record(facts, figuresBy: Policy()) }
        let encoders = [Self.encoder(), Self.encoder()]
        #expect(recorder.bytes(tally, rows: rows, encoders, unknownKeys: []) != nil)
        #expect(recorder.bytes(tally, rows: [rows[0], other], encoders, unknownKeys: []) == nil)
    }

    @Test func `is not replayed if its record is cut off`() {
        for count in stride(from: 0, to: recorded.count, by: max(1, recorded.count / 500)) {
            let torn = Array(recorded.prefix(count))
            #expect(BlockReplay(torn.span, asOf: SampleExport.asOf, formats: 2) == nil, "\(count) bytes")
        }
    }
}
