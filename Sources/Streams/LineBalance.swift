import Engine
import Reports

/// The lines that one process wrote and read, as part of the summary.
struct LineTraffic: Codable {
    var written = LineCounts()
    /// Lines that exactly one process reads.
    var read = LineCounts()
    /// The lines of findings in rings, if the process joined claims with findings: every such process reads all of
    /// them.
    var notices: LineCount?
    /// The lines with the forms of accounts, if the process read lines that name accounts: every such process reads all
    /// of them.
    var accounts: LineCount?
    /// The part of the claims that was mapped, if `audit map` was given one.
    var part: MapPart?
    /// Whether claims were mapped without a part number.
    var isUnnumbered = false
}

/// The number of a part of the claims, from 1, and the number of parts.
package struct MapPart: Codable, Hashable, Sendable {
    package var number: Int
    package var count: Int

    /// The largest number of parts.
    package static let maxCount = 1_000_000

    /// - Returns: `nil` if it is not `K/N`, with K from 1 to N.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            case let part = MapPart(number: number, count: count), part.isPossible
        else { return nil }
        self = part
    }

    private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

    /// Whether such a part is possible. A line may contain any numbers.
    var isPossible: Bool { count <= Self.maxCount && number >= 1 && number <= count }
}

/// Compares the lines that all processes of a run wrote with those that they read.
///
/// A file that was omitted, truncated at the end of a line, given twice or changed makes a difference: in counts, in
/// sums of checksums, or in the numbers of parts.
struct LineBalance {
    private var written = LineCounts()
    private var read = LineCounts()
    /// The ring lines read by processes that joined claims. More than one distinct value is already an error.
    private var notices: [LineCount] = []
    /// The lines with the forms of accounts read by processes that need them. More than one distinct value is already
    /// an error.
    private var accounts: [LineCount] = []
    private var parts: Set<Int> = []
    private var partCount: Int?
    private var hasUnnumbered = false
    /// The first reason why parts do not fit together.
    private var fault: String?

    /// The kinds of lines that are read exactly once.
    private static let kinds: [(letter: UInt8, name: String)] = [
        (0x72, "receipts"), (0x74, "transactions"), (0x64, "devices"), (0x61, "accounts"),
        (0x62, "original purchases"), (0x6e, "nonces"), (0x70, "people"), (0x75, "UUIDs of accounts"),
        (0x6a, "findings that may be in rings"),
        (0x63, "claims"), (0x66, "findings"), (0x65, "entities"),
    ]

    mutating func add(_ traffic: LineTraffic) {
        written += traffic.written
        read += traffic.read
        if let found = traffic.notices, !notices.contains(found), notices.count < 2 { notices.append(found) }
        if let found = traffic.accounts, !accounts.contains(found), accounts.count < 2 { accounts.append(found) }
        if traffic.isUnnumbered { hasUnnumbered = true }
        guard let part = traffic.part else { return }
        guard part.isPossible else { return fault = fault ?? "a part is \(part.number) of \(part.count)" }
        if let count = partCount, count != part.count {
            fault = fault ?? "one part is of \(count), another of \(part.count) (audit map --part)"
        } else if !parts.insert(part.number).inserted {
            fault = fault ?? "part \(part.number) of \(part.count) is there twice (audit map --part)"
        }
        partCount = partCount ?? part.count
    }

    /// The rows of a table that were written.
    func rows(of table: String) -> LineCount { written[rowsOf: table] }

    /// Throws `LineFault` if lines are missing, duplicated or changed.
    func check() throws(LineFault) {
        if let fault { throw .incomplete(fault) }
        if let partCount {
            if hasUnnumbered {
                throw .incomplete("some claims were mapped with --part, others without: give it to every audit map")
            }
            guard parts.count == partCount else {
                let first = (1...partCount).first { !parts.contains($0) } ?? 0
                throw .incomplete(
                    "\(partCount - parts.count) of \(partCount) parts of the claims are missing, the first is part \(first)"
                )
            }
        }
        let again = "a file was left out, cut or given twice: run the steps again, each on all lines of its keys"
        for (letter, name) in Self.kinds where written[letter] != read[letter] {
            let (written, read) = (written[letter].count, read[letter].count)
            let key = String(UnicodeScalar(letter))
            throw .incomplete(
                written == read
                    ? "\(written) lines \(key)… (\(name)) were written and \(read) others read; \(again)"
                    : "\(written) lines \(key)… (\(name)) were written and \(read) read; \(again)")
        }
        let told = written[StreamKey.accountsLetter]
        guard accounts.allSatisfy({ $0 == told }) else {
            throw .incomplete(
                "\(told.count) lines # (forms of accounts) were written, and not every process that reads claims or "
                    + "findings read all of them; \(again)")
        }
        guard notices.allSatisfy({ $0 == written[0x30] }) else {
            throw .incomplete(
                "\(written[0x30].count) lines 0 (findings in rings) were written, and not every process that reads claims "
                    + "read all of them; \(again)")
        }
    }
}
