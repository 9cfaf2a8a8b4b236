import Encodings
import Files

/// The input of some claims, on its way from the source to a reader and on to a worker.
///
/// Claims travel in blocks so that threads synchronize once per block. The bytes are in two buffers, so that a block
/// costs a handful of allocations for any number of claims. It is a reference, so that a buffer has one owner: copying
/// it would cost more than reading it. Only one thread at a time may use it.
public final class ClaimBlock: @unchecked Sendable {
    let shape: Shape
    let origin: ClaimOrigin
    /// The pool that gets ``text`` back after the block has been used.
    let pool: BufferPool?
    /// Cells, lines and paths.
    var text: ByteArena
    /// The files that a loader has read.
    var files = ByteArena()
    var items: [Item] = []
    /// The cells of known columns, for rows: ``Column/count`` ranges per item.
    var cells: [Range<Int>] = []
    /// The number of the INPUT (see ``Inputs/name(ofInput:)``).
    public internal(set) var input = 0
    /// Whether the block has enough rows to end.
    var isFull: Bool { BlockLimit.isReached(by: items.count, bytes: text.count) }

    init(_ shape: Shape, from origin: ClaimOrigin, pool: BufferPool?) {
        self.shape = shape
        self.origin = origin
        self.pool = pool
        text = pool?.take() ?? ByteArena()
    }

    /// A block of rows.
    init(_ rows: consuming BlockRows, from origin: ClaimOrigin, pool: BufferPool) {
        shape = .rows
        self.origin = origin
        self.pool = pool
        text = rows.text
        items = rows.items
        cells = rows.cells
    }

    var isEmpty: Bool { items.isEmpty }

    /// The number of claims.
    public var count: Int { items.count }

    /// The kind of its items.
    enum Shape: Sendable {
        /// Files without a row.
        case files
        /// Rows of a manifest or a table, split into cells.
        case rows
        /// Lines of NDJSON, not yet parsed.
        case lines
    }

    /// The input of one claim.
    struct Item: Sendable {
        /// The physical line on which the row starts.
        var line = 0
        /// The line of NDJSON, or the name of a file without a row.
        var text = 0..<0
        /// The path of the receipt file, with a NUL after it.
        var path = 0..<0
        /// The bytes that distinguish the claim from others if there is no receipt: the bytes, without the line end, of
        /// a line or of an unreadable row; otherwise the path as named in the row.
        var identity = 0..<0
        var receipt = Receipt.inText
    }

    /// The place of the bytes of a claim's receipt.
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

/// The rows of the next block. Not a class like the block itself, because each access to a class is checked at run
/// time, and there are many per row.
struct BlockRows {
    var text: ByteArena
    private(set) var items: [ClaimBlock.Item] = []
    private(set) var cells: [Range<Int>] = []

    init(_ pool: BufferPool) {
        text = pool.take()
        items.reserveCapacity(BlockLimit.count)
        cells.reserveCapacity(BlockLimit.count * Column.count)
    }

    /// Whether there are enough rows for the block to end.
    var areFull: Bool { BlockLimit.isReached(by: items.count, bytes: text.count) }

    /// Appends a row, with its cells in ``text``.
    mutating func append(_ item: ClaimBlock.Item, _ cells: [Range<Int>]) {
        items.append(item)
        self.cells.append(contentsOf: cells)
    }

    /// Makes a block from the rows, and starts over.
    mutating func makeBlock(from origin: ClaimOrigin, _ pool: BufferPool) -> ClaimBlock {
        var rows = BlockRows(pool)
        swap(&rows, &self)
        return ClaimBlock(rows, from: origin, pool: pool)
    }
}

/// The size of a block: large enough that threads rarely meet, and small enough that it stays in a core's cache.
enum BlockLimit {
    static let count = 128
    private static let bytes = 256 << 10

    static func isReached(by count: Int, bytes: Int) -> Bool { count >= Self.count || bytes >= Self.bytes }
}

extension ClaimBlock {
    /// Returns the source of a claim.
    func source(of item: Item) -> ExactText {
        guard shape == .files else { return ExactText("\(origin.table):\(item.line)") }
        let text = text
        return ExactText(origin.prefix + String(repairing: text.span(item.text)))
    }
}
