/// A folder of receipt files: first the rows of its manifest, then the files without a row.
final class FolderSource: ClaimSource {
    private let listing: FolderListing
    private let manifest: TableSource?
    private let origin: ClaimOrigin
    private let pool: BufferPool
    private let skipped: SkippedEntries
    private var manifestHasEnded = false
    private var position = 0
    /// How many files without a row have been handed out.
    private var handedOut = 0

    init(_ names: ClaimNames, manifestPath: String?, pool: BufferPool) throws(InputError) {
        let folder = try FencedFolder(input: names.input)
        let own = ClaimNames(input: names.input, isOnly: false).manifest(nil)
        let table = if let manifestPath { try TableFile(manifestPath) } else { try TableFile(in: folder, own) }
        var walk = FolderWalk(folder, excluding: table.map { [$0.status] } ?? [])
        do throws(SystemError) {
            listing = try walk.list()
        } catch {
            throw InputError(opening: names.input, error)
        }
        skipped = walk.skipped
        origin = ClaimOrigin(prefix: names.prefix, folder: folder)
        manifest = table.map { [listing] in
            TableSource($0.stream, table: names.manifest(manifestPath), folder: folder, listing: listing, pool: pool)
        }
        self.pool = pool
    }

    /// Of the files, those that have been handed out.
    var fraction: Double? {
        listing.count > 0 ? Double(listing.marked + handedOut) / Double(listing.count) : manifest?.fraction ?? 1
    }

    var omissions: Omissions {
        var omissions = manifest?.omissions ?? Omissions()
        omissions.skipped = skipped
        return omissions
    }

    func next() throws(InputError) -> ClaimBlock? {
        if !manifestHasEnded {
            if let block = try manifest?.next() { return block }
            manifestHasEnded = true
        }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        while position < listing.count, !block.isFull {
            defer { position += 1 }
            guard !listing.isMarked(position) else { continue }
            let path = listing.append(position, to: &block.text)
            block.items.append(ClaimBlock.Item(text: path, path: path, receipt: .inFile))
            handedOut += 1
        }
        return !block.isEmpty ? block : nil
    }
}
