import Checks
import Encodings
import Foundation
import Inputs
import Rules
import SampleStore
import Testing

@testable import Engine

/// That a finding is about a claim, in records, and in the order of the table `links`.
struct `A link` {
    private static func link(_ finding: UInt64, _ claim: UInt32, number: UInt64, _ severity: Severity) -> LinkRow {
        var facts = LinkFacts()
        facts.claim = ClaimID(high: 9, low: claim)
        facts.source = "claims.csv:\(number)"
        let id = FindingID(high: finding, low: 1)
        return LinkRow(
            Mark(finding: id, rule: Int(finding), severity: severity), facts, claim: ClaimNumber(rawValue: number))
    }

    /// All that a link can say.
    private static let full: LinkRow = {
        var link = Self.link(3, 0x89ab_cdef, number: 1 << 40, .critical)
        let octets: [UInt8] = [1, 2, 3, 4, 5, 6]
        link.facts.device = Device(octets: octets.span)
        link.facts.accountID = "ana"
        link.facts.receiptSHA256 = [UInt8](0..<32)
        link.facts.deviceHash = .match
        link.facts.presentedAt = .utc(2026, 1, 2)
        link.facts.verdict = .invalid
        link.facts.isGenuine = true
        link.facts.bundleID = "com.example.notes"
        link.facts.personID = "7001"
        link.facts.originalTransactionID = "1000"
        link.facts.untrustedSigner = [7, 8, 9]
        return link
    }()

    private func read(_ link: LinkRow) throws -> LinkRow {
        try recoded(
            link, placeholder: LinkRow(), write: { $0.code(&$1) },
            read: { (link, fields) throws(RecordError) in try link.code(&fields) })
    }

    @Test func `is read from a record as it was written`() throws {
        // A field that nobody has set would be the same however it is written.
        for field in Mirror(reflecting: Self.full.facts).children {
            #expect("\(field.value)" != "nil" && "\(field.value)" != "", "\(field.label ?? "")")
        }
        #expect(try "\(read(Self.full))" == "\(Self.full)")
    }

    @Test func `is read without what may be absent`() throws {
        let bare = Self.link(1, 2, number: 3, .info)
        #expect(try "\(read(bare))" == "\(bare)")
    }

    @Test(arguments: [0, 1 << 20], 0..<6)
    func `is sorted by finding and claim, with a claim's first source and its highest mark`(
        memory: Int, seed: UInt64
    ) throws {
        var links: [LinkRow] = []
        for finding in [UInt64(2), 0, 1] {
            for claim in [UInt32(7), 3] {
                // The claim is in four rows; the worst mark is on neither the first nor the last.
                for (number, severity) in zip([UInt64(500), 4, 30, 1000], [Severity.low, .info, .high, .medium]) {
                    links.append(Self.link(finding, claim, number: number + UInt64(claim), severity))
                }
            }
        }
        var random = SeededGenerator(seed: seed)
        for index in links.indices { links.swapAt(index, index + random.below(links.count - index)) }
        let sorter = LinkSorter(
            Storage(memory: memory, folder: FileManager.default.temporaryDirectory.path()))
        for link in links { try sorter.add(link) }
        var found: [String] = []
        try sorter.forEach {
            found.append("\($0.finding.high) \($0.rule) \($0.facts.claim.low) \($0.facts.source) \($0.severity.code)")
        }
        #expect(
            found == (0...2).flatMap { ["\($0) \($0) 3 claims.csv:7 high", "\($0) \($0) 7 claims.csv:11 high"] })
    }

    @Test func `sorts by ids as ids sort`() {
        let ids = [(0, 0), (0, 1), (0, .max), (1, 0), (0x80 << 56, 0x0100_0000), (0x80 << 56, 0xff00_0000), (.max, 5)]
            .map { IdentityHash(high: $0.0, low: $0.1) }
        let records = ids.map { id in
            var (id, record) = (id, RecordWriter())
            record.identity(&id)
            return record.bytes
        }
        #expect(records.allSatisfy { $0.count == 12 })
        #expect(records.sorted { $0.lexicographicallyPrecedes($1) } == records && ids.sorted() == ids)
    }
}

/// That a finding is about a claim, before the claim's row is at hand.
struct `A mark` {
    private static let finding = FindingID(high: 77, low: 0xfe00_0001)

    private static func mark(_ severity: Severity, of finding: FindingID = finding) -> Mark {
        let found = Finding(
            severity: .high, rule: RuleBook.ids.count - 2, subject: "", involved: Participants(), evidence: "")
        return Mark(MergedFinding(found, id: finding), severity)
    }

    @Test(arguments: Severity.allCases)
    func `is read from a record as it was written`(severity: Severity) throws {
        let mark = Self.mark(severity)
        let found = try recoded(
            mark, placeholder: .unread, write: { $0.code(&$1) },
            read: { (mark, fields) throws(RecordError) in try mark.code(&fields) })
        #expect(found == mark)
    }

    @Test func `is refused if no version writes it so`() throws {
        var (mark, record) = (Self.mark(.low), RecordWriter())
        mark.code(&record)
        var bytes = record.bytes
        let last = bytes.count - 1
        bytes[last] = 9
        var (found, fields) = (Mark.unread, RecordReader(bytes.span))
        #expect(throws: RecordError.self) { try found.code(&fields) }
    }

    private func marked(_ marks: [Mark], _ notices: FindingNotices = FindingNotices()) -> MarkedClaim {
        marks.reduce(into: MarkedClaim(claim: 1)) { $0.add($1, notices) }
    }

    @Test func `counts once for a finding, with the highest severity`() {
        let other = FindingID(high: 76, low: 0)
        let claim = marked([
            Self.mark(.low), Self.mark(.high), Self.mark(.medium), Self.mark(.info, of: other),
        ])
        #expect(claim.marks == [Self.mark(.info, of: other), Self.mark(.high)])
        #expect(claim.rules.risk == .high && claim.rules.ids == RuleBook.ids[RuleBook.ids.count - 2].text)
    }

    @Test(arguments: [
        (Severity.info, Severity.info), (.low, .low), (.medium, .medium), (.high, .critical), (.critical, .critical),
    ])
    func `is carried over to the ring of its finding, high as critical`(severity: Severity, inRing: Severity) {
        var notices = FindingNotices()
        let ring = FindingID(high: 1, low: 1)
        notices.insert(Self.finding, partOf: .init(finding: ring, severity: .critical))
        let mark = Self.mark(severity)
        let claim = marked([mark], notices)
        #expect(claim.marks == [Mark(finding: ring, rule: RuleBook.ringNumber, severity: inRing), mark])
        #expect(claim.rules.risk == max(severity, inRing))
    }

    @Test func `is never worse than its ring, and the worst of all findings in it`() {
        var notices = FindingNotices()
        let (ring, other) = (FindingID(high: 1, low: 1), FindingID(high: 99, low: 0))
        for finding in [Self.finding, other] {
            notices.insert(finding, partOf: .init(finding: ring, severity: .medium))
        }
        let claim = marked([Self.mark(.low), Self.mark(.critical, of: other), Self.mark(.info)], notices)
        #expect(claim.marks[0] == Mark(finding: ring, rule: RuleBook.ringNumber, severity: .medium))
        #expect(claim.rules.risk == .critical)
    }
}
