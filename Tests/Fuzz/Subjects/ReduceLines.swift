import Checks
import Engine
import Reports
import Rules

@testable import Inputs
@testable import Streams

/// The lines between `audit map` and the tables: what `audit reduce` and `audit rows` read.
struct ReduceLinesSubject: Subject {
    private let settings: StreamSettings

    init() throws { settings = Settings.stream(try Settings.trust()) }

    func read(_ given: [UInt8]) {
        let bytes = sealed(given)
        let reduced = ReduceLines.reduced(bytes, settings)
        let pieces = ReduceLines.reduced(bytes, settings, inPiecesOf: 40)
        demand(isSame(pieces, reduced), "in pieces it is \(text(pieces)), not \(text(reduced))")
        for line in bytes.split(separator: 0x0a) { rewrite(Array(line)) }
        for table in ReportRequest.Table.allCases where ReportFormat.csv.holds(table) {
            makeTable(table.rawValue, of: reduced ?? bytes)
        }
    }

    /// Gives each line the checksum that it must have: else no change of a line would ever be read.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { line -> [UInt8] in
            guard let tab = line.firstIndex(of: 0x09),
                let octets = try? Base64Text.octets(of: Array(line[(tab + 1)...]).span),
                octets.count >= LineChecksum.size
            else { return Array(line) }
            let record = Array(octets.dropLast(LineChecksum.size))
            let checksum = LineChecksum.of(Array(line[..<tab]).span, record.span)
            let whole = record + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
            var text = Array(line[...tab])
            Base64Text.append(whole.span, to: &text)
            return text
        }
        return Array(lines.joined(separator: [0x0a]))
    }

    /// A line that is accepted is written as one that says the same.
    private func rewrite(_ line: [UInt8]) {
        guard let once = rewritten(line) else { return }
        guard let twice = rewritten(once) else { return demand(false, "a line is written that is refused") }
        demand(once == twice, "a line changes when it is written again")
    }

    private func rewritten(_ line: [UInt8]) -> [UInt8]? {
        var writer = LineWriter()
        var isWritten = true
        do {
            let text = try Line(line.span)
            let key = try StreamKey(text.key)
            try text.read { fields in
                switch key {
                case .group(let letter, let octets):
                    var observation = try ObservationLine(letter, octets.span, &fields)
                    observation.write(letter, octets.span, to: &writer)
                case .joining:
                    switch try JoiningLine(&fields) {
                    case .part(let part): JoiningLine.write(part, to: &writer)
                    case .waves(let waves): try JoiningLine.write(waves, to: &writer)
                    }
                case .notices: try FindingNotice(&fields).write(to: &writer)
                case .finding:
                    switch try FindingLine(&fields) {
                    case .part(let part): FindingLine.write(part, to: &writer)
                    case .link(let link): FindingLine.write(link, to: &writer)
                    }
                case .accounts, .claim, .entity, .summary:
                    var bytes: [UInt8] = []
                    key.append(to: &bytes)
                    demand((try? StreamKey(bytes.span)) == key, "a key changes when it is written again")
                    isWritten = false
                }
            }
        } catch {
            return nil
        }
        return isWritten ? writer.bytes.dropLast() : nil
    }

    private func makeTable(_ table: String, of bytes: [UInt8]) {
        guard let rows = RowsToCSV(table, Storage(memory: 1 << 20, folder: "/tmp")) else {
            return demand(false, "no table \(table)")
        }
        guard let written = ReduceLines.output(of: bytes, { try rows.run(&$0, write: $1) }) else { return }
        demand(CSVRows.read(written) != nil, "a table that is no CSV")
    }

    /// Whether two texts are the same, but for the order of what is in them: tables are written as they are held.
    private func isSame(_ a: [UInt8]?, _ b: [UInt8]?) -> Bool { a?.sorted() == b?.sorted() }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
}

/// The filters over lines, on bytes in memory.
enum ReduceLines {
    /// What `audit reduce` writes; `nil` if it refuses a line.
    static func reduced(_ bytes: [UInt8], _ settings: StreamSettings, inPiecesOf size: Int = .max) -> [UInt8]? {
        guard var stream = try? ReduceStream(settings, Settings.run, folder: "/tmp") else {
            demand(false, "nothing can be hashed")
            return nil
        }
        return output(of: bytes, inPiecesOf: size) { try stream.run(&$0, isStopped: { false }, write: $1) }
    }

    static func output(
        of bytes: [UInt8], inPiecesOf size: Int = .max,
        _ filter: (inout InputLines, (Span<UInt8>) throws -> Void) throws -> Void
    ) -> [UInt8]? {
        var lines = InputLines(Pieces(bytes, size))
        var written: [UInt8] = []
        do {
            try filter(&lines) { bytes in for index in bytes.indices { written.append(bytes[index]) } }
        } catch is StreamError {
            return nil
        } catch {
            demand(false, "\(error)")
        }
        return written
    }

    /// Whether the lines that `audit map` wrote are reduced, once they are sorted as an engine does; rows are passed by.
    static func isReduced(_ mapped: [UInt8], _ settings: StreamSettings) -> Bool {
        var lines = mapped.split(separator: 0x0a).filter { $0.first != UInt8(ascii: "{") }
        lines.sort { $0.lexicographicallyPrecedes($1) }
        return reduced(lines.flatMap { $0 + [0x0a] }, settings) != nil
    }
}

extension LineEmitter {
    /// Writes all lines of a claim, as a worker of `audit map` does.
    func emit(_ facts: Facts, by rules: RuleSet) {
        let number = number(of: facts, at: 0)
        rules.evaluate(facts) { emit($0, onClaim: number) }
        emit(facts, claim: number)
        emit(ClaimObservations(facts, claim: number))
    }
}
