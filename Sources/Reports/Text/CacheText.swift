import Encodings
public import Engine

/// What a run did not have to do again, for standard error.
public struct CacheText {
    /// For example `9,936 of 10,000 claims were known, 64 signatures verified; 3 findings are new`.
    public let line: String

    public init(_ work: CacheUse, _ changes: ChangeCounts?, of tally: Tally) {
        var line = "\(grouped(work.cached)) of \(grouped(tally.claims)) claims were known, "
        line += "\(counted(work.verified, "signature", grouped)) verified"
        if let changes {
            line += "; \(counted(changes.new, "finding", grouped)) \(changes.new == 1 ? "is" : "are") new"
        }
        self.line = line
    }
}
