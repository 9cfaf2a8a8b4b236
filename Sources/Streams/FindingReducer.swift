import Checks
import Encodings
import Engine
import Files
import Inputs
import Proofs
import Reports
import Rules

/// A line under a finding's key.
enum FindingLine {
    /// A part of a finding.
    case part(MergedFinding)
    /// A link from the finding to a claim.
    case link(LinkRow)

    static func write(_ part: MergedFinding, to line: inout LineWriter) {
        var (part, isLink) = (part, false)
        line.write(.finding(part.id)) {
            $0.bool(&isLink)
            part.code(&$0)
        }
    }

    static func write(_ link: LinkRow, to line: inout LineWriter) {
        var (link, isLink) = (link, true)
        line.write(.finding(link.finding)) {
            $0.bool(&isLink)
            link.code(&$0)
        }
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        var isLink = false
        try fields.bool(&isLink)
        if isLink {
            var link = LinkRow()
            try link.code(&fields)
            self = .link(link)
        } else {
            var part = MergedFinding.unread
            try part.code(&fields)
            self = .part(part)
        }
    }
}

/// Merges all findings about one subject, finding by finding: rows of the tables `fraud` and `links`, and the parts of
/// entities.
struct FindingReducer {
    /// The number of bytes of one finding's links in memory.
    private static let linkBudget = 1 << 20

    /// The accounts that are none.
    var placeholders = AccountPlaceholders()
    private let rules: RuleSet
    private let asOf: Instant
    private let folder: String
    private var rows: TableLineWriter
    private(set) var tally = FindingTally()
    private var id = FindingID.none
    private var found: MergedFinding?
    private var links: LinkSorter?
    private var isInWave = false
    private var entities = EntityParts()

    init(_ settings: StreamSettings, folder: String) {
        rules = settings.rules
        asOf = settings.expectations.asOf
        self.folder = folder
        rows = TableLineWriter(withCSV: settings.withCSV)
    }

    mutating func begin(_ id: FindingID) { (self.id, found, links, isInWave) = (id, nil, nil, false) }

    mutating func add(_ fields: inout RecordReader) throws {
        switch try FindingLine(&fields) {
        case .part(var part):
            guard part.id == id else { throw LineFault.malformed("its finding differs from its key") }
            part.remove(placeholders)
            if found == nil { found = part } else { found?.add(part) }
        case .link(var link):
            guard link.finding == id else { throw LineFault.malformed("its finding differs from its key") }
            link.facts.remove(placeholders)
            let sorter = links ?? LinkSorter(Storage(memory: Self.linkBudget, folder: folder))
            links = sorter
            if link.isInWave { isInWave = true }
            try sorter.add(link)
        }
    }

    /// Ends the finding, and writes its row, its links, and the parts of entities. A large finding has many links: each
    /// full piece is passed on at once.
    mutating func finish(_ output: inout LineWriter, write: (Span<UInt8>) throws -> Void) throws {
        guard var found else { throw LineFault.malformed("the lines of a finding before it lack the finding") }
        guard !rules.isAllowed(found.finding, id: id) else {
            return tally.countAllowed(found.finding, id: id, by: rules)
        }
        if isInWave { found.lowerInWave() }
        tally.count(found.finding)
        rows.write(ComparedFinding(found.row(rules), firstSeen: asOf), of: FraudTable.self, to: &output)
        entities.begin(FindingFacts(found))
        try links?.forEach { link in
            rows.write(link, of: LinksTable.self, to: &output)
            entities.add(link) { EntityReducer.write($1, of: $0, to: &output) }
            guard output.bytes.count >= ReduceStream.pieceSize else { return }
            let bytes = output.bytes
            try write(bytes.span)
            output.bytes.removeAll(keepingCapacity: true)
        }
    }
}

/// A line of what must be brought together before claims are joined with findings.
enum JoiningLine {
    /// A part of a finding that may be part of a ring.
    case part(MergedFinding)
    /// The claims that may be part of waves.
    case waves(WaveTally)

    static func write(_ part: MergedFinding, to line: inout LineWriter) {
        var (part, isWaves) = (part, false)
        line.write(.joining) {
            $0.bool(&isWaves)
            part.code(&$0)
        }
    }

    static func write(_ waves: WaveTally, to line: inout LineWriter) throws {
        var isWaves = true
        try line.write(.joining) {
            $0.bool(&isWaves)
            try $0.json(waves)
        }
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        var isWaves = false
        try fields.bool(&isWaves)
        if isWaves {
            self = .waves(try fields.json())
        } else {
            var part = MergedFinding.unread
            try part.code(&fields)
            self = .part(part)
        }
    }
}

/// Joins findings to rings and finds waves, in bounded memory.
struct RingReducer {
    private let identities: IdentityHasher
    private var rings: Rings
    private var waves = WaveTally()

    init(_ settings: StreamSettings) throws(OpenSSLError) {
        identities = try IdentityHasher()
        rings = Rings(settings.rules)
    }

    mutating func add(_ fields: inout RecordReader) throws(RecordError) {
        switch try JoiningLine(&fields) {
        case .part(let part): rings.add(part)
        case .waves(let waves): self.waves += waves
        }
    }

    /// Ends the search, and writes the rings, their members, and the waves.
    mutating func finish(_ output: inout LineWriter) throws {
        let write = { (ring: MergedFinding, output: inout LineWriter) in FindingLine.write(ring, to: &output) }
        let members = rings.find(
            identities, onRing: { write($0, &output) },
            // It is counted together with the other findings.
            onAllowed: { write($0, &output) })
        if let failure = identities.failure { throw failure }
        for member in members { FindingNotice.member(member.finding, of: member.ring).write(to: &output) }
        for (wave, _) in waves.waves { FindingNotice.wave(wave.number).write(to: &output) }
    }
}
