import Checks
import Engine
import Files
package import Inputs
import Rules

/// Sums up parts of groups, as a filter. It reads lines, with those of one key together, and writes a line for each
/// key, and at the end the counts of lines read and written, for the summary.
///
/// It is for keys that very many claims share, so that no process has to evaluate them alone. A sum does not grow with
/// the number of claims, and sums can be summed up. It passes on those claims of the first presenter whose marks wait
/// for the total.
package struct CombineStream {
    private let settings: StreamSettings
    private var key = StreamKey.summary
    private var keyText: [UInt8] = []
    private var state = State.none
    private var output = LineWriter()
    private var traffic = LineTraffic()
    /// The forms of the accounts of all claims, and the lines that they came in.
    private var accounts = AccountForms()
    private var accountLines = LineCount()

    private enum State {
        case none
        case sum(KeySum)
        case seen(SeenPart)
    }

    package init(_ settings: StreamSettings) { self.settings = settings }

    /// Processes all lines.
    ///
    /// - Throws: ``StreamError``, or the errors of `write`.
    package mutating func run(
        _ lines: inout InputLines, isStopped: () -> Bool, write: (Span<UInt8>) throws -> Void
    ) throws {
        while try lines.next() {
            do {
                try add(lines.line)
            } catch let fault as LineFault {
                throw fault.error(at: lines.number)
            }
            if output.bytes.count >= ReduceStream.pieceSize { try flush(write) }
            if lines.number & 0xfff == 0, isStopped() { throw Interrupted() }
        }
        try finish()
        traffic.written = output.counts
        var part = SummaryPart(settings: settings.fingerprint)
        part.lines = traffic
        try part.write(to: &output)
        try flush(write)
    }

    private mutating func flush(_ write: (Span<UInt8>) throws -> Void) throws {
        let bytes = output.bytes
        try write(bytes.span)
        output.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ text: Span<UInt8>) throws {
        if text.count == 0 { return }
        let line = try Line(text)
        if !line.key.isSame(as: keyText) {
            try finish()
            key = try StreamKey(line.key)
            keyText.removeAll(keepingCapacity: true)
            keyText.append(copying: line.key)
        }
        if key == .summary { return output.copy(text) }
        let checksum = try line.read { fields in
            switch key {
            case .group(let letter, let octets):
                var sum = takeSum(letter, octets)
                let line = try ObservationLine(letter, octets.span, &fields, without: accounts.placeholders)
                if let line { sum.add(line) }
                state = .sum(sum)
            case .sum(let letter, let octets):
                var sum = takeSum(letter, octets)
                try sum.add(&fields)
                state = .sum(sum)
            case .seen(let letter, let octets):
                switch try SeenLine(letter, octets, &fields) {
                case .part(var seen):
                    if case .seen(let before) = state { try seen.add(before) }
                    state = .seen(seen)
                // Waiting claims are passed on.
                case .claim(let claim): SeenLine.write(claim, letter, octets, to: &output)
                }
            case .accounts:
                var part = AccountForms()
                try part.code(&fields)
                accounts += part
            case .claim, .finding, .entity, .joining, .notices, .summary:
                throw LineFault.malformed("only groups of claims can be combined")
            }
        }
        switch key {
        case .accounts: accountLines.add(checksum)
        case .group(let letter, let octets):
            traffic.accounts = accountLines
            traffic.combined.add(checksum)
            var sum = takeSum(letter, octets)
            sum.lines.add(checksum)
            state = .sum(sum)
        case .seen: traffic.read.add(keyText[0], checksum)
        default: break
        }
    }

    /// Moves the sum so far out of storage, so that it has one owner.
    private mutating func takeSum(_ letter: StreamKey.KeyLetter, _ octets: [UInt8]) -> KeySum {
        guard case .sum(let sum) = state else {
            return KeySum(settings.rules, letter, octets, asOf: settings.expectations.asOf)
        }
        state = .none
        return sum
    }

    private mutating func finish() throws {
        switch state {
        case .sum(let sum): try sum.write(to: &output)
        case .seen(let seen): try seen.write(to: &output)
        case .none: break
        }
        state = .none
    }
}
