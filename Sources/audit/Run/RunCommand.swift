import ArgumentParser
import Engine
import Files
import Inputs
import Rules

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Audit an export: validate every receipt and token and write reports.",
        discussion: """
            An INPUT is a folder of receipts with a devices.csv that says which device claims which file; a table \
            (CSV, TSV) or JSON (an array of objects, or one per line) that names files or contains receipts in base64, \
            optionally compressed with gzip; - for any of these on standard input; or a single receipt. The first \
            bytes decide which. Receipts are DER or base64, StoreKit 2 tokens are JWS. A summary goes to standard \
            error; only a report written to `-` goes to standard output.

            COLUMNS AND KEYS
              file or receipt_data, device_id, device_verification_id, account_id,
              account_token, bundle_id, app_version, product_id, presented_at, ip

            EXAMPLES
              audit run receipts/ --report out.csv
              audit run receipts/ --report report.html --report receipts=receipts.md
              audit run export.ndjson.gz --report out.csv
              zcat exports/*.gz | audit run - --report out.csv
              audit run receipts/ --devices claims.csv --report 'receipts={date}.csv'
              audit run receipts/ --policy policy.yml --report fraud=fraud.csv \\
                --fail-on high
              audit run receipts/ --report fraud=new.csv --baseline old.csv
              audit run demo/receipts --root demo/root.cer --as-of 2026-06-30 -o -
              audit run receipts/ --report fraud=fraud.csv \\
                --state /var/lib/audit/ledger.db
              audit run receipts/ --report out.csv \\
                --metrics /var/lib/prometheus/node-exporter/audit.prom
              audit run transactions.ndjson --evidence notifications.ndjson \\
                --report subscriptions=subs.csv
              audit run --job jobs/nightly.yml

            EXIT CODES
              0    done; unreadable receipts are results, not failures
              1    done, and there is a finding at or above --fail-on (a new one,
                   with --state or --baseline)
              2    the audit failed; no report was changed
              3    done, but claims, devices or evidence may be missing: an input is
                   empty, damaged or mostly unreadable, has fewer claims or devices
                   than it must, or returns changed; a manifest is of no use; or
                   the ledger was damaged or is gone
              64   wrong usage
              130  SIGINT (143: SIGTERM, 129: SIGHUP); no report was changed. A signal
                   that arrives after the reports are in place is ignored.
            """
    )

    @Argument(help: ArgumentHelp("Folders, tables, JSON lines or receipt files.", valueName: "input"))
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "A job file with these settings; options on the command line override it. See jobs/nightly.yml.",
            valueName: "file"))
    var job: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Stored App Store Server Notifications or API responses: a file with one token or JSON text per line, or a folder of such files. Repeatable.",
            valueName: "input"))
    var evidence: [String] = []

    @Option(
        help: ArgumentHelp("The manifest of a folder, instead of the devices.csv at its top.", valueName: "file"))
    var devices: String?

    @OptionGroup var names: ExportNamesOptions

    @OptionGroup var form: InputFormatOption

    @OptionGroup var limits: InputLimitsOptions

    @OptionGroup var unclaimed: UnclaimedOption

    @OptionGroup var sales: SalesOptions

    @Flag(help: "Exit with 3 if a folder among the INPUTs has no manifest.")
    var requireManifest = false

    @Option(
        name: [.customLong("report"), .customShort("o")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Write a report in the format of the extension. {date} and {time} are those of --as-of; - is standard output in CSV, -.json in JSON.",
            valueName: "[table=]file"))
    var reports: [ReportTarget] = []

    @Flag(help: "Add a byte-order mark to CSV reports, so that Excel reads names correctly.")
    var excel = false

    @Option(
        help: ArgumentHelp(
            "Who may read reports besides the owner: 0640 for the group, 0644 for everybody. A folder with chmod"
                + " g+s decides the group. (default: 0600)",
            valueName: "mode"))
    var reportMode: ReportMode?

    @OptionGroup var trust: TrustOptions

    @OptionGroup var time: AsOfOption

    @Option(
        help: ArgumentHelp(
            "A policy: apps, products, limits, severities and allowances; see jobs/policy.example.yml.",
            valueName: "file"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "An earlier fraud report (.csv or .ndjson): findings are marked new, persisting or resolved.",
            valueName: "file"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if there is a finding at this severity or above: info, low, medium, high or critical. With --state or --baseline only new findings count.",
            valueName: "severity"))
    var failOn: Severity?

    @Flag(help: "With --fail-on: also count the findings of earlier runs.")
    var failOnKnown = false

    @Option(
        help: ArgumentHelp(
            "Write counts, duration and the time of success as text for Prometheus, readable by everybody.",
            valueName: "file"))
    var metrics: MetricsFile?

    @Option(
        help: ArgumentHelp(
            "Write pseudonyms instead of device and account ids, made with the key in this file (16 bytes or more).",
            valueName: "keyfile"))
    var pseudonymise: String?

    @Option(
        help: ArgumentHelp(
            "A ledger, which is created if it does not exist: claims are correlated across runs, and findings keep the date on which they were first seen.",
            valueName: "file"))
    var state: String?

    @Flag(
        help:
            "With --state: move the date on which a finding was first seen back to --as-of if that is earlier, for runs over old exports."
    )
    var rewriteHistory = false

    @Flag(
        help:
            "Let a run count that is doubtful, because known proofs come back changed or the as-of date is far off."
    )
    var accept = false

    @Option(
        name: [.customLong("workers"), .customShort("j")], parsing: .unconditional,
        help:
            "The number of threads that check receipts, at most \(OrderedPipeline.workerRange.upperBound). (default: the number of cores)"
    )
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "Memory for sorting: 500M, 2G. The excess spills to temporary files in $TMPDIR or /var/tmp. (default: a quarter of what the process may use)",
            valueName: "size"), transform: MemorySize.parse)
    var memory: MemorySize?

    @Option(help: "The format of the log on standard error: text, or json for an object a line.")
    var logFormat: LogFormat?

    @Flag(name: .shortAndLong, help: "Log errors, and problems with inputs and ledger.")
    var quiet = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        guard job != nil || !inputs.isEmpty else { throw ValidationError("Missing expected argument '<input> ...'") }
        guard inputs.count(where: { $0 == "-" }) < 2 else { throw ValidationError("\(InputError.standardInputTwice).") }
        if let workers { try WorkerCount.validate(workers) }
        if let problem = reports.lazy.compactMap(\.problem).first { throw ValidationError(problem) }
        if let metrics, let reason = metrics.reason { throw ValidationError("--metrics \(metrics.path): \(reason).") }
        _ = try names.names
        if rewriteHistory, state == nil, job == nil { throw ValidationError("--rewrite-history needs --state.") }
        guard reports.count(where: \.isStandardOutput) < 2 else {
            throw ValidationError("Only one report can go to standard output.")
        }
    }

    func run() throws {
        var log = RunLog(logFormat ?? .text, isQuiet: quiet, color.color)
        Interruption.watch()
        Allocator.prepare()
        var known: RunSettings?
        do {
            let settings = try RunSettings(self)
            known = settings
            log = RunLog(settings.logFormat, isQuiet: quiet, color.color)
            if settings.inputs.contains(where: { $0.path == "-" }) { log.console.sayIfReadingTerminal() }
            defer { log.recordLateInterruption() }
            try AuditSession.run(settings, log)
        } catch is Interrupted {
            log.recordInterruption()
            if let known {
                Interruption.grantTime()
                let stopped = StoppedBySignal(signal: Interruption.signal)
                FailureRecord.write(stopped, exitCode: 128 + stopped.signal, of: known, log)
            }
            throw ExitCode(128 + Interruption.signal)
        } catch let code as ExitCode {
            throw code
        } catch let conflict as OutputConflict {
            log.fail(conflict)
            throw ExitCode(64)
        } catch {
            log.fail(error)
            if let known { FailureRecord.write(error, of: known, log) }
            throw ExitCode(2)
        }
    }
}
