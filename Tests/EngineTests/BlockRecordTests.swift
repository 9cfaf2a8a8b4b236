import Checks
import Encodings
import Inputs
import Proofs
import Rules
import SampleStore
import Testing

@testable import Engine

/// What is written down of a block and read again.
struct `A block in the ledger` {
    private let recorded: [UInt8]
    private let facts: [Facts]
    private let rows: [EncodedRows]
    private let tally: Tally
    private let breakdown: Breakdown
    private let claims: [KeyedClaim]
    private let findings: [Finding]
    private static let key = BlockKey([UInt8](0..<32))

    init() throws {
        let export = try SampleExport(count: 60, seed: 8, forgeryShare: 0.5)
        let checker = try Checker(
            trust: TrustAnchors(files: [(name: "root", bytes: export.root)]),
            expectations: Expectations(asOf: SampleExport.asOf))
        let rules = RuleSet(Policy(), asOf: SampleExport.asOf)
        var recorder = BlockRecorder(Self.key, asOf: SampleExport.asOf)
        var (facts, rows, found) = ([Facts](), EncodedRows(), [Finding]())
        var (tally, breakdown, claims) = (Tally(), Breakdown(), [KeyedClaim]())
        for index in 0..<60 {
            guard let file = try export.claim(at: index).file else { continue }
            var claim = Claim(source: "devices.csv:\(index)")
            claim.accountID = "ä \(index % 7)"
            claim.isDateUnread = index % 7 == 0
            let judged = checker.facts(of: claim, receipt: file.bytes.span)
            facts.append(judged)
            tally.count(judged)
            breakdown.count(judged, Policy())
            rows.bytes += Array("row \(index)\n".utf8)
            rows.cells.append(rows.bytes.count - 1)
            rows.ends.append(rows.bytes.count)
            recorder.record(judged, figuresBy: Policy())
            rules.evaluate(judged) { finding in
                found.append(finding)
                recorder.record(finding, ofClaim: facts.count - 1)
            }
            let noted = KeyedClaim(
                identity: UInt64(index) &* 0x9e37_79b9_7f4a_7c15,
                keys: KeyKind.allCases.map {
                    ClaimKey(hash: UInt64(index) << 40, kind: $0, isSignificant: index % 2 == 0)
                },
                record: [UInt8](repeating: UInt8(index), count: index))
            claims.append(noted)
            recorder.record(noted, ofClaim: facts.count - 1)
        }
        (self.facts, findings, self.claims) = (facts, found, claims)
        (self.tally, self.breakdown) = (tally, breakdown)
        self.rows = [rows, EncodedRows(bytes: [], ends: rows.ends.map { _ in 0 }, cells: rows.ends.map { _ in 0 })]
        recorded = try #require(recorder.bytes(tally, rows: self.rows, unknownKeys: ["a", "ö"]))
    }

    private func replayed(asOf: Instant = SampleExport.asOf, formats: Int = 2) -> BlockReplay? {
        BlockReplay(recorded.span, asOf: asOf, formats: formats)
    }

    @Test func `is what it was`() throws {
        let replay = try #require(replayed())
        #expect(replay.key.octets == Self.key.octets)
        #expect(replay.unknownKeys == ["a", "ö"])
        #expect(replay.tally.claims == facts.count)
        for verdict in Verdict.allCases { #expect(replay.tally.verdicts[verdict] == tally.verdicts[verdict]) }
        for check in Check.allCases { #expect(replay.tally.failedChecks[check] == tally.failedChecks[check]) }
        for match in DeviceHashResult.allCases {
            #expect(replay.tally.deviceHashResults[match] == tally.deviceHashResults[match])
        }
        #expect(tally.unreadDates > 0 && replay.tally.unreadDates == tally.unreadDates)
        #expect(replay.breakdown == breakdown)
        #expect(replay.rows.map(\.bytes) == rows.map(\.bytes))
        #expect(replay.rows.map(\.ends) == rows.map(\.ends))
        #expect(replay.rows.map(\.cells) == rows.map(\.cells))
        var index = 0
        try replay.forEachClaim { place, claim in
            #expect(place == index)
            #expect(claim.identity == claims[index].identity)
            #expect(claim.record == claims[index].record)
            #expect(claim.keys.map(\.hash) == claims[index].keys.map(\.hash))
            #expect(claim.keys.map(\.kind) == claims[index].keys.map(\.kind))
            #expect(claim.keys.map(\.isSignificant) == claims[index].keys.map(\.isSignificant))
            index += 1
        }
        #expect(index == facts.count)
    }

    @Test func `has the findings that it had`() throws {
        var found: [ClaimFinding] = []
        try replayed()?.forEachFinding { found.append($1) }
        #expect(found.count == findings.count && found.count > 10)
        for (found, finding) in zip(found, findings) {
            #expect((found.rule, found.severity, found.subject) == (finding.rule, finding.severity, finding.subject))
            let row = try FindingRecord.row(of: found.record.span)
            #expect(row.evidence == finding.evidence)
            #expect(row.sources == finding.involved.sources.names)
        }
    }

    @Test func `is not taken for other nights or other formats`() {
        #expect(replayed(asOf: .utc(1980, 1, 1)) == nil)
        #expect(replayed(formats: 1) == nil)
    }

    @Test func `is judged again if rows are wanted that nobody wanted then, and has none that nobody wants`() throws {
        let replay = try #require(replayed())
        let encoder = { (maxRows: Int?) in
            RowEncoder(name: "x", maxRows: maxRows, emptyLength: 0, encode: { _, _ in 0 }, fill: { _, _, _ in })
        }
        #expect(replay.rows(for: [encoder(nil), encoder(7)], after: 6)?.map(\.bytes) == rows.map(\.bytes))
        #expect(replay.rows(for: [encoder(7), encoder(nil)], after: 7)?.map(\.ends.count) == [0, facts.count])
        var recorder = BlockRecorder(Self.key, asOf: SampleExport.asOf)
        for facts in facts { recorder.record(facts, figuresBy: Policy()) }
        let bytes = try #require(recorder.bytes(tally, rows: [rows[0], EncodedRows()], unknownKeys: []))
        let bare = BlockReplay(bytes.span, asOf: SampleExport.asOf, formats: 2)
        #expect(bare?.rows(for: [encoder(nil), encoder(7)], after: 7) != nil)
        #expect(bare != nil && bare?.rows(for: [encoder(nil), encoder(7)], after: 6) == nil)
    }

    @Test func `is not replayed if its record is cut off`() {
        for count in stride(from: 0, to: recorded.count, by: max(1, recorded.count / 500)) {
            let torn = Array(recorded.prefix(count))
            #expect(BlockReplay(torn.span, asOf: SampleExport.asOf, formats: 2) == nil, "\(count) bytes")
        }
    }
}
