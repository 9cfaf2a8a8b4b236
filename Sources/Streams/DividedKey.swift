import Encodings
import Engine
import Rules
import Subscriptions

/// The sum over a part of a key's claims, as a line: for the key's group, and under a transaction's key also for that
/// of the original transaction with the same id.
struct KeySum {
    let letter: StreamKey.KeyLetter
    let octets: [UInt8]
    private(set) var groups: [GroupParts]
    /// The lines of claims in the sum.
    var lines = LineCount()

    init(_ rules: RuleSet, _ letter: StreamKey.KeyLetter, _ octets: [UInt8], asOf: Instant) {
        self.letter = letter
        self.octets = octets
        groups = letter.kinds.map { GroupParts(rules, GroupKey($0, octets: octets), asOf: asOf) }
    }

    /// Adds a claim.
    mutating func add(_ line: ObservationLine) {
        let (own, original) = line.observations(under: letter)
        if let own { groups[0].take(own) }
        if let original, groups.count > 1 { groups[1].take(original) }
    }

    func write(to line: inout LineWriter) throws {
        var lines = lines
        try line.write(.sum(letter, octets)) { record in
            lines.code(&record)
            for group in groups {
                var (count, evidence) = (group.sum.count, group.sum.evidence)
                var parts = try group.sum.parts()
                Self.code(&record, &count, &evidence, &parts)
                try record.json(group.subscription.map { [$0] } ?? [])
                try record.json(group.support.map { [$0] } ?? [])
            }
        }
    }

    /// Adds the fields after the key.
    mutating func add(_ fields: inout RecordReader) throws {
        var lines = LineCount()
        try lines.code(&fields)
        self.lines += lines
        for index in groups.indices {
            var (count, evidence, parts): (Int, Int, [Part]) = (0, 0, [])
            try Self.code(&fields, &count, &evidence, &parts)
            let subscriptions: [SubscriptionSum] = try fields.json()
            let support: [SupportSum] = try fields.json()
            guard subscriptions.count <= 1, support.count <= 1 else { throw RecordError.malformed }
            do {
                try groups[index].add(
                    count: count, evidence: evidence, parts, subscriptions.first, support.first)
            } catch {
                throw LineFault.malformed("it was combined under other rules")
            }
        }
    }

    /// The state of one rule.
    private typealias Part = (rule: ExactText, texts: [ExactText])

    private static func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, _ count: inout Int, _ evidence: inout Int, _ parts: inout [Part]
    ) throws(Coder.Failure) {
        try coder.count(&count)
        try coder.count(&evidence)
        try coder.list(&parts, of: (rule: "", texts: [])) { (part, coder) throws(Coder.Failure) in
            try coder.text(&part.rule)
            try coder.texts(&part.texts)
        }
    }
}

/// A key whose claims are divided over processes, with the total of their sums.
struct DividedKey {
    private let letter: StreamKey.KeyLetter
    private let octets: [UInt8]
    private var groups: [DividedGroup]
    /// The finding to mark claims with, by group and finding; `nil` if it is allowed.
    private let found: [[MergedFinding?]]
    /// The lines in the total of all parts.
    private let whole: LineCount
    /// The lines of this process's part; in the last step, of all parts.
    var lines = LineCount()

    /// - Parameter folder: the folder for claims that do not fit in memory.
    init(_ sum: KeySum, _ rules: RuleSet, _ findings: FindingLines, folder: String) {
        letter = sum.letter
        octets = sum.octets
        whole = sum.lines
        groups = sum.groups.map { DividedGroup($0, rules, folder: folder) }
        found = groups.map { group in group.found.map { findings.marking($0) } }
    }

    /// Adds a claim of this process's part.
    mutating func add(_ line: ObservationLine, _ letter: StreamKey.KeyLetter, _ findings: inout FindingLines) throws {
        let (own, original) = line.observations(under: letter)
        var isWaiting = false
        if let own { isWaiting = try add(own, in: 0, &findings) }
        if let original, groups.count > 1, try add(original, in: 1, &findings) { isWaiting = true }
        if isWaiting { try findings.write(presented: line, letter, octets) }
    }

