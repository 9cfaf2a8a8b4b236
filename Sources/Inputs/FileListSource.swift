/// Receipt files that a user named one by one.
final class FileListSource: BlockSource {
    private let files: [ClaimNames]
    private let pool: BlockPool
    private let origin = ClaimOrigin()
    private var position = 0

    init(_ files: [ClaimNames], pool: BlockPool) {
        self.files = files
        self.pool = pool
    }

    var unit: InputProgress.Unit { .files }
    var done: Int { position }
    var total: Int? { files.count }
    var statistics: InputStatistics { InputStatistics() }

    func next() -> ClaimBlock? {
        guard position < files.count else { return nil }
        var block = pool.take(.files, from: origin)
        while position < files.count, !block.isFull {
            let name = block.arena.append(files[position].table.utf8.span)
            let path = block.arena.append(files[position].input.utf8.span)
            block.arena.append(0)
            block.items.append(ClaimBlock.Item(text: name, path: path, receipt: .inFile))
            position += 1
        }
        return block
    }
}
