import ArgumentParser
import Encodings
import Files
import Inputs
import Ledgers
import Proofs
import Reports

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the environment that a run needs, and known vulnerabilities in its libraries.",
        discussion: """
            Works offline. Reports vulnerabilities in OpenSSL and Expat that were known when this version of audit was \
            built, in code that a receipt or a workbook can reach. The library's version or the changelog of Debian's \
            package shows whether they are fixed.

            EXAMPLES
              audit doctor
              audit doctor --state state.db
              audit doctor --json | jq '.findings[] | select(.outcome != "good")'

            EXIT CODES
              0    the environment is sound
              1    there is a problem
              2    a root cannot be loaded
              64   wrong usage
            """
    )

    @OptionGroup var trust: TrustOptions

    @Option(
        help: ArgumentHelp("A ledger to read from end to end.", valueName: "file"), completion: .file())
    var state: String?

    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        let console = Console()
        try console.answer {
            var doctor = Doctor(packages: DebianPackages(), anchors: try trust.anchors(), now: Clock.now)
            doctor.check(RunSettings.temporaryFolder)
            if let state { doctor.diagnosis.addLedger(state) }
            try doctor.diagnosis.write(to: console, asJSON: json)
            if doctor.diagnosis.hasProblem { throw ExitCode(1) }
        }
    }
}

/// Checks the environment of a run: libraries, trust anchors, limits, space for temporary files.
private struct Doctor {
    let packages: DebianPackages
    let anchors: TrustAnchors
    let now: Instant
    var diagnosis = Diagnosis()

    mutating func check(_ temporaryFolder: String) {
        diagnosis.add("Program", "audit", Audit.version)
        checkLibraries()
        checkVulnerabilities(
            of: "OpenSSL", KnownVulnerability.ofOpenSSL, in: OpenSSLVersion.inUse, package: "libssl3", open: .problem)
        // The limits of workbooks bound what it costs, so that it is no problem.
        checkVulnerabilities(
            of: "Expat", KnownVulnerability.ofExpat, in: XMLLibrary.inUse, package: "libexpat1", open: .notice)
        checkAnchors()
        checkLimits()
        checkSpace(in: temporaryFolder)
    }

    private mutating func checkLibraries() {
        checkLibrary("OpenSSL", OpenSSLVersion.builtWith, OpenSSLVersion.inUse, package: "libssl3")
        diagnosis.add("Libraries", "RSA", "2,048 bits multiplied by \(RSAMultiplication.inUse)")
        checkLibrary("zlib", InputLibraries.zlibBuiltWith, InputLibraries.zlibInUse, package: "zlib1g")
        checkLibrary("libxlsxwriter", WorkbookLibrary.builtWith, WorkbookLibrary.inUse, package: "libxlsxwriter4")
        checkLibrary("Expat", XMLLibrary.builtWith, XMLLibrary.inUse, package: "libexpat1")
        checkLibrary("SQLite", LedgerLibrary.builtWith, LedgerLibrary.inUse, package: "libsqlite3-0")
        diagnosis.add("Libraries", "libcsv", "built with \(InputLibraries.csv)" + installed("libcsv3"))
    }

    private mutating func checkLibrary(_ name: String, _ built: String, _ used: String, package: String) {
        let major = built.prefix { $0 != "." }
        diagnosis.add(
            "Libraries", name, "\(used) in use, built with \(built)" + installed(package),
            unless: major == used.prefix { $0 != "." },
            .problem, "It was built for version \(major): install that, or rebuild audit.")
    }

    private func installed(_ package: String) -> String {
        packages.version(of: package).map { " (\(package) \($0))" } ?? ""
    }

    /// Checks the vulnerabilities that were known when this version was made, by a library's version and its package.
    ///
    /// - Parameter outcome: that of one that is open.
    private mutating func checkVulnerabilities(
        of library: String, _ holes: [KnownVulnerability], in version: String, package: String,
        open outcome: Diagnosis.Outcome
    ) {
        let group = "Vulnerabilities in \(library)"
        let changelog = packages.changelog(of: package)
        var fixed = 0
        for hole in holes {
            switch hole.state(in: version, changelog: changelog) {
            case .fixed, .fixedByDistribution: fixed += 1
            case .open:
                diagnosis.add(group, hole.id, "open: \(hole.title)", outcome, "Install the security updates.")
            case .unknown:
                diagnosis.add(
                    group, hole.id, "unknown: \(hole.title)", .notice,
                    "Neither the version nor a changelog shows that it is fixed; ask your distribution.")
            }
        }
        diagnosis.add(
            group, "fixed", "\(fixed) of \(holes.count) that are known to this version of audit",
            fixed == holes.count ? .good : .notice, "Ask your package manager about newer ones.")
    }

    private mutating func checkAnchors() {
        for certificate in anchors.anchors.map(\.certificate) {
            diagnosis.add(
                "Trust anchors", TerminalText.escaped(certificate.subjectName),
                "\(certificate.notBefore.date) to \(certificate.notAfter.date), SHA-256 \(certificate.fingerprint)",
                unless: certificate.notAfter >= now,
                .notice, "It has expired: newer receipts are not valid under it.")
        }
    }

    private mutating func checkLimits() {
        let files = SystemLimits.openFiles
        let needed = Requirements(workers: RunSettings.coreWorkers, files: 8, memory: MemorySize.standard)
        diagnosis.add(
            "Limits", "open files", "\(files.now) now, \(files.most) at most", unless: files.most >= needed.openFiles,
            .problem, "A run needs up to \(needed.openFiles): ulimit -n 1024.")
        if let left = SystemLimits.freeAddressSpace {
            diagnosis.add(
                "Limits", "address space", "\(left >> 20) MiB left", unless: left >= needed.addressSpace,
                .problem, "A run may need \(needed.addressSpace >> 20) MiB: ulimit -v unlimited.")
        }
        let canStart = SystemLimits.canStartThreads(needed.threads)
        diagnosis.add(
            "Limits", "threads", canStart ? "\(needed.threads) can be started" : "fewer than \(needed.threads)",
            unless: canStart, .problem, "Raise the limit: ulimit -u, TasksMax=, pids.max.")
        diagnosis.add("Limits", "workers", "\(RunSettings.coreWorkers), one for each core")
        diagnosis.add("Limits", "memory to sort in", "\(MemorySize.standard >> 20) MiB without --memory")
    }

    private mutating func checkSpace(in folder: String) {
        let free = SystemLimits.freeBytes(in: folder)
        let value = TerminalText.escaped(folder) + (free.map { ", \($0 >> 20) MiB free" } ?? "")
        if (try? TemporaryFile(in: folder)) == nil {
            diagnosis.add("Limits", "temporary files", value, .problem, "It cannot be written to: set TMPDIR.")
        } else {
            diagnosis.add(
                "Limits", "temporary files", value, unless: free.map { $0 >= 1 << 30 } ?? true,
                .notice, "A large export may need more.")
        }
    }
}
