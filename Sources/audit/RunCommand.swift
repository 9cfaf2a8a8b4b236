import ArgumentParser
import Checks
import Encodings
import Files
import FoundationEssentials
import Inputs
import Pipeline
import Policies
import Reports
import Rules
import Signatures

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Audit an export: validate every receipt and write reports.",
        discussion: """
            An INPUT is a folder of receipts with a devices.csv that says which device claims \
            which file; a table (.csv) or JSON lines (.ndjson, .jsonl) that name files or hold \
            receipts in base64, compressed (.gz) or not; - for JSON lines on standard input; or \
            one receipt file. Receipts are DER or base64. A summary goes to standard error; \
            standard output carries only reports that were asked for with `-`.

            COLUMNS AND KEYS
              file or receipt_data, device_id, account_id, bundle_id, app_version,
              product_id, presented_at

            EXAMPLES
              audit run receipts/ --report out.csv
              audit run receipts/ --report report.html --report report.md
              audit run export.ndjson.gz --report out.csv
              zcat exports/*.gz | audit run - --report out.csv
              audit run receipts/ --devices claims.csv --report 'receipts={date}.csv'
              audit run receipts/ --policy policy.yml --report fraud=fraud.csv --fail-on high
              audit run receipts/ --report fraud=new.csv --baseline old.csv
              audit run demo/receipts --root demo/root.cer --as-of 2026-06-30 --report -

            EXIT CODES
              0    done; unreadable receipts are results, not failures
              1    done, and there is a finding at or above --fail-on
              2    the job could not be done; no report was changed
              64   wrong usage
              130  interrupted (143: terminated); no report was changed
            """
    )

    @Argument(help: ArgumentHelp("Folders, tables, JSON lines or receipt files.", valueName: "input"))
    var inputs: [String]

    @Option(
        help: ArgumentHelp("The manifest of a folder, instead of the devices.csv at its top.", valueName: "file"))
    var devices: String?

    @Option(
        name: .customLong("report"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Write a report, whose extension is its format. {date} stands for the as-of date; - is standard output, as CSV, -.json as JSON.",
            valueName: "[table=]file"))
    var reports: [ReportTarget] = []

    @Flag(help: "Begin CSV reports with a byte-order mark, by which Excel knows UTF-8.")
    var excel = false

    @OptionGroup var trust: TrustOptions

    @OptionGroup var time: AsOfOption

    @Option(
        help: ArgumentHelp(
            "What to expect of apps and products, limits, severities and allowances; see jobs/policy.example.yml.",
            valueName: "file"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "An earlier fraud report (.csv or .ndjson): findings are marked new, persisting or resolved.",
            valueName: "file"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if there is a finding at this severity or above: info, low, medium, high or critical.",
            valueName: "severity"))
    var failOn: Severity?

    @Option(help: "How many threads judge receipts. (default: the number of cores)")
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "How much memory to sort in: 500M, 2G. What is more goes to temporary files in $TMPDIR or /var/tmp. (default: a quarter of the machine's)",
            valueName: "size"))
    var memory: MemorySize?

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        if let workers, !(1...1024).contains(workers) {
            throw ValidationError("--workers must be from 1 to 1024.")
        }
        if let problem = reports.lazy.compactMap(\.problem).first { throw ValidationError(problem) }
        guard reports.count(where: \.isStandardOutput) < 2 else {
            throw ValidationError("Only one report can go to standard output.")
        }
    }

    func run() throws {
        let console = Console()
        Interruption.watch()
        do {
            try audit(console)
        } catch is Interrupted {
            console.say("audit: interrupted; no report was changed")
            throw ExitCode(128 + Interruption.signal)
        } catch let code as ExitCode {
            throw code
        } catch {
            console.say("audit: error: \(error)")
            throw ExitCode(2)
        }
    }

    private func audit(_ console: Console) throws {
        let asOf = time.orNow()
        let (policy, policyDigest) = try policy.map { try PolicyArgument.read($0) } ?? (Policy(), "")
        let earlier = try baseline.map { try Baseline(reading: $0, asOf: asOf) }
        var setting = ReportSetting(asOf: asOf, temporaryFolder: TemporaryFolder.path)
        setting.withByteOrderMark = excel
        let files = try ReportFiles(
            reports.compactMap { $0.request(date: String(asOf.description.prefix(10))) }, baseline: earlier, setting)
        let source = try Inputs(inputs, manifestPath: devices, temporaryFolder: TemporaryFolder.path)
        let anchors = try trust.anchors()
        let run = AuditRun(
            trust: anchors, expectations: Expectations(asOf: asOf, policy),
            rules: RuleSet(policy, asOf: asOf), workers: workers ?? ProcessInfo.processInfo.activeProcessorCount,
            storage: Storage(memory: memory?.bytes ?? MemorySize.standard, folder: TemporaryFolder.path),
            withFigures: files.wantFigures)
        var meter = ProgressMeter(console: console, isQuiet: quiet)
        defer { meter.end() }
        let result = try run.run(source, encoders: files.encoders, isStopped: { Interruption.signal != 0 }) {
            meter.show($0)
        }
        var description = RunDescription(
            version: Audit.version, openSSL: OpenSSLVersion.text, asOf: asOf, inputs: inputs,
            roots: anchors.anchors.map(\.certificate.fingerprint))
        description.rootFiles = trust.roots
        description.manifest = devices
        description.policy = self.policy.map { (file: $0, sha256: policyDigest) }
        description.baseline = baseline
        description.omissions = source.omissions
        try files.write(result, description)
        try files.publish()
        meter.end()
        if !quiet {
            let summary = SummaryText(
                result, asOf: asOf, seconds: meter.elapsed, omissions: source.omissions, reports: files.paths,
                isColored: console.isColored)
            for line in summary.lines { console.say(line) }
        }
        if let failOn, let worst = result.findingTally.worst, worst >= failOn { throw ExitCode(1) }
    }
}
