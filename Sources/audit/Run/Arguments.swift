public import ArgumentParser
public import Encodings
public import Engine
import Files
import FoundationEssentials
public import Inputs
import Reports
public import Rules

/// One `--report [TABLE=]FILE`.
struct ReportTarget: ExpressibleByArgument {
    /// The table as written; empty for the default.
    let table: String
    var file: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, Self.looksLikeTable(parts[0]) {
            table = parts[0]
            file = parts[1]
        } else {
            table = ""
            file = argument
        }
        guard !file.isEmpty else { return nil }
    }

    /// Whether it is `-`, or `-.json` for a format other than CSV.
    var isStandardOutput: Bool { file == "-" || file.hasPrefix("-.") && ReportFormat(path: file) != nil }

    /// Whether the text before a `=` looks like a table: a file name usually has more than letters there.
    private static func looksLikeTable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7a ~= $0 | 0x20 || $0 == 0x2d || $0 == 0x5f }
    }

    /// The argument as messages show it: `[TABLE=]FILE`.
    private var written: String { TerminalText.escaped(table.isEmpty ? file : table + "=" + file) }

    /// The reason why this report cannot be written, with the option.
    var problem: String? { reason.map { "--report \(written): \($0)." } }

    /// The reason why this report cannot be written.
    var reason: String? {
        guard ReportFormat(path: file) != nil else {
            let known = ReportFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
            return "the extension names the format; known are \(known)"
        }
        if let unknownWord { return "{\(unknownWord)} is not known; use {date} and {time}, those of --as-of" }
        guard ReportRequest.Table(rawValue: table) != nil || table.isEmpty else {
            let known = ReportRequest.Table.allCases.map(\.rawValue).joined(separator: ", ")
            return "there is no table \(table), only \(known); for a file of that name write ./\(written)"
        }
        if let format = ReportFormat(path: file), let named = ReportRequest.Table(rawValue: table), !format.holds(named)
        {
            let known = ReportFormat.allCases.filter { $0.holds(named) }.map { "." + $0.rawValue }
            return "the table \(table) is written as \(known.joined(separator: ", "))"
        }
        return nil
    }

    /// What may be meant instead: the file has the name of a table, and no table is named.
    var doubt: String? {
        let name = String(PathParts(file).name.prefix { $0 != "." })
        guard table.isEmpty, let format = ReportFormat(path: file), let meant = ReportRequest.Table(rawValue: name),
            format.holds(meant), let standard = format.defaultTable, standard != meant
        else { return nil }
        return
            "--report \(written) writes the table \(standard.rawValue); for the table \(name): --report \(name)=\(written)"
    }

    /// The first word in braces that is not replaced.
    private var unknownWord: String? {
        let words = file.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
        return words.first { word in
            word != "date" && word != "time" && !word.isEmpty
                && word.allSatisfy { $0.isASCII && ($0.isLetter || "-_".contains($0)) }
        }
    }

    /// The request, with a date for `{date}` and a time for `{time}`; `nil` if there is a ``problem``.
    func request(date: String, time: String) -> ReportRequest? {
        guard problem == nil, let format = ReportFormat(path: file) else { return nil }
        return ReportRequest(
            ReportRequest.Table(rawValue: table), format,
            path: isStandardOutput ? "-" : file.replacing("{date}", with: date).replacing("{time}", with: time))
    }
}

/// `--metrics FILE`.
struct MetricsFile: ExpressibleByArgument {
    var path: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = argument
    }

    /// The reason why metrics cannot be written there.
    var reason: String? {
        path.lowercased().hasSuffix(".json")
            ? "metrics are text for Prometheus, .prom; for JSON use the report summary=FILE.json" : nil
    }
}

/// `--report-mode MODE`: the permissions of reports, in octal digits as for chmod(1).
struct ReportMode: ExpressibleByArgument {
    let bits: UInt32

    init?(argument: String) {
        let digits = argument.hasPrefix("0o") ? String(argument.dropFirst(2)) : argument
        guard (3...4).contains(digits.utf8.count), let bits = UInt32(digits, radix: 8) else { return nil }
        // The owner must be able to replace it, nobody may execute it, and only owner and group may write it.
        guard bits & 0o600 == 0o600, bits & ~0o664 == 0 else { return nil }
        self.bits = bits
    }

    static let meaning = "0600, 0640, 0644, 0660 or 0664"
}

/// A number of bytes: `64M`, `2G`, `500000`.
struct MemorySize: ExpressibleByArgument {
    let bytes: Int

    static let meaning = "a size from 1K to 64T, such as 500M or 2G"
    private static let range = 1 << 10...64 << 40

    /// Reads an option, and throws an error with the expected form if it is malformed.
    static func parse(_ argument: String) throws -> MemorySize {
        guard let size = MemorySize(argument: argument) else { throw ValidationError("must be \(meaning).") }
        return size
    }

    init?(argument: String) {
        let units: [(suffix: String, factor: Int)] = [
            ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40),
        ]
        let text = argument.uppercased()
        let unit = units.first {
            text.hasSuffix($0.suffix) || text.hasSuffix($0.suffix + "B") || text.hasSuffix($0.suffix + "IB")
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = text[digits.endIndex...]
        guard let number = Int(digits), unit != nil || rest.isEmpty || rest == "B",
            unit.map({ [$0.suffix, $0.suffix + "B", $0.suffix + "IB"].contains(String(rest)) }) ?? true
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.factor ?? 1)
        guard !overflow, Self.range.contains(bytes) else { return nil }
        self.bytes = bytes
    }

    /// A quarter of the memory available to this process: the machine's, or less if its control groups or limits
    /// require it.
    static var standard: Int {
        var memory = Int(min(ProcessInfo.processInfo.physicalMemory, UInt64(Int.max)))
        if let limit = ControlGroup().memoryLimit { memory = min(memory, limit) }
        if let limit = SystemLimits.freeAddressSpace { memory = min(memory, Int(clamping: limit)) }
        return memory / 4
    }
}

/// The number of threads that check receipts, in `--workers` and in a job file.
enum WorkerCount {
    /// The range for messages: `from 1 to 128`.
    static let text =
        "from \(OrderedPipeline.workerRange.lowerBound) to \(OrderedPipeline.workerRange.upperBound)"

    static func validate(_ workers: Int) throws {
        guard OrderedPipeline.workerRange.contains(workers) else {
            throw ValidationError("--workers must be \(text).")
        }
    }
}

/// The format of a run's log on standard error.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    /// Lines for people.
    case text
    /// One JSON object per line.
    case json
}

extension Disposition: ExpressibleByArgument {}

extension InputFormat: ExpressibleByArgument {}

extension Severity: ExpressibleByArgument {
    public init?(argument: String) { self.init(code: ExactText(argument).lowercasedASCII) }

    public static var allValueStrings: [String] { allCases.map(\.code) }
}

extension Instant: ExpressibleByArgument {
    /// Reads `2026-06-30T12:00:00Z`, any other RFC 3339 time, or `2026-06-30`: midnight in UTC.
    public init?(argument: String) {
        let text = argument.utf8.count == 10 ? argument + "T00:00:00Z" : argument
        guard let instant = Instant(rfc3339: text) else { return nil }
        self = instant.wholeSeconds
    }

    /// The last full second.
    var wholeSeconds: Instant {
        let rest = milliseconds % 1000
        return Instant(milliseconds: milliseconds - (rest < 0 ? rest + 1000 : rest))
    }
}
