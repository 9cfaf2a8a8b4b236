/// A folder of receipt files: first the rows of its manifest, then the files without a row.
final class FolderSource: ClaimSource {
    private let listing: FolderListing
    private let manifest: TableSource?
    private let origin: ClaimOrigin
    private let pool: BufferPool
    private let skipped: SkippedEntries
    private var manifestHasEnded = false
    private var position = 0
    private var rowsHandedOut = 0
    private var filesHandedOut = 0

    init(_ names: ClaimNames, manifest given: GivenPath?, pool: BufferPool) throws(InputError) {
        let folder = try FencedFolder(input: names.path)
        let own = names.path.hasSuffix("/") ? names.path + "devices.csv" : names.path + "/devices.csv"
        let table = if let given { try TableFile(given.path) } else { try TableFile(in: folder, own) }
        var walk = FolderWalk(folder, excluding: table.map { [$0.status] } ?? [])
        do throws(SystemError) {
            listing = try walk.list()
        } catch {
            throw InputError(opening: names.path, error)
        }
        skipped = walk.skipped
        origin = ClaimOrigin(prefix: names.prefix, folder: folder)
        manifest = table.map { [listing] in
            TableSource($0.stream, table: names.manifest(given), folder: folder, listing: listing, pool: pool)
        }
        self.pool = pool
    }

    /// Claims handed out, of those that there will be if the rest of the manifest is like what was read of it.
    var fraction: Double? {
        let read = manifestHasEnded ? 1 : manifest?.fraction ?? 1
        guard read > 0 else { return 0 }
        let rows = Double(rowsHandedOut) / read
        let files = max(0, Double(listing.count) - Double(listing.marked) / read)
        return Double(rowsHandedOut + filesHandedOut) / max(1, rows + files)
    }

    var omissions: Omissions {
        var omissions = manifest?.omissions ?? Omissions()
        omissions.skipped = skipped
        return omissions
    }

    func next() throws(InputError) -> ClaimBlock? {
        if !manifestHasEnded {
            if let block = try manifest?.next() {
                rowsHandedOut += block.items.count
                return block
            }
            manifestHasEnded = true
        }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        while position < listing.count, !block.isFull {
            defer { position += 1 }
            guard !listing.isMarked(position) else { continue }
            let path = listing.append(position, to: &block.text)
            block.items.append(ClaimBlock.Item(text: path, path: path, receipt: .inFile))
            filesHandedOut += 1
        }
        return !block.isEmpty ? block : nil
    }
}
