internal import Files

/// A folder of receipt files: first the rows of its manifest, then the files without a row.
final class FolderSource: ClaimSource {
    private let unnamed: UnnamedFiles
    private var walk: FolderWalk
    private var walkHasEnded = false
    private let manifest: TableSource?
    private let origin: ClaimOrigin
    /// The folder, where it is.
    private let path: String
    private let pool: BufferPool
    private var manifestHasEnded = false
    private var rowsHandedOut = 0
    private var filesHandedOut = 0

    init(
        _ names: ClaimNames, manifest given: GivenPath?, temporaryFolder: String, pool: BufferPool
    ) throws(InputError) {
        let folder = try ConfinedDirectory(input: names.path)
        let standard = names.path.hasSuffix("/") ? names.path + "devices.csv" : names.path + "/devices.csv"
        let table = if let given { try TableFile(given.path) } else { try TableFile(in: folder, standard) }
        let unnamed = UnnamedFiles(hasManifest: table != nil, temporaryFolder: temporaryFolder)
        self.unnamed = unnamed
        walk = FolderWalk(folder, excluding: table.map { [$0.status] } ?? [])
        origin = ClaimOrigin(prefix: names.prefix, folder: folder)
        manifest = table.map {
            TableSource(
                $0.stream, table: names.manifest(given), folder: folder, unnamed: unnamed, pool: pool)
        }
        self.pool = pool
        path = names.path
        do throws(SystemError) {
            walkHasEnded = try !walk.step { unnamed.note(file: $0) }
        } catch {
            throw InputError(opening: names.path, error)
        }
    }

    /// Claims handed out, of those that there will be if the rest of the manifest is like what was read of it.
    var fraction: Double? {
        let read = manifestHasEnded ? 1 : manifest?.fraction ?? 1
        guard read > 0 else { return 0 }
        let rows = Double(rowsHandedOut) / read
        let files = max(0, Double(unnamed.count) - Double(unnamed.named) / read)
        return Double(rowsHandedOut + filesHandedOut) / max(1, rows + files)
    }

    var omissions: Omissions {
        var omissions = manifest?.omissions ?? Omissions()
        omissions.skipped = walk.skipped
        return omissions
    }

    func next() throws(InputError) -> ClaimBlock? {
        if !manifestHasEnded {
            // A folder is listed while others judge, so that nobody waits for all of it.
            try walkOn()
            if let block = try manifest?.next() {
                rowsHandedOut += block.items.count
                return block
            }
            manifestHasEnded = true
        }
        while !walkHasEnded { try walkOn() }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        do throws(FileError) {
            while !block.isFull, let path = try unnamed.next(into: &block.text) {
                block.items.append(ClaimBlock.Item(text: path, path: path, receipt: .inFile))
                filesHandedOut += 1
            }
        } catch {
            throw .storage(error)
        }
        return !block.isEmpty ? block : nil
    }

    private func walkOn() throws(InputError) {
        guard !walkHasEnded else { return }
        do throws(SystemError) {
            walkHasEnded = try !walk.step { unnamed.note(file: $0) }
        } catch {
            throw InputError(opening: path, error)
        }
    }
}
