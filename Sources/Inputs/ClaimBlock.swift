/// Some claims' worth of input, as it goes from the source to a reader and on to a worker.
///
/// Claims go in blocks so that threads meet once a block, and all bytes of a block stand in one buffer.
public struct ClaimBlock: Sendable {
    /// Where a claim's receipt is.
    enum Receipt: Sendable {
        /// In a file that has not been read yet, by its path below the source's folder.
        case file(String)
        /// In ``bytes``, in whatever form it was sent in.
        case bytes(Range<Int>)
        case fault(InputFault)
    }

    struct Entry: Sendable {
        var claim: Claim
        var receipt: Receipt
    }

    var entries: [Entry] = []
    var bytes: [UInt8] = []
    /// Whole lines of NDJSON in ``bytes``, not taken apart yet.
    var lines: LineRun?
    /// The folder that files are named in.
    var folder: ConfinedFolder?

    /// The number of claims after which a block is full.
    static let fullCount = 128
    /// The number of bytes after which a block is full.
    static let fullBytes = 512 << 10

    var isFull: Bool { entries.count >= Self.fullCount || bytes.count >= Self.fullBytes }
    var isEmpty: Bool { entries.isEmpty && lines == nil }
}

/// The lines of a block, and what they are called.
struct LineRun: Sendable {
    /// The name before the line number in `source`.
    var name: String
    /// The number of the first line.
    var firstLine: Int
}
