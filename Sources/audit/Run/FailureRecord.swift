import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Reports

/// Records a failed run where an operator looks: in the ledger and in the metrics.
///
/// The reports and the other metrics stay those of the last successful run.
enum FailureRecord {
    /// - Parameter exitCode: the exit code of the process.
    static func write(_ error: any Error, exitCode: Int32 = 2, of settings: RunSettings, _ log: RunLog) {
        let now = Clock.now
        if let state = settings.state, FileContents.exists(state.path), !isOfLedger(error) {
            let failed = FailedRun(at: now.wholeSeconds, asOf: settings.asOf, reason: "\(error)")
            do { try Ledger.record(failed, in: state.path) } catch {
                log.warn("the ledger does not say that this run failed: \(error)")
            }
        }
        if let metrics = settings.metrics {
            do { try write(to: metrics, at: now, exitCode, settings.jobName) } catch {
                log.warn("the metrics do not say that this run failed: \(error)")
            }
        }
    }

    /// Whether the ledger itself is the problem. Then it is left unchanged.
    private static func isOfLedger(_ error: any Error) -> Bool { error is LedgerError }

    private static func write(to path: String, at date: Instant, _ exitCode: Int32, _ job: ExactText) throws {
        // A FIFO or a device stores nothing, and may have no reader.
        guard FileContents.isRegular(path) ?? true else { return }
        let earlier = FileContents.exists(path) ? try FileContents.bytes(of: path, limit: 1 << 20) : []
        let text = String(decoding: earlier, as: UTF8.self)
        guard text.isEmpty || text.hasPrefix("# HELP audit_") else { return }
        let told = Array(
            Metrics.text(afterFailureAt: date, exitCode: Int(exitCode), job: job, earlier: text).utf8)
        do {
            try replace(path, by: told)
        } catch let error as FileError {
            guard error.isDiskFull, !earlier.isEmpty else { throw error }
            try OutputFile.overwrite(path, with: told.span)
        }
    }

    private static func replace(_ path: String, by bytes: [UInt8]) throws {
        let file = try OutputFile(replacing: path, isForAll: true)
        try file.write(bytes.span)
        try file.finish()
        try Publication.publish([file])
    }
}

/// A run that was stopped by a signal, for the history of runs.
struct StoppedBySignal: Error, CustomStringConvertible {
    let signal: Int32

    private static let names: [Int32: String] = [1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM"]

    var description: String { "stopped by \(Self.names[signal] ?? "signal \(signal)")" }
}
