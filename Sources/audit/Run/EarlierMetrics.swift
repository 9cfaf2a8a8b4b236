import Encodings
import Files

/// The contents of the last run's metrics.
struct EarlierMetrics {
    /// The number of its run in the ledger; `nil` if it had none, or if the file does not exist or is not a regular
    /// file.
    let ledgerRun: Int64?

    /// - Parameters:
    ///   - path: the path of the metrics file.
    ///   - job: the job's name, which the sample must have as its label; empty if there is none.
    init(_ path: String, _ job: ExactText) {
        guard FileContents.isRegular(path) == true, let bytes = try? FileContents.bytes(of: path, limit: 1 << 20) else {
            ledgerRun = nil
            return
        }
        let start = job.isEmpty ? "audit_ledger_run " : "audit_ledger_run{job=\"\(job.text)\"} "
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(start) }
        ledgerRun = line.flatMap { Int64($0.dropFirst(start.count)) }
    }
}
