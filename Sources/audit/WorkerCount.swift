import ArgumentParser
import Engine

/// How many threads judge receipts, as `--workers` and a job file say it.
enum WorkerCount {
    /// `from 1 to 128`.
    static let text =
        "from \(OrderedPipeline.workerRange.lowerBound) to \(OrderedPipeline.workerRange.upperBound)"

    static func validate(_ workers: Int) throws {
        guard OrderedPipeline.workerRange.contains(workers) else {
            throw ValidationError("--workers must be \(text).")
        }
    }
}
