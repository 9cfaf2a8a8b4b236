/// The rows of a block to be. Not the block itself: each look into a class is checked when the program runs, and a table
/// is looked into many times a row.
struct GatheredRows {
    var text: ByteArena
    var items: [ClaimBlock.Item] = []
    var cells: [Range<Int>] = []

    init(_ pool: BufferPool) {
        text = pool.take()
        items.reserveCapacity(ClaimBlock.fullCount)
        cells.reserveCapacity(ClaimBlock.fullCount * Column.count)
    }

    var areEnough: Bool { ClaimBlock.isFull(count: items.count, bytes: text.count) }

    /// Makes a block of them, and begins with none.
    mutating func takeBlock(from origin: ClaimOrigin, _ pool: BufferPool) -> ClaimBlock {
        var rows = GatheredRows(pool)
        swap(&rows, &self)
        return ClaimBlock(rows, from: origin, pool: pool)
    }
}
