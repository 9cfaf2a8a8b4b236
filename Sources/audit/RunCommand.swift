import ArgumentParser
import Checks
import Encodings
import Files
import FoundationEssentials
import Inputs
import Pipeline
import Reports
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
              audit run export.ndjson.gz --report out.csv
              zcat exports/*.gz | audit run - --report out.csv
              audit run receipts/ --devices claims.csv --report 'receipts={date}.csv'
              audit run demo/receipts --root demo/root.cer --as-of 2026-06-30 --report -

            EXIT CODES
              0    done; unreadable receipts are results, not failures
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
        name: .customLong("report"),
        help: ArgumentHelp(
            "Write a report, whose extension is its format. {date} stands for the as-of date; - is standard output.",
            valueName: "[table=]file"))
    var reports: [ReportTarget] = []

    @OptionGroup var trust: TrustOptions

    @OptionGroup var time: AsOfOption

    @Option(help: "How many threads judge receipts. (default: the number of cores)")
    var workers: Int?

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        if let workers, !(1...1024).contains(workers) {
            throw ValidationError("--workers must be from 1 to 1024.")
        }
        if let problem = reports.lazy.compactMap(\.problem).first { throw ValidationError(problem) }
        guard reports.count(where: { $0.file == "-" }) < 2 else {
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
        } catch let error as FileError where error.isBrokenPipe {
            return  // whoever read our output has had enough
        } catch {
            console.say("audit: error: \(error)")
            throw ExitCode(2)
        }
    }

    private func audit(_ console: Console) throws {
        let asOf = time.orNow()
        let files = try ReportFiles(reports.map { dated($0.file, asOf.description) })
        let source = try Inputs(inputs, manifestPath: devices)
        let run = AuditRun(
            trust: try trust.anchors(), expectations: Expectations(asOf: asOf),
            workers: workers ?? ProcessInfo.processInfo.activeProcessorCount)
        var meter = ProgressMeter(console: console, isQuiet: quiet)
        var tally = Tally()
        defer { meter.end() }
        try files.writeHeaders()
        let encoders = reports.isEmpty ? [] : [CSVReceipts.encode]
        try run.run(source, isStopped: { Interruption.signal != 0 }, encoders: encoders) { part in
            tally += part.tally
            try files.write(part)
            meter.show(tally, fraction: part.fraction)
        }
        try files.publish()
        meter.end()
        guard !quiet else { return }
        let lines = SummaryText.lines(
            tally, asOf: asOf, seconds: meter.elapsed, omissions: source.omissions, reports: files.paths,
            isColored: console.isColored)
        for line in lines { console.say(line) }
    }

    /// Puts the date of `asOf` in place of `{date}`.
    private func dated(_ path: String, _ asOf: String) -> String {
        path.replacing("{date}", with: asOf.prefix(10))
    }
}
