/// A folder of receipt files: first the rows of its manifest, then the files without a row.
final class FolderSource: BlockSource {
    private let listing: FolderListing
    private let manifest: TableSource?
    private let origin: ClaimOrigin
    private let pool: BlockPool
    private let skipped: [SkippedEntry: Int]
    private var manifestHasEnded = false
    private var position = 0
    /// How many files without a row have been handed out.
    private var handedOut = 0

    init(_ names: ClaimNames, devices: String?, pool: BlockPool) throws(InputError) {
        let folder = try FencedFolder(input: names.input)
        let own = ClaimNames(input: names.input, isOnly: false).manifest(nil)
        let table = if let devices { try TableFile(devices) } else { try TableFile(in: folder, own) }
        var walk = FolderWalk(folder, excluding: table.map { [$0.status] } ?? [])
        do throws(SystemError) {
            listing = try walk.list()
        } catch {
            throw InputError(opening: names.input, error)
        }
        skipped = walk.skipped
        origin = ClaimOrigin(prefix: names.prefix, folder: folder)
        manifest = table.map { [listing] in
            TableSource($0.stream, table: names.manifest(devices), folder: folder, listing: listing, pool: pool)
        }
        self.pool = pool
    }

    var unit: InputProgress.Unit { .files }
    var done: Int { listing.marked + handedOut }
    var total: Int? { listing.count }

    var statistics: InputStatistics {
        var statistics = manifest?.statistics ?? InputStatistics()
        statistics.skipped = skipped
        return statistics
    }

    func next() throws(InputError) -> ClaimBlock? {
        if !manifestHasEnded {
            if let block = try manifest?.next() { return block }
            manifestHasEnded = true
        }
        var block = pool.take(.files, from: origin)
        while position < listing.count, !block.isFull {
            defer { position += 1 }
            guard !listing.isMarked(position) else { continue }
            let path = listing.append(position, to: &block.arena)
            block.items.append(ClaimBlock.Item(text: path, path: path, receipt: .inFile))
            handedOut += 1
        }
        return block.count > 0 ? block : nil
    }
}
