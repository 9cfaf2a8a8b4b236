import Encodings
import Engine
import Rules

/// A key whose claims are divided over processes, of which all have told what they sum up to.
struct DividedKey {
    private let letter: StreamKey.KeyLetter
    private let octets: [UInt8]
    private var groups: [DividedGroup]
    /// What each finding makes of the claims that it is about, by group and finding; `nil` if that is allowed.
    private let marks: [[ClaimMark?]]

    init(_ sum: KeySum, _ rules: RuleSet, _ findings: FindingLines) {
        letter = sum.letter
        octets = sum.octets
        groups = sum.groups.map { DividedGroup($0, rules) }
        marks = groups.map { $0.found.map(findings.mark) }
    }

    /// Takes a claim of this process's part.
    mutating func take(_ line: ObservationLine, _ letter: StreamKey.KeyLetter, _ findings: inout FindingLines) throws {
        let (own, original) = line.observations(under: letter)
        if let own { try take(own, in: 0, &findings) }
        if let original, groups.count > 1 { try take(original, in: 1, &findings) }
    }

    private mutating func take(_ observation: Observation, in group: Int, _ findings: inout FindingLines) throws {
        let marks = marks[group]
        try groups[group].take(observation) { index in
            if let mark = marks[index] { try findings.write(mark, on: observation) }
        }
    }

    /// Writes what was seen in the part.
    func write(to line: inout LineWriter) throws {
        try SeenLine(letter: letter, octets: octets, seen: groups.map(\.seen)).write(to: &line)
    }

    /// Adds what was seen in another part.
    mutating func add(_ fields: inout LineFields) throws(LineFault) {
        let line = try SeenLine(letter, octets, &fields)
        for (index, seen) in line.seen.enumerated() {
            do {
                try groups[index].add(seen)
            } catch {
                throw .malformed("it was seen with other rules")
            }
        }
    }

    /// Judges the groups, when all parts were seen.
    func finish(asOf: Instant, _ findings: inout FindingLines) throws {
        for group in groups { try group.finish(asOf: asOf, &findings) }
    }
}
