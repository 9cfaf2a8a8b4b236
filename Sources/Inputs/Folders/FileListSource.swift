/// Receipt files that a user named one by one.
final class FileListSource: ClaimSource {
    private let files: [ClaimNames]
    private let pool: BufferPool
    private let origin = ClaimOrigin()
    private var position = 0

    init(_ files: [ClaimNames], pool: BufferPool) {
        self.files = files
        self.pool = pool
    }

    let omissions = Omissions()
    var fraction: Double? { Double(position) / Double(max(1, files.count)) }

    func next() -> ClaimBlock? {
        guard position < files.count else { return nil }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        while position < files.count, !block.isFull {
            let name = block.text.append(files[position].table.utf8.span)
            let path = block.text.append(files[position].path.utf8.span)
            block.text.append(0)
            block.items.append(ClaimBlock.Item(text: name, path: path, receipt: .inFile))
            position += 1
        }
        return block
    }
}
