import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Proofs
import Reports
import Rules
import Subscriptions

/// The settings of a run: those of the command line, and of a job file where the command line has none.
///
/// A manifest belongs to its inputs: if the command line names other inputs, it is not used.
struct RunSettings {
    let inputs: [GivenPath]
    /// What Apple sent to the company's server.
    let evidence: [GivenPath]
    /// The folder of Apple's sales reports.
    let sales: GivenPath?
    /// The greatest share of sold units that may be missing.
    let maxMissing: Double?
    let devices: GivenPath?
    let names: ExportNames
    /// The options for ``names``, with their values.
    let reading: [(option: String, value: String)]
    let limits: InputLimits
    let unclaimed: UnclaimedTerms
    let roots: [GivenPath]
    let policy: GivenPath?
    let reports: [ReportTarget]
    /// Whether CSV reports start with a byte-order mark.
    let withByteOrderMark: Bool
    /// The permissions of reports.
    let reportMode: UInt32
    let baseline: GivenPath?
    let asOf: Instant
    let failOn: Severity?
    /// Whether `--fail-on` also counts findings of earlier runs.
    let failsOnKnown: Bool
    let workers: Int
    /// The memory to sort in, in bytes.
    let memory: Int
    /// The path of the metrics.
    let metrics: String?
    /// The file with the key of pseudonyms.
    let pseudonymise: GivenPath?
    /// The ledger.
    let state: GivenPath?
    /// Whether the run may set ``asOf`` as the first-seen date if that is earlier than the ledger has.
    let rewritesHistory: Bool
    /// Whether somebody accepts what is doubtful about this run.
    let accepts: Bool
    let logFormat: LogFormat
    /// The job file's name without its folder, and the SHA-256 of its bytes.
    let job: (file: String, sha256: String)?
    /// The job file.
    let jobFile: GivenPath?

    /// Reads the job file, if there is one, and the clock, unless there is a reference time.
    init(_ command: RunCommand) throws {
        var job = Job()
        var source: (String, String)?
        if let path = command.job {
            let bytes = try FileContents.bytes(of: path, limit: Job.limit)
            let environment = ProcessInfo.processInfo.environment
            job = try Job.read(bytes: bytes, name: path) { environment[$0] }
            source = (PathParts(path).name, try Digest.sha256Hex(of: bytes))
        }
        self.job = source
        jobFile = command.job.map { GivenPath($0) }
        inputs = command.inputs.isEmpty ? job.inputs : command.inputs.map { GivenPath($0) }
        guard !inputs.isEmpty else {
            throw CommandError(
                "\(TerminalText.escaped(command.job ?? "")): “inputs” is missing, and no INPUT was given")
        }
        evidence = command.evidence.isEmpty ? job.evidence : command.evidence.map { GivenPath($0) }
        sales = command.sales.sales.map { GivenPath($0) } ?? job.sales
        maxMissing = command.sales.maxMissing ?? job.maxMissing
        devices = command.devices.map { GivenPath($0) } ?? (command.inputs.isEmpty ? job.devices : nil)
        roots = command.trust.roots.isEmpty ? job.roots : command.trust.roots.map { GivenPath($0) }
        policy = command.policy.map { GivenPath($0) } ?? job.policy
        reports = command.reports.isEmpty ? job.reports : command.reports
        withByteOrderMark = command.excel || job.excel == true
        reportMode = (command.reportMode ?? job.reportMode)?.bits ?? 0o600
        baseline = command.baseline.map { GivenPath($0) } ?? job.baseline
        asOf = command.time.asOf ?? job.asOf ?? command.time.orNow()
        failOn = command.failOn ?? job.failOn
        failsOnKnown = command.failOnKnown || job.failOnKnown == true
        workers = command.workers ?? job.workers ?? Self.coreWorkers
        memory = (command.memory ?? job.memory)?.bytes ?? MemorySize.standard
        metrics = (command.metrics ?? job.metrics)?.path
        pseudonymise = command.pseudonymise.map { GivenPath($0) } ?? job.pseudonymise
        state = command.state.map { GivenPath($0) } ?? job.state
        logFormat = command.logFormat ?? job.logFormat ?? .text
        let columns = command.names.columns.isEmpty ? job.columns : command.names.columns
        let (null, format) = (command.names.null ?? job.null, command.form.format ?? job.format)
        names = try ExportNames(columns: columns, null: null, format: format)
        reading =
            ExportNamesOptions.reading(columns, null) + (format.map { [("--format", $0.rawValue)] } ?? [])
        limits = InputLimits(command.limits, job, requiresManifest: command.requireManifest)
        unclaimed = command.unclaimed.terms(job)
        if sales == nil, maxMissing != nil { throw CommandError("--max-missing needs --sales, Apple's sales reports") }
        rewritesHistory = command.rewriteHistory
        accepts = command.accept || job.accept?.day == asOf.day
    }

    /// The job file's name without its extension; empty if there is none.
    var jobName: ExactText {
        guard let file = job?.file else { return "" }
        return ExactText(file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file)
    }

    /// The reports to write.
    var requests: [ReportRequest] { reports.compactMap { $0.request(date: date, time: time) } }

    /// The date of the run, which replaces `{date}` in the names of reports.
    var date: String { asOf.date }

    /// The time of the run, which replaces `{time}` in the names of reports: `023000Z`.
    var time: String { String(asOf.description.dropFirst(11)).replacing(":", with: "") }

    var reportSetting: ReportSetting {
        var setting = ReportSetting(asOf: asOf, temporaryFolder: Self.temporaryFolder)
        setting.withByteOrderMark = withByteOrderMark
        setting.mode = reportMode
        setting.withChange = baseline != nil || state != nil
        return setting
    }

    var requirements: Requirements {
        Requirements(workers: workers, files: requests.count + (metrics == nil ? 0 : 1), memory: memory)
    }

    func openEvidence() throws -> EvidenceSource? {
        evidence.isEmpty ? nil : try EvidenceSource(evidence)
    }

    func openInputs() throws -> Inputs {
        try Inputs(inputs, manifest: devices, names: names, temporaryFolder: Self.temporaryFolder)
    }

    /// The default number of workers: one for each core.
    static var coreWorkers: Int { OrderedPipeline.workers(forCores: ProcessInfo.processInfo.activeProcessorCount) }

    /// The folder for temporary files: `TMPDIR`, or `/var/tmp`, where large files are allowed.
    static var temporaryFolder: String {
        let folder = ProcessInfo.processInfo.environment["TMPDIR", default: ""]
        return folder.isEmpty ? "/var/tmp" : folder
    }
}
