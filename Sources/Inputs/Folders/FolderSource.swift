import Encodings
import Files

/// A folder of receipt files: first the rows of its manifest, then the files without a row.
final class FolderSource: ClaimSource {
    private let unnamed: UnnamedFiles
    private var walk: FolderWalk
    private var walkHasEnded = false
    private let manifest: TableSource?
    private let manifestPath: String
    /// A file at the top that has a manifest's header under another name. Determined once.
    private var otherManifest: String?
    /// Says which rows name no file, or which files no row names. Determined once.
    private var gaps: (isMost: Bool, text: String)?
    private let origin: ClaimOrigin
    private let path: String
    /// The user's names for columns.
    private let columns: ExportNames
    private let pool: BufferPool
    private var manifestHasEnded = false
    private var rowCount = 0
    private var fileCount = 0
    /// What the names of files reveal about a folder without a manifest.
    private var shape: FolderShape

    init(
        _ names: ClaimNames, manifest given: GivenPath?, columns: ExportNames, temporaryFolder: String, pool: BufferPool
    ) throws(InputError) {
        let directory = try ConfinedDirectory(input: names.path)
        let folder = ReceiptFolder(directory)
        let standard = names.path.hasSuffix("/") ? names.path + "devices.csv" : names.path + "/devices.csv"
        let table = if let given { try InputFile(given.path) } else { try InputFile(manifestIn: directory, standard) }
        let stream = table.map { PeekedStream($0.stream, atMost: InputContent.prefix) }
        let manifestPath = given?.path ?? standard
        if let stream, let known = FileShape(stream.start.span, manifestPath) {
            throw .unsupported(path: manifestPath, kind: known.kind, remedy: known.remedy)
        }
        let unnamed = UnnamedFiles(manifestOf: table == nil ? nil : folder, temporaryFolder: temporaryFolder)
        self.unnamed = unnamed
        shape = FolderShape(hasManifest: table != nil)
        walk = FolderWalk(directory, excluding: table?.status)
        origin = ClaimOrigin(prefix: names.prefix, folder: folder)
        self.manifestPath = manifestPath
        manifest = stream.map {
            TableSource(
                $0, table: names.manifest(given), folder: folder, names: columns, unnamed: unnamed, pool: pool)
        }
        self.pool = pool
        path = names.path
        self.columns = columns
        try walkOn()
    }

    /// The fraction of the claims so far, if the rest of the manifest is like its beginning.
    var fraction: Double? {
        let read = manifestHasEnded ? 1 : manifest?.fraction ?? 1
        guard read > 0 else { return 0 }
        let rows = Double(rowCount) / read
        let files = max(0, Double(unnamed.count) - Double(unnamed.named) / read)
        return Double(rowCount + fileCount) / max(1, rows + files)
    }

    var omissions: Omissions {
        var omissions = manifest?.omissions ?? Omissions()
        omissions.skipped = walk.skipped
        if manifest == nil || rowCount == 0 { omissions.add(path, to: \.foldersWithoutManifest) }
        if let manifest = shape.nestedManifest {
            omissions.add(
                "\(path): \(manifest) is not read, as only devices.csv at the top says which device claims which file: "
                    + "name the folder that it is in as INPUT, or the file with --devices", to: \.manifestFaults)
        }
        if let name = otherManifest {
            let file = ShellText.word(path.hasSuffix("/") ? path + name : "\(path)/\(name)")
            omissions.add(
                "\(path): \(name) is taken for a receipt, and looks like a manifest: only devices.csv says which device "
                    + "claims which file; save it as CSV, and name it with --devices \(file)", to: \.manifestFaults)
        }
        if let gaps { omissions.add(gaps.text, to: gaps.isMost ? \.manifestFaults : \.doubts) }
        return omissions
    }

    /// Says that many rows of the manifest name no file, or that no row names many files, and whether most.
    private func findGaps() -> (isMost: Bool, text: String)? {
        guard manifest != nil else { return nil }
        let missing = unnamed.missing
        if missing.count * Self.smallShare > unnamed.named, areMissing(missing.paths) {
            let cause =
                missing.example.map { "one names \($0.row), and the folder has \($0.file), which no row names" }
                ?? "paths are relative to the folder"
            let text =
                "\(manifestPath): \(missing.count) of \(unnamed.named) rows name files that are not in \(path): "
                + cause
            return (missing.count * 2 > unnamed.named, text)
        }
        guard unnamed.unnamedCount * Self.smallShare > unnamed.count, unnamed.named > 0 else { return nil }
        let example = missing.file.map { ", such as \($0)" } ?? ""
        let text =
            "\(manifestPath): no row names \(unnamed.unnamedCount) of the \(unnamed.count) files of \(path)\(example), so "
            + "that their devices are not known: export a row for each file"
        return (unnamed.unnamedCount * 2 > unnamed.count, text)
    }

    /// Up to one file in this many may be there without a row, and one row without a file, and nothing is said.
    private static let smallShare = 10

    /// Returns the first table at the top that is called devices, or has a column of files.
    private func findOtherManifest() -> String? {
        shape.tables.first { name in
            if name.utf8.starts(with: "devices".utf8) { return true }
            guard let stream = try? InputFile("\(path)/\(name)").stream else { return false }
            let start = PeekedStream(stream, atMost: TableHeader.prefix).start
            return TableHeader.separator(in: start.span, columns, naming: [.file]) != nil
        }
    }

    /// Whether some paths lead to no file. They may be behind links, which are not followed when listing.
    private func areMissing(_ paths: [[UInt8]]) -> Bool {
        guard let folder = origin.folder else { return false }
        return paths.allSatisfy { !$0.contains(0) && (try? folder.open(($0 + [0]).span, .status)) == nil }
    }

    func next() throws(InputError) -> ClaimBlock? {
        if !manifestHasEnded {
            // The folder is listed while workers check claims, in step with its manifest, so that they wait neither for
            // the whole listing nor for one folder per block.
            while !walkHasEnded, unnamed.count <= rowCount { try walkOn() }
            if let block = try manifest?.next() {
                rowCount += block.items.count
                return block
            }
            manifestHasEnded = true
        }
        let isFirst = !walkHasEnded || fileCount == 0
        while !walkHasEnded { try walkOn() }
        if let table = shape.onlyTable {
            throw .folderOfTables(path: path, example: path.hasSuffix("/") ? path + table : "\(path)/\(table)")
        }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        do throws(FileError) {
            while !block.isFull, let path = try unnamed.next(into: &block.text) {
                block.items.append(ClaimBlock.Item(text: path, path: path, identity: path, receipt: .inFile))
                fileCount += 1
            }
        } catch {
            throw .storage(error)
        }
        if isFirst { (gaps, otherManifest) = (findGaps(), findOtherManifest()) }
        return !block.isEmpty ? block : nil
    }

    private func walkOn() throws(InputError) {
        guard !walkHasEnded else { return }
        try InputError.opening(path) { () throws(SystemError) in
            walkHasEnded = try !walk.step {
                shape.add($0)
                unnamed.add(file: $0)
            }
        }
    }
}

/// The claims of receipt files that a user named one by one.
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
            block.items.append(ClaimBlock.Item(text: name, path: path, identity: name, receipt: .inFile))
            position += 1
        }
        return block
    }
}

extension ConfinedDirectory {
    /// Opens a folder named by a user, or the folder of a table.
    convenience init(input path: String) throws(InputError) {
        do throws(SystemError) { try self.init(path) } catch { throw InputError(opening: path, error) }
    }
}
