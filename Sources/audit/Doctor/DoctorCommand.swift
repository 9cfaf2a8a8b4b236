import ArgumentParser
import Encodings
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import SQLite

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the environment that a run needs.",
        discussion: """
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
            var doctor = Doctor(anchors: try trust.anchors(), now: Clock.now)
            doctor.check(RunSettings.temporaryFolder)
            if let state { doctor.diagnosis.addLedger(state) }
            try doctor.diagnosis.write(to: console, asJSON: json)
            if doctor.diagnosis.hasProblem { throw ExitCode(1) }
        }
    }
}

/// Checks the environment of a run: libraries, trust anchors, limits, space for temporary files.
private struct Doctor {
    let anchors: TrustAnchors
    let now: Instant
    var diagnosis = Diagnosis()

    mutating func check(_ temporaryFolder: String) {
        diagnosis.add("Program", "audit", Audit.version)
        checkLibraries()
        checkAnchors()
        checkLimits()
        checkSpace(in: temporaryFolder)
    }

    private mutating func checkLibraries() {
        checkLibrary("OpenSSL", OpenSSLVersion.builtWith, OpenSSLVersion.inUse)
        diagnosis.add("Libraries", "RSA", "2,048 bits multiplied by \(RSAMultiplication.inUse)")
        checkLibrary("zlib", InputLibraries.zlibBuiltWith, InputLibraries.zlibInUse)
        checkLibrary("libxlsxwriter", WorkbookLibrary.builtWith, WorkbookLibrary.inUse)
        checkLibrary("Expat", XMLLibrary.builtWith, XMLLibrary.inUse)
        checkLibrary("SQLite", SQLiteVersion.builtWith, SQLiteVersion.inUse)
        diagnosis.add("Libraries", "libcsv", "built with \(InputLibraries.csv)")
    }

    private mutating func checkLibrary(_ name: String, _ built: String, _ used: String) {
        let major = built.prefix { $0 != "." }
        diagnosis.add(
            "Libraries", name, "\(used) in use, built with \(built)", unless: major == used.prefix { $0 != "." },
            .problem, "It was built for version \(major): install that, or rebuild audit.")
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
