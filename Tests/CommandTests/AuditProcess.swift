import Foundation

/// The command as a user starts it: a process with arguments, what it wrote, and how it ended.
struct AuditProcess {
    var output: String
    var messages: String
    var exitCode: Int32

    /// The command that was built with these tests, in the same directory; or the one in AUDIT_PROGRAMS.
    static let path: String = {
        if let programs = ProcessInfo.processInfo.environment["AUDIT_PROGRAMS"] { return programs + "/audit" }
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path() != "/" {
            let candidate = folder.appending(path: "audit")
            if FileManager.default.isExecutableFile(atPath: candidate.path()) { return candidate.path() }
            folder.deleteLastPathComponent()
        }
        return "audit"
    }()

    /// Runs `audit` to its end. If it hangs, it is killed after an hour, and says so: on a busy machine what takes a
    /// minute can take ten.
    init(_ arguments: String..., environment: [String: String] = [:], in folder: URL? = nil) throws {
        try self.init(arguments, environment: environment, in: folder)
    }

    init(_ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil) throws {
        let running = try Running(arguments, environment: environment, in: folder)
        self = running.finish()
    }

    /// Runs `audit-lab`, from the same directory as `audit`, to its end.
    init(lab arguments: [String], environment: [String: String] = [:], in folder: URL? = nil) throws {
        let running = try Running(arguments, executable: Self.path + "-lab", environment: environment, in: folder)
        self = running.finish()
    }

    /// Runs `audit` from a shell, as `"$0" "$@"` in a script.
    init(shell script: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let running = try Running(
            ["-c", script, Self.path] + arguments, executable: "/bin/bash", environment: environment)
        self = running.finish()
    }

    /// Runs a script of ours in a folder.
    init(script: String, _ arguments: [String], environment: [String: String], in folder: URL) throws {
        let running = try Running(
            [script] + arguments, executable: "/bin/bash", environment: environment, in: folder)
        self = running.finish()
    }

    /// A command that has been started.
    final class Running {
        let process = Process()
        private let output: URL
        private let messages: URL

        init(
            _ arguments: [String], executable: String = AuditProcess.path, environment: [String: String] = [:],
            in folder: URL? = nil
        ) throws {
            let name = "audit-\(UUID())"
            output = FileManager.default.temporaryDirectory.appending(path: name + ".out")
            messages = FileManager.default.temporaryDirectory.appending(path: name + ".err")
            for file in [output, messages] { try Data().write(to: file) }
            process.executableURL = URL(filePath: executable)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: messages)
            try process.run()
        }

        /// Waits until it ends.
        ///
        /// - Returns: how many seconds of processor time it used from now on, as proc_pid_stat(5) has it.
        func processorTimeToEnd() -> Double {
            var times: [Double] = []
            while process.isRunning {
                if let time = processorTime { times.append(time) }
                usleep(5000)
            }
            return (times.last ?? 0) - (times.first ?? 0)
        }

        /// Fields 14 and 15 of its status: user and system time, of all threads.
        private var processorTime: Double? {
            let stat = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
            // The name of the command, in parentheses, may hold blanks.
            let fields = stat?.split(separator: ")").last?.split(separator: " ").compactMap { Double($0) } ?? []
            guard fields.count > 11 else { return nil }
            return (fields[10] + fields[11]) / Double(sysconf(CInt(_SC_CLK_TCK)))
        }

        /// Waits for the end.
        func finish() -> AuditProcess {
            let deadline = Date(timeIntervalSinceNow: 3600)
            while process.isRunning, Date() < deadline { usleep(5000) }
            let hangs = process.isRunning
            if hangs { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            defer {
                try? FileManager.default.removeItem(at: output)
                try? FileManager.default.removeItem(at: messages)
            }
            let text = { (file: URL) in String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self) }
            let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            let note = hangs ? "\nThe test killed it, because it did not end in an hour.\n" : ""
            return AuditProcess(output: text(output), messages: text(messages) + note, exitCode: code)
        }
    }

    private init(output: String, messages: String, exitCode: Int32) {
        self.output = output
        self.messages = messages
        self.exitCode = exitCode
    }

    /// The rows of a CSV report on standard output, as cells by column.
    var rows: [[String: String]] { table(output) }
}

/// A CSV table (RFC 4180), as cells by column.
func table(_ text: String) -> [[String: String]] {
    let rows = cells(of: text)
    guard let header = rows.first else { return [] }
    return rows.dropFirst().map { row in Dictionary(zip(header, row)) { first, _ in first } }
}

extension Data {
    /// Whether a text is somewhere in these bytes. A string looks for it many times longer.
    func holds(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

private func cells(of text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""):
            // A doubled quote closes and opens again: the first one is taken for text.
            if !isQuoted, cell.last == nil || cell.last != byte, !cell.isEmpty { cell.append(byte) }
            isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted:
            row.append(String(decoding: cell, as: UTF8.self))
            cell.removeAll()
        case 0x0d where !isQuoted: break
        case 0x0a where !isQuoted:
            row.append(String(decoding: cell, as: UTF8.self))
            cell.removeAll()
            rows.append(row)
            row.removeAll()
        default: cell.append(byte)
        }
    }
    return rows
}
