import Encodings
import Ledgers
import Testing

/// What three runs add to a ledger, by number, and a check that what it gives back is nothing else.
struct Sample {
    var blocks: [[UInt8]: [UInt8]] = [:]
    var signatures: [[UInt8]: [UInt8]] = [:]
    var claims: [UInt64: [UInt8]] = [:]
    var observations: [UInt64: [UInt64]] = [:]
    /// By what they are about; each is said by the claim with that number.
    var statements: [UInt64: [UInt8]] = [:]
    private var parts: [Part] = []

    private struct Part {
        var blocks: [[UInt8]] = []
        var signatures: [[UInt8]] = []
        var claims: [UInt64] = []
        var observations: [UInt64] = []
        var statements: [UInt64] = []
    }

    init() {
        var numbers = Numbers(seed: 1)
        for _ in 0..<3 {
            var part = Part()
            for _ in 0..<3 { part.blocks.append(numbers.bytes(32)) }
            for _ in 0..<20 { part.signatures.append(numbers.bytes(32)) }
            for _ in 0..<20 { part.claims.append(numbers.next()) }
            for _ in 0..<20 { part.observations.append(numbers.next()) }
            for _ in 0..<20 { part.statements.append(numbers.next()) }
            for key in part.blocks { blocks[key] = numbers.bytes(numbers.next(below: 20_000)) }
            for key in part.signatures { signatures[key] = numbers.bytes(1 + numbers.next(below: 200)) }
            for key in part.claims { claims[key] = numbers.bytes(1 + numbers.next(below: 200)) }
            for key in part.observations { observations[key] = [numbers.next(), numbers.next()].sorted() }
            for key in part.statements { statements[key] = numbers.bytes(1 + numbers.next(below: 200)) }
            parts.append(part)
        }
    }

    /// Adds what one run found.
    func add(_ number: Int, to ledger: Ledger) throws(LedgerError) {
        let part = parts[number]
        for key in part.blocks {
            let output = blocks[key] ?? []
            try ledger.add(block: key.span, statusKey: key.span, output: output.span)
        }
        for key in part.signatures.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let verdict = signatures[key] ?? []
            try ledger.add(signature: key.span, verdict: verdict.span)
        }
        for id in part.claims.sorted() {
            let record = claims[id] ?? []
            try ledger.add(claim: id, record: record.span)
        }
        for key in part.observations.sorted() {
            for claim in observations[key] ?? [] { try ledger.add(observation: key, claim: claim) }
        }
        for key in part.statements.sorted() {
            let record = statements[key] ?? []
            try ledger.add(statement: key, record: record.span, by: key)
        }
        for number in 0..<30 { try ledger.record("rule", "subject \(number)") }
    }

    /// Adds a little that is not in the sample.
    func addOther(_ number: Int, to ledger: Ledger) throws(LedgerError) {
        let octets = [UInt8](repeating: UInt8(number), count: 32)
        try ledger.add(signature: octets.span, verdict: octets.span)
        try ledger.add(claim: UInt64(number), record: octets.span)
        try ledger.add(observation: UInt64(number), claim: UInt64(number))
        try ledger.add(statement: UInt64(number), record: octets.span, by: UInt64(number))
    }

    private static func isOther(_ record: [UInt8]) -> Bool { record.count == 32 && Set(record).count == 1 }

    /// Reads everything: what is there must be what was added.
    func check(_ reader: LedgerReader) throws(LedgerError) {
        for (key, output) in blocks {
            if let found = try reader.block(key: key.span)?.output { #expect(found == output) }
            if let found = try reader.block(statusKey: key.span)?.output { #expect(found == output) }
        }
        for (key, verdict) in signatures {
            if let found = try reader.verdict(ofSignature: key.span) { #expect(found == verdict) }
        }
        for (id, record) in claims {
            if let found = try reader.record(ofClaim: id)?.record { #expect(found == record) }
        }
        for (key, expected) in observations.sorted(by: { $0.key < $1.key }) {
            try reader.claims(under: key) { #expect(expected.contains($0)) }
        }
        let expected = Set(statements.values)
        for record in try reader.statements() where !Self.isOther(record) { #expect(expected.contains(record)) }
    }
}
