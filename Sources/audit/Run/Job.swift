import ArgumentParser
import Encodings
import Engine
import Files
import Inputs
import Proofs
import Rules
import Subscriptions
import YAML

/// The settings of a job file, which the command line overrides.
struct Job {
    var inputs: [GivenPath] = []
    var evidence: [GivenPath] = []
    var sales: GivenPath?
    var maxMissing: Double?
    var devices: GivenPath?
    var columns: [String] = []
    var null: String?
    var format: InputFormat?
    var minClaims: Int?
    var maxUnreadable: Double?
    var minDevices: Double?
    var unclaimedAfter: Int?
    var unclaimedEnded: Bool?
    var allowEmpty: Bool?
    var requireManifest: Bool?
    var roots: [GivenPath] = []
    var policy: GivenPath?
    var reports: [ReportTarget] = []
    /// Whether CSV reports start with a byte-order mark.
    var excel: Bool?
    var reportMode: ReportMode?
    var baseline: GivenPath?
    var asOf: Instant?
    var failOn: Severity?
    var failOnKnown: Bool?
    var workers: Int?
    var memory: MemorySize?
    var metrics: MetricsFile?
    var pseudonymise: GivenPath?
    var state: GivenPath?
    /// The night that is accepted, even if it is doubtful.
    var accept: Instant?
    var logFormat: LogFormat?

    /// The maximum size of a job file: 1 MiB.
    static let limit = 1 << 20

    /// Reads a job file.
    ///
    /// - Parameters:
    ///   - name: the path of the file as written, for messages; paths in the file are relative to its folder.
    ///   - environment: returns the value of a variable `${NAME}`.
    static func read(
        bytes: [UInt8], name: String, environment: @escaping (String) -> String?
    ) throws(YAMLFileError) -> Job {
        try JobReader.read(bytes: bytes, name: name, limit: limit) { reader, root in
            reader.environment = environment
            reader.folder = PathParts(name).folder
            return reader.job(root)
        }
    }
}

