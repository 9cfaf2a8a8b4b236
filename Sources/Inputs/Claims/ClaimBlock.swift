/// Some claims' worth of input, as it goes from the source to a reader and on to a worker.
///
/// Claims go in blocks so that threads meet once a block. What a block holds lies in two buffers, so that it costs a
/// handful of allocations however many claims it holds. A reference, so that a buffer has one owner whoever
/// holds the block: copying it would cost more than reading it. Not to be touched by two threads at once: each
/// hands it on to the next.
public final class ClaimBlock: @unchecked Sendable {
    let shape: Shape
    let origin: ClaimOrigin
    /// Where ``text`` goes when the block has been used.
    let pool: BufferPool?
    /// Cells, lines and paths.
    var text: ByteArena
    /// The files that a loader has read.
    var files = ByteArena()
    var items: [Item] = []
    /// For rows: where each known column's cell is, ``Column/count`` ranges for an item.
    var cells: [Range<Int>] = []
    /// What the system says of each item's file, where somebody asks for it; empty if nobody does.
    var stamps: [FileStatus?] = []
    /// Whether taking it apart meant to read a file, which the block's text names.
    var hasFilesInText = false
    /// Keys in its lines that nobody asked for, where somebody asks for them block by block.
    var unknownKeys = UnknownNames()

    init(_ shape: Shape, from origin: ClaimOrigin, pool: BufferPool?) {
        self.shape = shape
        self.origin = origin
        self.pool = pool
        text = pool?.take() ?? ByteArena()
    }

    /// A block of rows that were gathered.
    init(_ rows: consuming GatheredRows, from origin: ClaimOrigin, pool: BufferPool) {
        shape = .rows
        self.origin = origin
        self.pool = pool
        text = rows.text
        items = rows.items
        cells = rows.cells
    }

    /// The number of claims after which a block is full.
    static let fullCount = 128
    /// The number of bytes after which a block is full.
    static let fullBytes = 256 << 10

    static func isFull(count: Int, bytes: Int) -> Bool { count >= fullCount || bytes >= fullBytes }

    var isFull: Bool { Self.isFull(count: items.count, bytes: text.count) }
    var isEmpty: Bool { items.isEmpty }

    /// How many claims it holds.
    public var count: Int { items.count }

    /// What the items are.
    enum Shape: Sendable {
        /// Files without a row.
        case files
        /// Rows of a manifest or a table, split into cells.
        case rows
        /// Lines of NDJSON, not yet parsed.
        case lines
    }

    /// One claim to be.
    struct Item: Sendable {
        /// The physical line on which the row starts.
        var line = 0
        /// The line of NDJSON, or the name of a file without a row.
        var text = 0..<0
        /// The path of the receipt file, with a NUL after it.
        var path = 0..<0
        var receipt = Receipt.inText
    }

    /// Where the bytes of a claim's receipt are.
    enum Receipt: Sendable {
        /// In the line, or in a cell of the row.
        case inText
        /// In a file that has not been read.
        case inFile
        /// In the files that were loaded.
        case loaded(Range<Int>)
        /// Nowhere.
        case fault(InputFault)
    }
}
