import Foundation

/// The command as a user starts it: a process with arguments, what it wrote, and how it ended.
struct AuditProcess {
    var output: String
    var messages: String
    var exitCode: Int32

    /// The command that was built with these tests: it stands beside them.
    static let path: String = {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path() != "/" {
            let candidate = folder.appending(path: "audit")
            if FileManager.default.isExecutableFile(atPath: candidate.path()) { return candidate.path() }
            folder.deleteLastPathComponent()
        }
        return "audit"
    }()

    /// Runs `audit` to its end, or for a minute.
    init(_ arguments: String..., environment: [String: String] = [:], in folder: URL? = nil) throws {
        try self.init(arguments, environment: environment, in: folder)
    }

    init(_ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil) throws {
        let running = try Running(arguments, environment: environment, in: folder)
        self = running.finish()
    }

    /// A command that has been started.
    final class Running {
        let process = Process()
        private let output: URL
        private let messages: URL

        init(_ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil) throws {
            let name = "audit-\(UUID())"
            output = FileManager.default.temporaryDirectory.appending(path: name + ".out")
            messages = FileManager.default.temporaryDirectory.appending(path: name + ".err")
            for file in [output, messages] { try Data().write(to: file) }
            process.executableURL = URL(filePath: AuditProcess.path)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: messages)
            try process.run()
        }

        /// Waits for the end; what takes longer than a minute is killed.
        func finish() -> AuditProcess {
            let deadline = Date(timeIntervalSinceNow: 60)
            while process.isRunning, Date() < deadline { usleep(5000) }
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            defer {
                try? FileManager.default.removeItem(at: output)
                try? FileManager.default.removeItem(at: messages)
            }
            let text = { (file: URL) in String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self) }
            let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return AuditProcess(output: text(output), messages: text(messages), exitCode: code)
        }
    }

    private init(output: String, messages: String, exitCode: Int32) {
        self.output = output
        self.messages = messages
        self.exitCode = exitCode
    }

    /// The rows of a CSV report on standard output, as cells by column. Cells of these tests hold no quotes.
    var rows: [[String: String]] { table(output) }
}

/// A CSV table whose cells hold no quotes, as cells by column.
func table(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) else {
        return []
    }
    return lines.dropFirst().map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Dictionary(zip(header, cells)) { first, _ in first }
    }
}
