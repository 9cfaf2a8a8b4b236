/// A folder of receipts: what its manifest claims, then every file without a row.
final class FolderSource: ClaimSource {
    static let manifestName = "devices.csv"

    private let prefix: String
    private let folder: ConfinedFolder
    private var manifest: TableReader?
    private var files = PathList()
    private var nextFile = 0
    private(set) var omissions = Omissions()

    /// - Parameters:
    ///   - prefix: what stands before every source's name, when there is more than one input.
    ///   - manifestPath: the file that `--devices` names, instead of the folder's own.
    init(_ path: String, prefix: String, manifestPath: String?) throws(InputError) {
        guard let folder = ConfinedFolder(path) else { throw .unopenable(path: path, reason: systemReason()) }
        self.folder = folder
        self.prefix = prefix
        let ownManifest = path + "/" + Self.manifestName
        var walk = FolderWalk(root: path)
        var files = PathList()
        var hasOwnManifest = false
        var isComplete = true
        walk.forEachFile { file in
            if file == Self.manifestName {
                hasOwnManifest = true
            } else {
                isComplete = files.append(file) && isComplete
            }
        }
        guard isComplete else { throw .tooManyFiles(path: path) }
        files.sort()
        self.files = files
        omissions.skipped = walk.skipped
        if let manifestPath {
            manifest = try TableReader(
                FileStream(manifestPath), name: prefix + lastComponent(of: manifestPath), folder: folder)
        } else if hasOwnManifest {
            manifest = try TableReader(
                FileStream(ownManifest, regularOnly: true), name: prefix + Self.manifestName, folder: folder)
        }
    }

    var fraction: Double? {
        if let manifest { return manifest.fraction }
        return files.count > 0 ? Double(nextFile) / Double(files.count) : 1
    }

    func next() throws(InputError) -> ClaimBlock? {
        if let manifest {
            if let block = try manifest.next() {
                for case .file(let path) in block.entries.map(\.receipt) { files.mark(normalized(path)) }
                return block
            }
            omissions.add(unknownColumns: manifest.unknownColumns)
            self.manifest = nil
        }
        return nextFiles()
    }

    private func nextFiles() -> ClaimBlock? {
        var block = ClaimBlock()
        while nextFile < files.count, !block.isFull {
            if !files.isMarked(nextFile) {
                let path = files[nextFile]
                var claim = Claim(source: prefix + path)
                claim.file = path
                block.entries.append(ClaimBlock.Entry(claim: claim, receipt: .file(path)))
            }
            nextFile += 1
        }
        block.folder = folder
        return block.isEmpty ? nil : block
    }
}

/// A path without `.` components and doubled slashes: the form in which a walk finds files.
func normalized(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "/")) else { return path }
    return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
}

func lastComponent(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}