/// Reads a job from a document. Values are read as on the command line.
struct JobReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []
    /// Returns the value of a variable `${NAME}`.
    var environment: (String) -> String? = { _ in nil }
    /// The folder to which paths are relative; empty for the current one.
    var folder = ""

    static let keys: [ExactText] = [
        "version", "inputs", "evidence", "sales", "max-missing", "devices", "columns", "null", "format", "min-claims",
        "max-unreadable",
        "min-devices", "unclaimed-after", "unclaimed-ended", "allow-empty", "require-manifest", "roots", "policy",
        "state",
        "reports", "excel",
        "report-mode", "baseline", "as-of",
        "fail-on",
        "fail-on-known", "workers", "memory", "metrics", "accept", "pseudonymise", "log-format",
    ]

    /// Reads the whole document.
    mutating func job(_ root: YAMLValue) -> Job {
        var job = Job()
        for entry in table(root, "a job", keys: Self.keys) { read(entry.key, entry.value, into: &job) }
        return job
    }

    private mutating func read(_ key: ExactText, _ value: YAMLValue, into job: inout Job) {
        let name = key.text
        switch key {
        case "version": checkVersion(value)
        case "inputs": job.inputs = paths(value, name)
        case "evidence": job.evidence = paths(value, name)
        case "sales": job.sales = path(value, name)
        case "max-missing": job.maxMissing = argument(value, name, "a share from 0 to 1") { (0...1).contains($0) }
        case "devices": job.devices = path(value, name)
        case "columns": job.columns = columns(value)
        case "null": job.null = words(value, name, "the text of an empty cell, in quotes")
        case "format": job.format = argument(value, name, "csv, tsv, ndjson, json or proof")
        case "min-claims": job.minClaims = argument(value, name, "a whole number from 0") { $0 >= 0 }
        case "max-unreadable":
            job.maxUnreadable = argument(value, name, "a share from 0 to 1") { (0...1).contains($0) }
        case "min-devices":
            job.minDevices = argument(value, name, "a share from 0 to 1") { (0...1).contains($0) }
        case "unclaimed-after":
            job.unclaimedAfter = argument(value, name, "a whole number of days, at most 3650") {
                UnclaimedTerms.allDays.contains($0)
            }
        case "unclaimed-ended": job.unclaimedEnded = truth(value, name)
        case "require-manifest": job.requireManifest = truth(value, name)
        case "allow-empty": job.allowEmpty = truth(value, name)
        case "roots": job.roots = paths(value, name)
        case "policy": job.policy = path(value, name)
        case "state": job.state = path(value, name)
        case "reports": job.reports = reports(value)
        case "excel": job.excel = truth(value, name)
        case "report-mode": job.reportMode = argument(value, name, ReportMode.meaning)
        case "baseline": job.baseline = path(value, name)
        case "as-of":
            job.asOf = argument(value, name, "a time such as 2026-06-30T12:00:00Z or a date such as 2026-06-30")
        case "accept": job.accept = argument(value, name, "the date of a night such as 2026-06-30")
        case "fail-on": job.failOn = severity(value)
        case "fail-on-known": job.failOnKnown = truth(value, name)
        case "workers":
            job.workers = argument(value, name, "a whole number \(WorkerCount.text)") {
                OrderedPipeline.workerRange.contains($0)
            }
        case "pseudonymise": job.pseudonymise = path(value, name)
        case "log-format": job.logFormat = logFormat(value)
        case "metrics": job.metrics = metrics(value)
        default: job.memory = argument(value, name, MemorySize.meaning)
        }
    }

    // MARK: Values

    /// Returns the text of a value, with environment variables substituted for `${NAME}`.
    private mutating func words(_ value: YAMLValue, _ key: String, _ what: String) -> String? {
        guard let written = text(value, key, what)?.text else { return nil }
        do throws(EnvironmentText.Problem) {
            let text = try EnvironmentText.expanded(written, with: environment)
            if !text.isBlank { return text }
            report(value.place, "“\(key)” must be \(what); \(written.quoted) is empty")
        } catch {
            report(value.place, error.message)
        }
        return nil
    }

    private mutating func path(_ value: YAMLValue, _ key: String) -> GivenPath? {
        words(value, key, "the path of a file").map { GivenPath($0, in: folder) }
    }

    /// Returns one path, or a list of them.
    private mutating func paths(_ value: YAMLValue, _ key: String) -> [GivenPath] {
        items(value, key, of: "paths").compactMap { path($0, key) }
    }

    /// Returns one column, or a list of them: `COLUMN=NAME`.
    private mutating func columns(_ value: YAMLValue) -> [String] {
        var columns: [String] = []
        for item in items(value, "columns", of: "columns") {
            guard let text = words(item, "columns", "a column such as device_id=idfv") else { continue }
            do throws(ExportNamesError) {
                _ = try ExportNames(columns: columns + [text])
                columns.append(text)
            } catch {
                report(item.place, TerminalText.escaped(error.description))
            }
        }
        return columns
    }

    /// Returns one report, or a list of them: `[TABLE=]FILE`.
    private mutating func reports(_ value: YAMLValue) -> [ReportTarget] {
        var toStandardOutput = 0
        return items(value, "reports", of: "reports").compactMap { item in
            guard let text = words(item, "reports", "a report such as fraud=fraud-{date}.csv") else { return nil }
            guard var target = ReportTarget(argument: text) else {
                report(item.place, "\(text.quoted) names no file")
                return nil
            }
            if let problem = target.reason {
                report(item.place, problem)
                return nil
            }
            guard target.isStandardOutput else {
                target.file = GivenPath(target.file, in: folder).path
                return target
            }
            toStandardOutput += 1
            if toStandardOutput > 1 { report(item.place, "only one report can go to standard output") }
            return target
        }
    }

    private mutating func metrics(_ value: YAMLValue) -> MetricsFile? {
        guard let path = path(value, "metrics"), let file = MetricsFile(argument: path.path) else { return nil }
        guard let reason = file.reason else { return file }
        report(value.place, reason)
        return nil
    }

    private mutating func items(_ value: YAMLValue, _ key: String, of what: String) -> [YAMLValue] {
        switch value.content {
        case .text: return [value]
        case .list(let items) where !items.isEmpty: return items
        case .list:
            report(value.place, "“\(key)” is an empty list; leave it out instead")
            return []
        case .empty, .table:
            refuse(value, "“\(key)” must be a list of \(what)")
            return []
        }
    }

    private mutating func severity(_ value: YAMLValue) -> Severity? {
        guard let text = words(value, "fail-on", "a severity") else { return nil }
        let expanded = YAMLValue(place: value.place, content: .text(ExactText(text).lowercasedASCII))
        return word(expanded, "fail-on", among: Severity.allCases.map { ExactText($0.code) })
            .flatMap(Severity.init(code:))
    }

    private mutating func truth(_ value: YAMLValue, _ key: String) -> Bool? {
        switch value.text?.lowercasedASCII {
        case "yes", "true", "on": return true
        case "no", "false", "off": return false
        default:
            refuse(value, "“\(key)” must be yes or no")
            return nil
        }
    }

    private mutating func logFormat(_ value: YAMLValue) -> LogFormat? {
        guard let text = words(value, "log-format", "text or json") else { return nil }
        let expanded = YAMLValue(place: value.place, content: .text(ExactText(text)))
        return word(expanded, "log-format", of: LogFormat.self)
    }

    /// Reads a value as an option of the command line.
    ///
    /// - Parameter isMeant: whether the value is within its bounds.
    private mutating func argument<Value: ExpressibleByArgument>(
        _ value: YAMLValue, _ key: String, _ what: String, where isMeant: (Value) -> Bool = { _ in true }
    ) -> Value? {
        guard let text = words(value, key, what) else { return nil }
        if let result = Value(argument: text), isMeant(result) { return result }
        refuse(YAMLValue(place: value.place, content: .text(ExactText(text))), "“\(key)” must be \(what)")
        return nil
    }
}

/// A text in which `${NAME}` is an environment variable, and `$$` a dollar sign.
enum EnvironmentText {
    struct Problem: Error {
        let message: String
    }

    static func expanded(_ text: String, with environment: (String) -> String?) throws(Problem) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let dollar = rest.firstIndex(of: "$") {
            result.unicodeScalars += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            switch rest.first {
            case "$":
                result += "$"
                rest = rest.dropFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw Problem(message: "\(text.quoted) has “${” without “}”")
                }
                result += try value(of: String(rest[rest.index(after: rest.startIndex)..<end]), environment)
                rest = rest[rest.index(after: end)...]
            default:
                throw Problem(message: "\(text.quoted) has a “$” by itself; ${NAME} is a variable, $$ a dollar")
            }
        }
        result.unicodeScalars += rest
        return result
    }

    private static func value(of name: String, _ environment: (String) -> String?) throws(Problem) -> String {
        let isName =
            name.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || isDigit($0)) }
            && name.unicodeScalars.first.map { !isDigit($0) } ?? false
        guard isName else { throw Problem(message: "\(name.quoted) is not the name of an environment variable") }
        guard let value = environment(name) else {
            throw Problem(message: "the environment variable \(name.quoted) is not set")
        }
        return value
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
