import Checks
import Encodings
import Engine
import FoundationEssentials
import Rules

@testable import Ledgers

/// A folder for ledgers, which goes when nobody needs it.
final class TestFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "audit-ledger-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var ledger: String { path + "/state.db" }

    func open(_ origin: LedgerOrigin = .example, runAt asOf: Instant = .day(1)) throws -> Ledger {
        try Ledger(ledger, origin: origin, runAt: asOf)
    }

    /// Makes a run from its beginning to its end.
    func run(
        on day: Int64 = 1, hour: Int64 = 0, _ body: (Ledger) throws -> Void = { _ in }
    ) throws {
        let asOf = Instant(seconds: day * 86_400 + hour * 3600)
        let ledger = try open(runAt: asOf)
        try body(ledger)
        try ledger.end(.at(asOf))
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
    }

    /// The bytes of the ledger's file.
    var bytes: [UInt8] {
        get throws { try bytes(of: "state.db") }
    }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path + "/" + name))) }

    func write(_ bytes: [UInt8], to name: String = "state.db") throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }
}

extension Ledger {
    /// Commits the run and puts the ledger in its place.
    func end(_ outcome: RunOutcome = .example) throws {
        try commit(outcome)
        try publish()
    }

    /// Records a finding that nobody doubts.
    @discardableResult
    func record(
        _ rule: ExactText, _ subject: ExactText, severity: Severity = .low, events: Int = 1,
        evidence: String = "as it was"
    ) throws -> FindingHistoryEntry {
        try record(Self.finding(rule, subject, severity: severity, events: events, evidence: evidence))
    }

    static func finding(
        _ rule: ExactText, _ subject: ExactText, severity: Severity = .low, events: Int = 1, evidence: String = ""
    ) -> FindingRow {
        var finding = FindingRow(id: .none, severity: severity, confidence: .likely, rule: rule, subject: subject)
        (finding.events, finding.evidence) = (events, evidence)
        return finding
    }

    func put(claim id: UInt64, _ record: [UInt8]) throws {
        try put(claim: id, ofCase: id, isDoubtful: false, record: record.span)
    }
}

extension HistoryReader {
    /// The claims under a key.
    func claims(_ hash: UInt64) throws -> [UInt64] {
        var claims: [UInt64] = []
        try seek(hash)
        while let key, key.hash == hash {
            claims.append(key.claim)
            try next()
        }
        return claims
    }

    func statements() throws -> [[UInt8]] {
        var statements: [[UInt8]] = []
        try forEachStatement { record in statements.append(record.indices.map { record[$0] }) }
        return statements
    }
}

extension LedgerOrigin {
    static var example: LedgerOrigin { LedgerOrigin(trustAnchors: ["1", "2", "3"], pseudonymKey: nil) }
}

extension Instant {
    static func day(_ number: Int64) -> Instant { Instant(seconds: number * 86_400) }
}

extension RunOutcome {
    static var example: RunOutcome { .at(.day(1)) }

    static func at(_ asOf: Instant) -> RunOutcome { RunOutcome(asOf: asOf, inputs: ["a b", ""], claims: 3, valid: 2) }
}
