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
            Works offline. Vulnerabilities in OpenSSL are those that were known when this version of \
            audit was made, in code that a receipt may reach; whether they are fixed is known from \
            OpenSSL's version, or from the changelog of Debian's package.

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
            let diagnosis = Doctor(
                packages: DebianPackages(), anchors: try trust.anchors(), now: Clock.now,
                temporaryFolder: RunSettings.temporaryFolder, state: state
            ).diagnosis()
            let text = json ? try diagnosis.json : diagnosis.lines.map { $0 + "\n" }.joined()
            try console.write(text)
            if diagnosis.hasProblem { throw ExitCode(1) }
        }
    }
}

/// Checks the environment of a run: libraries, trust anchors, limits, space for temporary files.
struct Doctor {
    let packages: DebianPackages
    let anchors: TrustAnchors
    let now: Instant
    let temporaryFolder: String
    /// A ledger to check.
    var state: String?

    func diagnosis() -> Diagnosis {
        var diagnosis = Diagnosis()
        diagnosis.add("Program", "audit", Audit.version)
        libraries(&diagnosis)
        vulnerabilities(&diagnosis)
        trust(&diagnosis)
        limits(&diagnosis)
        if let state { LedgerDiagnosis(path: state).add(to: &diagnosis) }
        return diagnosis
    }

    private func libraries(_ diagnosis: inout Diagnosis) {
        compare("OpenSSL", OpenSSLVersion.builtWith, OpenSSLVersion.inUse, package: "libssl3", &diagnosis)
        diagnosis.add("Libraries", "RSA", "2,048 bits multiplied by \(RSAMultiplication.inUse)")
        compare("zlib", InputLibraries.zlibBuiltWith, InputLibraries.zlibInUse, package: "zlib1g", &diagnosis)
        compare(
            "libxlsxwriter", WorkbookLibrary.builtWith, WorkbookLibrary.inUse, package: "libxlsxwriter4", &diagnosis)
        compare("SQLite", LedgerLibrary.builtWith, LedgerLibrary.inUse, package: "libsqlite3-0", &diagnosis)
        diagnosis.add("Libraries", "libcsv", "built with \(InputLibraries.csv)" + packaged("libcsv3"))
    }

    private func compare(
        _ name: String, _ built: String, _ used: String, package: String, _ diagnosis: inout Diagnosis
    ) {
        let value = "\(used) in use, built with \(built)" + packaged(package)
        let (a, b) = (built.prefix { $0 != "." }, used.prefix { $0 != "." })
        diagnosis.add(
            "Libraries", name, value, a == b ? .good : .problem,
            a == b ? "" : "It was built for version \(a): install that, or rebuild audit.")
    }

    private func packaged(_ package: String) -> String {
        packages.version(of: package).map { " (\(package) \($0))" } ?? ""
    }

    /// Checks the vulnerabilities that were known when this version was made, by OpenSSL's version and its package.
    private func vulnerabilities(_ diagnosis: inout Diagnosis) {
        let version = OpenSSLVersion.inUse
        let changelog = packages.changelog(of: "libssl3")
        var fixed = 0
        for hole in KnownHole.all {
            switch hole.state(in: version, changelog: changelog) {
            case .fixed, .fixedByDistribution: fixed += 1
            case .open:
                diagnosis.add(
                    Self.vulnerabilities, hole.id, "open: \(hole.title)", .problem, "Install the security updates.")
            case .unknown:
                diagnosis.add(
                    Self.vulnerabilities, hole.id, "unknown: \(hole.title)", .notice,
                    "Neither the version nor a changelog shows that it is fixed; ask your distribution.")
            }
        }
        diagnosis.add(
            Self.vulnerabilities, "fixed", "\(fixed) of \(KnownHole.all.count) that are known to this version of audit",
            fixed == KnownHole.all.count ? .good : .notice, "Ask your package manager about newer ones.")
    }

    private static let vulnerabilities = "Vulnerabilities in OpenSSL"

    private func trust(_ diagnosis: inout Diagnosis) {
        for anchor in anchors.anchors {
            let certificate = anchor.certificate
            let isExpired = certificate.notAfter < now
            diagnosis.add(
                "Trust anchors", TerminalText.escaped(certificate.subjectName),
                "\(certificate.notBefore.date) to \(certificate.notAfter.date), SHA-256 \(certificate.fingerprint)",
                isExpired ? .notice : .good, isExpired ? "It has expired: newer receipts are not valid under it." : "")
        }
    }

    private func limits(_ diagnosis: inout Diagnosis) {
        let files = SystemLimits.openFiles
        let needed = Requirements(workers: RunSettings.coreWorkers, files: 8, memory: MemorySize.standard)
        let areFew = files.most < needed.openFiles
        diagnosis.add(
            "Limits", "open files", "\(files.now) now, \(files.most) at most", areFew ? .problem : .good,
            areFew ? "A run needs up to \(needed.openFiles): ulimit -n 1024." : "")
        if let left = SystemLimits.freeAddressSpace {
            let isLittle = left < needed.addressSpace
            diagnosis.add(
                "Limits", "address space", "\(left >> 20) MiB left", isLittle ? .problem : .good,
                isLittle ? "A run may need \(needed.addressSpace >> 20) MiB: ulimit -v unlimited." : "")
        }
        let canStart = SystemLimits.canStartThreads(needed.threads)
        diagnosis.add(
            "Limits", "threads", canStart ? "\(needed.threads) can be started" : "fewer than \(needed.threads)",
            canStart ? .good : .problem, canStart ? "" : "Raise the limit: ulimit -u, TasksMax=, pids.max.")
        diagnosis.add("Limits", "workers", "\(RunSettings.coreWorkers), one for each core")
        diagnosis.add("Limits", "memory to sort in", "\(MemorySize.standard >> 20) MiB without --memory")
        let free = SystemLimits.freeBytes(in: temporaryFolder)
        let isWritable = (try? TemporaryFile(in: temporaryFolder)) != nil
        let value = TerminalText.escaped(temporaryFolder) + (free.map { ", \($0 >> 20) MiB free" } ?? "")
        if !isWritable {
            diagnosis.add("Limits", "temporary files", value, .problem, "It cannot be written to: set TMPDIR.")
        } else if let free, free < 1 << 30 {
            diagnosis.add("Limits", "temporary files", value, .notice, "A large export may need more.")
        } else {
            diagnosis.add("Limits", "temporary files", value)
        }
    }
}

extension Instant {
    /// The day, in UTC.
    fileprivate var date: String { String(description.prefix(10)) }
}
