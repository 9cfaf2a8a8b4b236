import Checks
import Encodings
import Engine
import Inputs
import Rules
import Testing

@testable import Streams

/// The lines about findings between the steps.
struct `A finding in a line` {
    private static let id = FindingID(high: 0x0123_4567_89ab_cdef, low: 0xfe)

    private static let found: MergedFinding = {
        let octets: [[UInt8]] = [[1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6]]
        var involved = Participants()
        involved.claimIDs.insert(ClaimID(high: 5, low: 6))
        involved.devices = DistinctSketch(octets.compactMap { Device(octets: $0.span) }, isExact: true)
        involved.accounts = DistinctSketch(["ana"], isExact: false)
        involved.sources = FirstSources(["a.der", "b.der"])
        return MergedFinding(
            Finding(
                severity: .high, rule: 1, subject: "transaction:1", involved: involved, evidence: "é",
                confidence: .possible, events: 3),
            id: id)
    }()

    @Test func `is read as it was written, under its id`() throws {
        let line = WrittenLine { FindingLine.write(Self.found, to: &$0) }
        #expect(line.key == "f0123456789abcdef000000fe")
        guard case .part(let part) = try line.read({ try FindingLine(&$0) }) else {
            Issue.record("it is read as a link")
            return
        }
        #expect(part.row(RuleSet(Policy())) == Self.found.row(RuleSet(Policy())))
        let isExact = part.finding.involved.accounts.isExact
        #expect(!isExact)
    }

    @Test func `is linked to a claim, under its id`() throws {
        var facts = LinkFacts()
        facts.claim = ClaimID(high: 1, low: 2)
        facts.source = "a.der"
        facts.accountID = "ana"
        let link = LinkRow(
            Mark(finding: Self.id, rule: 3, severity: .low), facts, claim: ClaimNumber(rawValue: 1 << 50))
        let line = WrittenLine { FindingLine.write(link, to: &$0) }
        #expect(line.key == "f0123456789abcdef000000fe")
        guard case .link(let found) = try line.read({ try FindingLine(&$0) }) else {
            Issue.record("it is read as a part")
            return
        }
        #expect("\(found)" == "\(link)")
    }
}

/// What must be known of findings before claims are joined with them.
struct `A notice in a line` {
    private static let id = FindingID(high: 3, low: 4)

    @Test(arguments: Severity.allCases) func `says which ring a finding is part of`(severity: Severity) throws {
        let ring = FindingNotices.Ring(finding: FindingID(high: .max, low: .max), severity: severity)
        let line = WrittenLine { FindingNotice.member(Self.id, of: ring).write(to: &$0) }
        #expect(line.key == "0")
        guard case .member(let finding, let read) = try line.read({ try FindingNotice(&$0) }) else {
            Issue.record("no member")
            return
        }
        #expect(finding == Self.id && read.finding == ring.finding && read.severity == severity)
    }

    @Test func `says which claims are part of a wave`() throws {
        let line = WrittenLine { FindingNotice.wave(7).write(to: &$0) }
        guard case .wave(7) = try line.read({ try FindingNotice(&$0) }) else {
            Issue.record("no wave")
            return
        }
    }
}
