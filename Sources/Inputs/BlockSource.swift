/// One INPUT, or several of one kind, read from front to back: what an input format must be able to do.
protocol BlockSource: AnyObject {
    /// The next claims, or `nil` at the end.
    func next() throws(InputError) -> ClaimBlock?
    var unit: InputProgress.Unit { get }
    var done: Int { get }
    var total: Int? { get }
    var statistics: InputStatistics { get }
}

/// Blocks that were used, kept for their memory.
final class BlockPool {
    private var spares: [ClaimBlock] = []
    private static let most = 16

    func take(_ shape: ClaimBlock.Shape, from origin: ClaimOrigin) -> ClaimBlock {
        var block = spares.popLast() ?? ClaimBlock()
        block.restart(shape, from: origin)
        return block
    }

    func give(_ block: consuming ClaimBlock) {
        guard spares.count < Self.most else { return }
        block.restart(.files, from: ClaimOrigin())
        spares.append(block)
    }
}
