import Encodings
import Files

/// All INPUTs of a job, as one source of claims in order.
///
/// One thread at a time may read it, in blocks, so that its lock is taken once for a hundred claims. It does not read
/// files or parse JSON: see ``ClaimLoader`` and ``ClaimDecoder``.
public final class Inputs: ClaimSource {
    private let groups: [Group]
    private let manifest: GivenPath?
    private let names: ExportNames
    private let temporaryFolder: String
    private let pool = BufferPool()
    private let unknownKeys = UnknownKeys()
    private var current: (any ClaimSource)?
    private var opened = 0
    private var ended = Omissions()

    /// Classifies each INPUT. One that cannot be opened stops the job before it begins.
    ///
    /// - Parameters:
    ///   - inputs: folders, tables or receipt files; `-` is a table or JSON on standard input.
    ///   - names: the names of the columns.
    ///   - manifest: the manifest of the only folder among them, if it is not the folder's `devices.csv`.
    ///   - temporaryFolder: the folder for the paths of a folder's files if they do not fit in memory.
    public init(
        _ inputs: [GivenPath], manifest: GivenPath? = nil, names: ExportNames = ExportNames(),
        temporaryFolder: String = "/tmp"
    ) throws(InputError) {
        guard inputs.count(where: { $0.path == "-" }) < 2 else { throw .standardInputTwice }
        self.manifest = manifest
        self.names = names
        self.temporaryFolder = temporaryFolder
        var groups: [Group] = []
        for input in inputs {
            let claims = ClaimNames(input: input, isOnly: inputs.count == 1)
            let group = try Group(claims, names)
            if case .receipts = group, case .receipts(let others) = groups.last {
                groups[groups.count - 1] = .receipts(others + [claims])
            } else {
                groups.append(group)
            }
        }
        self.groups = groups
        ended.columnSearch = ColumnSearch(names)
        for doubt in RepeatedInputs(inputs).doubts { ended.add(doubt, to: \.doubts) }
        if let path = manifest?.path {
            guard groups.count(where: \.isFolder) == 1 else { throw .manifestWithoutFolder(path: path) }
            if path != "-", let objection = try Group.status(of: path).objection {
                throw .unreadable(path: path, reason: objection)
            }
        }
        // A run that cannot start fails at once.
        try openNext()
    }

    /// Does the same for paths in their written form.
    public convenience init(
        _ paths: [String], manifestPath: String? = nil, temporaryFolder: String = "/tmp"
    ) throws(InputError) {
        try self.init(
            paths.map { GivenPath($0) }, manifest: manifestPath.map { GivenPath($0) },
            temporaryFolder: temporaryFolder)
    }

    public func next() throws(InputError) -> ClaimBlock? {
        while let source = current {
            if let block = try source.next() {
                block.input = opened - 1
                ended.examine(block)
                return block
            }
            ended = ended + source.omissions
            try openNext()
        }
        return nil
    }

    public var fraction: Double? {
        guard let current else { return 1 }
        guard let part = current.fraction else { return nil }
        return (Double(opened - 1) + part) / Double(groups.count)
    }

    public var omissions: Omissions {
        var omissions = current.map { ended + $0.omissions } ?? ended
        omissions.add(unknownColumns: unknownKeys.names)
        return omissions
    }

    /// The number of INPUTs, where consecutive receipt files count as one.
    public var count: Int { groups.count }

    /// The path of an INPUT's table or manifest, for commands.
    public func path(ofInput index: Int) -> String {
        guard groups.indices.contains(index) else { return "" }
        switch groups[index] {
        case .folder(let claims):
            return manifest?.path ?? (claims.path.hasSuffix("/") ? claims.path : claims.path + "/") + "devices.csv"
        case .file(let claims, _), .standardInput(let claims, _, _): return claims.path
        case .receipts(let claims): return claims.first?.path ?? ""
        }
    }

    /// Whether a file is a table, JSON lines by its name, or an array. A single JSON object may have been sent instead
    /// of a proof.
    ///
    /// - Throws: the errors of a run over it.
    public static func isExport(_ path: String, _ names: ExportNames) throws(InputError) -> Bool {
        let status = try Group.status(of: path)
        guard !status.isFolder, status.objection == nil else { return false }
        let stream = PeekedStream(try InputFile(path).stream, atMost: InputContent.prefix)
        let start = stream.start.span
        switch InputContent(start, path, names) {
        case .table: return true
        case .lines: return InputContent.isNamedLines(path)
        case .objects: return start.firstUnblank.map { start[$0] == UInt8(ascii: "[") } ?? false
        case .proof, .unsupported: return false
        }
    }

