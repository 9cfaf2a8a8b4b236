import Files

/// The progress of a large export, in one line on a terminal.
struct Progress {
    let total: Int
    /// The things that are counted, in the plural.
    let unit: String

    func show(_ done: Int) {
        guard total >= 5000, StandardError.isTerminal else { return }
        StandardError.write("\r\(done) of \(total) \(unit)" + (done >= total ? "\n" : ""))
    }
}
