/// A run of claims in the order of the input, on its way from the source to a worker.
///
/// One thread at a time owns it. Everything in it lies in one arena, so that a block costs
/// a handful of allocations however many claims it holds, and none once it is used again.
public struct ClaimBlock: Sendable {
    /// The place of this block among all blocks of the source, from 0 on.
    public internal(set) var ordinal = 0
    /// How many claims it holds.
    public var count: Int { items.count }

    var origin = ClaimOrigin()
    var shape = Shape.files
    var arena = ByteArena()
    var items: [Item] = []
    /// For rows: where each known column's cell is, ``Column/count`` ranges for an item.
    var cells: [Range<Int>] = []

    /// About as many claims as a worker should take at once.
    static let fullCount = 128
    /// About as much text as a worker should take at once.
    static let fullBytes = 256 << 10

    var isFull: Bool { items.count >= Self.fullCount || arena.count >= Self.fullBytes }

    public init() {}

    /// Makes a block of another shape, in the memory of this one.
    mutating func restart(_ shape: Shape, from origin: ClaimOrigin) {
        self.shape = shape
        self.origin = origin
        arena.empty()
        items.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }

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
        /// In the arena.
        case loaded(Range<Int>)
        /// Nowhere.
        case fault(InputFault)
    }
}
