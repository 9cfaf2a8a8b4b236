import Files
import Rules
import Sorting

/// Hashes of keys, each with a claim that has the key, as logged by one worker.
///
/// They are in pieces, each divided among ``PrefixSlice``s in the order of hashes. A slice is sorted only after all
/// claims are checked (``KeySlice``), and then in a core's cache. Full pieces are held in memory up to a budget, and
/// beyond it written to a temporary file.
struct KeyLog {
    private static let largestPiece = 1 << 20
    private static let smallestPiece = 64 << 10

    /// The number of words per entry: the hash, a ``KeyRecord``'s word, the two of its trait and, in a run with a
    /// ledger, its identity.
    private let width: Int
    private let budget: Int
    private let folder: String
    private let wordsOfPiece: Int
    private var last: [UInt64] = []
    private var divided: [UInt64] = []
    private var pieces: [KeyPiece] = []
    /// The size of the words in memory.
    private var heldBytes = 0
    private var file: TemporaryFile?
    private var fileSize = 0

    init(withIdentities: Bool, budget: Int, folder: String) {
        width = withIdentities ? 5 : 4
        self.budget = budget
        self.folder = folder
        wordsOfPiece = max(Self.smallestPiece, min(budget / 8, Self.largestPiece)) / 8 / width * width
    }

    mutating func append(_ hash: UInt64, _ key: KeyRecord) throws(FileError) {
        if last.isEmpty { last.reserveCapacity(wordsOfPiece) }
        last.append(hash)
        last.append(key.word)
        last.append(key.trait.who)
        last.append(key.trait.what)
        if width == 5 { last.append(key.identity) }
        if last.count == wordsOfPiece { try endPiece() }
    }

    /// Returns all appended entries.
    mutating func finish() throws(FileError) -> KeyPieces {
        if !last.isEmpty { try endPiece() }
        defer { (pieces, file) = ([], nil) }
        return KeyPieces(width: width, file: file, pieces: pieces)
    }

    private mutating func endPiece() throws(FileError) {
        let starts = divide()
        last.removeAll(keepingCapacity: true)
        if heldBytes + divided.count * 8 <= budget {
            heldBytes += divided.count * 8
            pieces.append(KeyPiece(starts: starts, place: .memory(divided)))
            divided = []
            return
        }
        if file == nil { file = try TemporaryFile(in: folder) }
        try file?.write(divided.span, at: fileSize)
        pieces.append(KeyPiece(starts: starts, place: .file(position: fileSize)))
        fileSize += divided.count * 8
    }

    /// Moves the entries of each slice together, in arrival order. Returns the start of each slice, and the end of the
    /// last.
    private mutating func divide() -> [UInt32] {
        var starts = [UInt32](repeating: 0, count: PrefixSlice.count + 1)
        for index in stride(from: 0, to: last.count, by: width) {
            starts[Int(last[index] >> 56) + 1] += UInt32(width)
        }
        for slice in 0..<PrefixSlice.count { starts[slice + 1] += starts[slice] }
        var next = starts
        if divided.count != last.count { divided = [UInt64](repeating: 0, count: last.count) }
        for index in stride(from: 0, to: last.count, by: width) {
            let slice = Int(last[index] >> 56)
            let position = Int(next[slice])
            for word in 0..<width { divided[position + word] = last[index + word] }
            next[slice] += UInt32(width)
        }
        return starts
    }
}

/// Some entries of a ``KeyLog``, divided among slices.
struct KeyPiece: Sendable {
    enum Place: Sendable {
        case memory([UInt64])
        /// The position in bytes.
        case file(position: Int)
    }

    /// The start of each slice's words, and the end of the last.
    let starts: [UInt32]
    let place: Place

    func range(of slice: Int) -> Range<Int> { Int(starts[slice])..<Int(starts[slice + 1]) }
}

/// The entries of a ``KeyLog``. Any number of threads may read it.
struct KeyPieces: Sendable {
    let width: Int
    let file: TemporaryFile?
    let pieces: [KeyPiece]

    /// Returns the number of words in a slice.
    func count(inSlice slice: Int) -> Int { pieces.reduce(0) { $0 + $1.range(of: slice).count } }

    /// Appends the words of a slice piece by piece, in the order in which they were appended.
    func append(slice: Int, to words: inout [UInt64], afterEach: (inout [UInt64]) throws -> Void = { _ in }) throws {
        for piece in pieces {
            let range = piece.range(of: slice)
            switch piece.place {
            case .memory(let held): words += held[range]
            case .file(let position):
                let (start, end) = (position + 8 * range.lowerBound, position + 8 * range.upperBound)
                try file?.read(start..<end, appendingTo: &words)
            }
            try afterEach(&words)
        }
    }
}
