package import Encodings
package import Engine
import Files
package import Inputs
package import Reports
import Rules
import Subscriptions

/// The second half of a run as a filter: lines in, grouped by their keys; rows out, and lines for the next step.
///
/// The keys decide what is done, so that one filter serves all steps. Memory does not grow with the size of a group.
package struct ReduceStream {
    private let settings: StreamSettings
    private let run: RunDescription
    private var groups: GroupReducer
    private var claims: ClaimReducer
    private var rings: RingReducer
    private var findings: FindingReducer
    private var entities: EntityReducer
    private var summary: SummaryReducer
    private var key: StreamKey?
    private var keyText: [UInt8] = []
    private var output = LineWriter()
    private var hasSummary = false
    private var traffic = LineTraffic()
    /// Lines of findings in rings.
    private var notices = LineCount()
    private var readsClaims = false
    /// The forms of the accounts of all claims, the lines that they came in, and whether other lines name accounts.
    private var accounts = AccountForms()
    private var accountLines = LineCount()
    private var readsAccounts = false

    /// The counts of all claims, if the lines were those of the summary.
    package var countedClaims: Tally? { hasSummary ? summary.tally : nil }

    /// The members and values of tokens that this version does not know, if the lines were those of the summary.
    package var unknown: UnknownTally { summary.unknown }

    /// The accounts that are written in more than one way, if the lines were those of the summary.
    package var spellings: AccountSpellings { summary.spellings }

    /// The omissions of inputs, if the lines were those of the summary.
    package var omissions: Omissions { summary.omissions }

    /// The counts of each input by its number, if the lines were those of the summary.
    package var countedInputs: [Int: InputTally] { summary.inputs }

    /// How much of the evidence counts, if the lines were those of the summary.
    package var countedEvidence: EvidenceOutcome { summary.evidenceOutcome }
    /// The apps whose evidence counts; `nil` if the policy decides that.
    package var namedApps: Set<ExactText>? { summary.namedApps }

    /// The number of bytes per write.
    static let pieceSize = 64 << 10

    /// - Parameters:
    ///   - run: the description of the run for the summary.
    ///   - folder: the folder for groups that do not fit in memory.
    package init(_ settings: StreamSettings, _ run: RunDescription, folder: String) throws {
        self.settings = settings
        self.run = run
        groups = try GroupReducer(settings, folder: folder)
        claims = ClaimReducer(settings)
        rings = try RingReducer(settings)
        findings = FindingReducer(settings, folder: folder)
        entities = EntityReducer(settings, folder: folder)
        summary = SummaryReducer(settings)
    }

    /// Processes all lines.
    ///
    /// - Throws: ``StreamError``, the errors of `write`, or `FileError` if a temporary file cannot be written.
    package mutating func run(
        _ lines: inout InputLines, isStopped: () -> Bool, write: (Span<UInt8>) throws -> Void
    ) throws {
        try withoutActuallyEscaping(write) { write in
            while try lines.next() {
                let line = lines.line
                try Self.naming(lines.number) { try add(line, write) }
                if output.bytes.count >= Self.pieceSize { try flush(write) }
                if lines.number & 0xfff == 0, isStopped() { throw Interrupted() }
            }
            try Self.naming(lines.number) { try finishGroup(write) }
            try Self.naming(lines.number) { try finish() }
            try flush(write)
        }
    }

    /// Adds the line number to an error.
    private static func naming(_ line: Int, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let fault as LineFault {
            throw fault.error(at: line)
        }
    }

    private mutating func flush(_ write: (Span<UInt8>) throws -> Void) throws {
        let bytes = output.bytes
        try write(bytes.span)
        output.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ text: Span<UInt8>, _ write: @escaping (Span<UInt8>) throws -> Void) throws {
        if text.count == 0 { return }
        let line = try Line(text)
        if key == nil || !line.key.isSame(as: keyText) {
            // A key that reappears would form a second group, and both would be incomplete.
            guard key == nil || keyText.span.precedes(line.key) else {
                throw LineFault.malformed("its key sorts before the one above it: sort lines by key (LC_ALL=C sort)")
            }
            try finishGroup(write)
            keyText.removeAll(keepingCapacity: true)
            keyText.append(copying: line.key)
            begin(try StreamKey(line.key))
        }
        let checksum = try line.read { fields in
            switch key {
            case .accounts: accounts += try fields.json()
            case .group: try groups.add(&fields)
            case .claim: try claims.add(&fields)
            case .joining: try rings.add(&fields)
            case .finding: try findings.add(&fields)
            case .entity: try entities.add(&fields)
            case .notices: try claims.add(notice: &fields)
            case .summary: try summary.add(&fields)
            case nil: break
            }
        }
        count(checksum)
    }

    /// Counts the last line read.
    private mutating func count(_ checksum: UInt32) {
        switch key {
        case .accounts: accountLines.add(checksum)
        case .claim:
            readsClaims = true
            traffic.read.add(keyText[0], checksum)
        case .group, .joining, .finding, .entity: traffic.read.add(keyText[0], checksum)
        case .notices: notices.add(checksum)
        case .summary, nil: break
        }
    }

    private mutating func begin(_ key: StreamKey) {
        if self.key == .accounts {
            let placeholders = accounts.placeholders
            groups.placeholders = placeholders
            claims.placeholders = placeholders
            findings.placeholders = placeholders
        }
        self.key = key
        switch key {
        case .group, .claim, .finding: readsAccounts = true
        case .accounts, .notices, .entity, .joining, .summary: break
        }
        switch key {
        case .group(let letter, let octets): groups.begin(letter, octets)
        case .claim(let place): claims.begin(place)
        case .finding(let id): findings.begin(id)
        case .entity(let entity): entities.begin(entity)
        case .summary: hasSummary = true
        case .joining, .notices, .accounts: break
        }
    }

    private mutating func finishGroup(_ write: @escaping (Span<UInt8>) throws -> Void) throws {
        switch key {
        case .group: try groups.finish(&output, write: write)
        case .claim: try claims.finish(&output)
        case .finding: try findings.finish(&output, write: write)
        case .entity: try entities.finish(&output)
        case .joining: try rings.finish(&output)
        case .accounts, .notices, .summary, nil: break
        }
    }

    /// Writes the summary, if its parts were here; otherwise the counts, for the step that has them.
    private mutating func finish() throws {
        traffic.written = output.counts
        if readsClaims { traffic.notices = notices }
        if readsAccounts { traffic.accounts = accountLines }
        if hasSummary {
            summary.add(traffic)
            return try summary.finish(run, &output)
        }
        var part = SummaryPart(settings: settings.fingerprint)
        part.findings = findings.tally
        part.figures = groups.figures.content
        part.lines = traffic
        try part.write(to: &output)
    }
}
