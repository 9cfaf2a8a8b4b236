import Corpus
import Encodings
import Engine
import Ledgers
import Testing

/// What three runs add to a ledger, by number, and a check that what it gives back is nothing else.
struct Sample {
    var claims: [UInt64: [UInt8]] = [:]
    var observations: [UInt64: [UInt64]] = [:]
    /// By what they are about; each is said by the claim with that number.
    var statements: [UInt64: [UInt8]] = [:]
    private var parts: [Part] = []

    private struct Part {
        var claims: [UInt64] = []
        var observations: [UInt64] = []
        var statements: [UInt64] = []
    }

    init() {
        var numbers = Seeded(state: 1)
        for _ in 0..<3 {
            var part = Part()
            for _ in 0..<20 { part.claims.append(numbers.next()) }
            for _ in 0..<20 { part.observations.append(numbers.next()) }
            for _ in 0..<20 { part.statements.append(numbers.next()) }
            for key in part.claims { claims[key] = numbers.octets(1 + numbers.below(200)) }
            for key in part.observations { observations[key] = [numbers.next(), numbers.next()].sorted() }
            for key in part.statements { statements[key] = numbers.octets(1 + numbers.below(200)) }
            parts.append(part)
        }
    }

    /// Adds what one run found.
    func add(_ number: Int, to ledger: Ledger) throws {
        let part = parts[number]
        for id in part.claims.sorted() { try ledger.put(claim: id, claims[id] ?? []) }
        for key in part.observations.sorted() {
            for claim in observations[key] ?? [] { try ledger.put(EarlierKey(hash: key, claim: claim)) }
        }
        for key in part.statements.sorted() {
            let record = statements[key] ?? []
            try ledger.put(statement: record.span, by: key)
        }
        for number in 0..<30 { try ledger.record("rule", "subject \(number)") }
    }

    /// Adds a little that is not in the sample.
    func addOther(_ number: Int, to ledger: Ledger) throws {
        let octets = [UInt8](repeating: UInt8(number), count: 32)
        try ledger.put(claim: UInt64(number), octets)
        try ledger.put(EarlierKey(hash: UInt64(number), claim: UInt64(number)))
        try ledger.put(statement: octets.span, by: UInt64(number))
    }

    private static func isOther(_ record: [UInt8]) -> Bool { record.count == 32 && Set(record).count == 1 }

    /// Reads everything and compares it with what was added. Keys are the exception: each leads to a claim that says
    /// whether it has the key.
    func check(_ reader: any HistoryReader) throws {
        for (id, record) in claims {
            if let found = try reader.record(ofClaim: id)?.record { #expect(found == record) }
        }
        for key in observations.keys.sorted() { _ = try reader.claims(key) }
        let expected = Set(statements.values)
        for record in try reader.statements() where !Self.isOther(record) { #expect(expected.contains(record)) }
    }
}