    private mutating func add(
        _ observation: Observation, in group: Int, _ findings: inout FindingLines
    ) throws -> Bool {
        let found = found[group]
        return try groups[group].take(
            observation,
            onMark: { index, severity in
                if let found = found[index] { try findings.write(Mark(found, severity), on: observation) }
            },
            onClaim: { finding in
                if try findings.add(finding) { try findings.mark(observation, finding.severity) }
            })
    }

    /// Writes the claims seen in the part.
    func write(to line: inout LineWriter) throws {
        try SeenPart(letter: letter, octets: octets, lines: lines, seen: groups.map { try $0.seen() }).write(to: &line)
    }

    /// Adds the claims seen in another part, or one of its claims with waiting marks.
    mutating func add(_ fields: inout RecordReader) throws {
        switch try SeenLine(letter, octets, &fields) {
        case .claim(let line):
            let (own, original) = line.observations(under: letter)
            if let own { try groups[0].add(presented: own) }
            if let original, groups.count > 1 { try groups[1].add(presented: original) }
        case .part(let part):
            lines += part.lines
            for (index, seen) in part.seen.enumerated() {
                do {
                    try groups[index].add(seen)
                } catch {
                    throw LineFault.malformed("it was seen with other rules")
                }
            }
        }
    }

    /// Evaluates the groups, after all parts were seen.
    mutating func finish(_ findings: inout FindingLines) throws {
        guard lines == whole else {
            throw LineFault.incomplete(
                "a group is the aggregate of \(whole.count) lines, and its parts have \(lines.count)"
                    + (lines.count == whole.count ? " others" : "") + ": give combine and reduce the same parts")
        }
        for index in groups.indices { try groups[index].finish(&findings) }
    }
}

/// A line with the claims seen in a part of a divided key.
enum SeenLine {
    case part(SeenPart)
    /// A claim whose marks depend on all parts.
    case claim(ObservationLine)

    init(_ letter: StreamKey.KeyLetter, _ octets: [UInt8], _ fields: inout RecordReader) throws {
        var isClaim = false
        try fields.bool(&isClaim)
        self =
            isClaim
            ? .claim(try ObservationLine(letter, octets.span, &fields)) : .part(try SeenPart(letter, octets, &fields))
    }

    static func write(
        _ claim: ObservationLine, _ letter: StreamKey.KeyLetter, _ octets: [UInt8], to line: inout LineWriter
    ) {
        var (claim, isClaim) = (claim, true)
        line.write(.seen(letter, octets)) {
            $0.bool(&isClaim)
            claim.code(&$0, letter, octets.span)
        }
    }
}

/// The claims of the findings about a divided key, in some of its parts, as a line.
struct SeenPart {
    let letter: StreamKey.KeyLetter
    let octets: [UInt8]
    /// The lines in which they were seen.
    private(set) var lines: LineCount
    /// The claims seen, one element per group under the key.
    private(set) var seen: [SeenClaims]

    init(letter: StreamKey.KeyLetter, octets: [UInt8], lines: LineCount, seen: [SeenClaims]) {
        self.letter = letter
        self.octets = octets
        self.lines = lines
        self.seen = seen
    }

    func write(to line: inout LineWriter) throws {
        var (isClaim, lines) = (false, lines)
        try line.write(.seen(letter, octets)) { record in
            record.bool(&isClaim)
            lines.code(&record)
            for group in seen { try record.json(group) }
        }
    }

    fileprivate init(_ letter: StreamKey.KeyLetter, _ octets: [UInt8], _ fields: inout RecordReader) throws {
        self.letter = letter
        self.octets = octets
        lines = LineCount()
        seen = []
        try lines.code(&fields)
        for _ in letter.kinds {
            seen.append(try fields.json())
        }
    }

    /// Adds the claims seen in other parts.
    mutating func add(_ other: SeenPart) throws(LineFault) {
        lines += other.lines
        for index in seen.indices where other.seen.indices.contains(index) {
            do {
                try seen[index].add(other.seen[index])
            } catch {
                throw .malformed("it was reduced under other rules")
            }
        }
    }
}
