import Checks
import Encodings
import Engine
import Inputs
import Rules

/// A claim as shown on a page. Untrusted text is truncated, and its control characters are shown.
struct PageClaim {
    var source = ""
    var verdict = ""
    var failedChecks = ""
    /// The highest severity; empty without findings.
    var risk = ""
    var rules = ""
    var device = ""
    var account = ""
    var app = ""
    var presentedAt = ""
    var id = ""

    private static let fields = [
        \PageClaim.source, \.verdict, \.failedChecks, \.risk, \.rules, \.device, \.account, \.app, \.presentedAt, \.id,
    ]

    /// Reads a line of ``encoder``.
    init(line: [UInt8]) {
        let cells = line.split(separator: Self.tab, omittingEmptySubsequences: false)
        for (field, cell) in zip(Self.fields, cells) { self[keyPath: field] = String(decoding: cell, as: UTF8.self) }
    }

    private static let tab = UInt8(ascii: "\t")
    private static let maxLength = 200

    /// Writes a line for each claim: its fields, which contain no controls, each followed by a tab.
    static let encoder = RowEncoder(
        emptyLength: 2,
        encode: { facts, bytes in
            let claim = facts.claim
            write(claim.source, to: &bytes)
            write(code: facts.verdict.rawValue, to: &bytes)
            write(code: facts.failed.description, to: &bytes)
            let cells = bytes.count
            bytes += [tab, tab]
            write(claim.deviceID, to: &bytes)
            write(claim.canonicalAccountID, to: &bytes)
            write(facts.bundleID ?? claim.bundleID, to: &bytes)
            write(code: facts.presentedAt?.description ?? "", to: &bytes)
            write(code: facts.id.description, to: &bytes)
            bytes.append(0x0a)
            return cells
        },
        fill: { risk, rules, bytes in
            write(code: risk.code, to: &bytes)
            write(code: rules, to: &bytes)
        })

    private static func write(_ text: ExactText, to bytes: inout [UInt8]) {
        write(code: text.isEmpty ? "" : TextLayout.safe(text, limit: maxLength), to: &bytes)
    }

    private static func write(code: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: code.utf8)
        bytes.append(tab)
    }
}

/// Counts the claims of a run, and keeps the worst.
struct PageClaims {
    /// The maximum number of kept claims, and the minimum number for each rule and each check.
    static let maxShown = 1000
    private static let share = 5

    private(set) var counts: ClaimCounts
    private var kept: [Int: [Line]] = [:]
    private var shares: [ArraySlice<UInt8>: [Line]] = [:]

    private struct Line {
        let rank: Int
        let order: Int
        let bytes: [UInt8]

        func isBefore(_ other: Line) -> Bool { (-rank, order) < (-other.rank, other.order) }
    }

    init(asOf: Instant) { counts = ClaimCounts(asOf: asOf) }

    /// Adds lines of ``PageClaim/encoder``, in the order of claims.
    mutating func add(_ lines: Span<UInt8>) {
        var line: [UInt8] = []
        for index in lines.indices {
            let byte = lines[index]
            guard byte == 0x0a else {
                line.append(byte)
                continue
            }
            add(line)
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        let cells = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard cells.count > 9 else { return }
        let (verdict, risk) = (cells[1].first, cells[3])
        let order = counts.classes.total
        let found: Verdict =
            switch verdict {
            case UInt8(ascii: "v"): .valid
            case UInt8(ascii: "i"): .invalid
            default: .unreadable
            }
        let presented = cells[8].count == 20 ? String(decoding: cells[8], as: UTF8.self) : ""
        counts.add(
            found, hasFindings: !risk.isEmpty, presentedAt: presented, app: String(decoding: cells[7], as: UTF8.self))
        guard found != .valid || !risk.isEmpty else { return }
        let severity = Severity.allCases.first { $0.code.utf8.elementsEqual(risk) }.map { Int($0.rawValue) + 1 } ?? 0
        let failure = found == .invalid ? 2 : found == .unreadable ? 1 : 0
        let line = Line(rank: severity * 3 + failure, order: order, bytes: bytes)
        if kept[line.rank, default: []].count < Self.maxShown { kept[line.rank, default: []].append(line) }
        for cell in [cells[2], cells[4]] {
            for name in cell.split(separator: UInt8(ascii: ";")) { keep(line, for: name) }
        }
    }

    /// Keeps the worst claims of a rule or check. Their names are our own.
    private mutating func keep(_ line: Line, for name: ArraySlice<UInt8>) {
        var lines = shares[name] ?? []
        if let last = lines.last, lines.count == Self.share, !line.isBefore(last) { return }
        if lines.count == Self.share { lines.removeLast() }
        lines.insert(line, at: lines.firstIndex { line.isBefore($0) } ?? lines.count)
        shares[name] = lines
    }

    /// Returns the worst claims with findings or failures, in claim order.
    func shown(max: Int = maxShown) -> [PageClaim] {
        let shared = shares.values.joined().reduce(into: [Int: Line]()) { $0[$1.order] = $1 }
        let worst = kept.sorted { $0.key > $1.key }.lazy.flatMap(\.value).filter { shared[$0.order] == nil }
        let lines = Array(shared.values) + worst.prefix(Swift.max(0, max - shared.count))
        return lines.sorted { $0.isBefore($1) }.map { PageClaim(line: $0.bytes) }
    }
}