    /// Whether a path leads to a folder that can be opened.
    public static func isFolder(_ path: String) -> Bool { (try? Group.status(of: path))?.isFolder == true }

    /// Returns the name of an INPUT, or of the first of consecutive receipt files.
    public func name(ofInput index: Int) -> String { groups.indices.contains(index) ? groups[index].name : "" }

    private func openNext() throws(InputError) {
        current = nil
        guard opened < groups.count else { return }
        opened += 1
        switch groups[opened - 1] {
        case .receipts(let files): current = FileListSource(files, pool: pool)
        case .folder(let claims):
            current = try FolderSource(
                claims, manifest: manifest, columns: names, temporaryFolder: temporaryFolder, pool: pool)
        case .file(let claims, let content):
            current = content.source(
                try InputFile(claims.path).stream, try origin(claims, claims.folder), names, pool)
        case .standardInput(let claims, let content, let stream):
            current = content.source(stream, try origin(claims, "."), names, pool)
        }
    }

    private func origin(_ claims: ClaimNames, _ folder: String) throws(InputError) -> ClaimOrigin {
        ClaimOrigin(
            table: claims.table, folder: try ReceiptFolder(input: folder), unknownKeys: unknownKeys, names: names)
    }
}

extension InputContent {
    /// Returns the claims of a table or of JSON.
    func source(
        _ stream: any ByteStream, _ origin: ClaimOrigin, _ names: ExportNames, _ pool: BufferPool
    ) -> any ClaimSource {
        switch self {
        case .table: TableSource(stream, table: origin.table, folder: origin.folder, names: names, pool: pool)
        case .objects: ObjectSource(stream, origin: origin, pool: pool)
        case .lines, .proof, .unsupported: LineSource(stream, origin: origin, pool: pool)
        }
    }

    /// Classifies standard input. Empty input counts as lines.
    ///
    /// - Parameters:
    ///   - name: the name of the input. Its extension decides if the first bytes are ambiguous.
    ///   - remedy: what to do with an input that is neither a table nor JSON.
    init(
        standardInput stream: PeekedStream, named name: String, _ columns: ExportNames, remedy: String
    ) throws(InputError) {
        self.init(stream.start.span, name, columns)
        if case .unsupported(let shape) = self {
            throw .unsupported(path: "standard input", kind: shape.kind, remedy: shape.remedy)
        }
        guard self == .proof else { return }
        guard stream.start.allSatisfy(\.isBlank) else {
            throw .unsupported(path: "standard input", kind: "neither a table nor JSON", remedy: remedy)
        }
        self = .lines
    }
}

/// INPUTs that are read as one.
private enum Group {
    case folder(ClaimNames)
    case file(ClaimNames, InputContent)
    case standardInput(ClaimNames, InputContent, any ByteStream)
    /// Consecutive receipt files.
    case receipts([ClaimNames])

    /// Classifies an INPUT by its first bytes, unless it is a folder.
    ///
    /// - Throws: if it does not exist, is neither file nor folder, or is in an unsupported format.
    init(_ names: ClaimNames, _ columns: ExportNames) throws(InputError) {
        let path = names.path
        if path == "-" {
            let stream = PeekedStream(
                try FileStream(standardInput: ()).decompressedIfNeeded("-"), atMost: InputContent.prefix)
            let content = try InputContent(
                standardInput: stream, named: path, columns, remedy: "`audit inspect -` shows one receipt or token")
            self = .standardInput(names, content, stream)
            return
        }
        let status = try Self.status(of: path)
        if status.isFolder {
            self = .folder(names)
        } else if let objection = status.objection {
            throw .unreadable(path: path, reason: objection)
        } else {
            let stream = try InputFile(path).stream
            var start = PeekedStream(stream, atMost: InputContent.prefix).start
            if InputContent.mayBeLines(start.span) {
                start = PeekedStream(try InputFile(path).stream, atMost: TableRows.maxRowSize).start
            }
            switch InputContent(start.span, path, columns) {
            case .proof: self = .receipts([names])
            case .unsupported(let shape):
                let unpacked = stream is GzipStream ? shape.unpacked(path) : shape
                throw .unsupported(path: path, kind: unpacked.kind, remedy: unpacked.remedy)
            case let content: self = .file(names, content)
            }
        }
    }

    /// The INPUT as written, or the first of several.
    var name: String {
        switch self {
        case .folder(let names), .file(let names, _), .standardInput(let names, _, _): names.input
        case .receipts(let names): names.first?.input ?? ""
        }
    }

    var isFolder: Bool { if case .folder = self { true } else { false } }

    static func status(of path: String) throws(InputError) -> FileStatus {
        try InputError.opening(path) { () throws(SystemError) in try FileDescriptor.open(path).status() }
    }
}
