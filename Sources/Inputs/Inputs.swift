import Encodings
import Files

/// All INPUTs of a job, as one source of claims in their order.
///
/// One thread at a time may read it, in blocks, so that the lock around it is taken once for a hundred claims. Files
/// are not read and JSON is not parsed here: see ``ClaimLoader`` and ``ClaimDecoder``.
public final class Inputs: ClaimSource {
    private let groups: [Group]
    private let manifest: GivenPath?
    private let temporaryFolder: String
    private let pool = BufferPool()
    private let unknownKeys = UnknownKeys()
    private var current: (any ClaimSource)?
    private var opened = 0
    private var ended = Omissions()

    /// Classifies each INPUT. One that cannot be opened stops the job before it begins.
    ///
    /// - Parameters:
    ///   - inputs: folders, tables or receipt files; `-` is NDJSON on standard input.
    ///   - manifest: the manifest of the one folder among them, if not its own `devices.csv`.
    ///   - temporaryFolder: where the paths of a folder's files go if they are too many for memory.
    public init(
        _ inputs: [GivenPath], manifest: GivenPath? = nil, temporaryFolder: String = "/tmp"
    ) throws(InputError) {
        self.manifest = manifest
        self.temporaryFolder = temporaryFolder
        var groups: [Group] = []
        for input in inputs {
            let names = ClaimNames(input: input, isOnly: inputs.count == 1)
            let group = try Group(names)
            if case .receipts = group, case .receipts(let others) = groups.last {
                groups[groups.count - 1] = .receipts(others + [names])
            } else {
                groups.append(group)
            }
        }
        self.groups = groups
        if let path = manifest?.path {
            guard groups.count(where: \.isFolder) == 1 else { throw .manifestWithoutFolder(path: path) }
            if path != "-", let objection = try Group.status(of: path).objection {
                throw .unreadable(path: path, reason: objection)
            }
        }
        // A run that cannot start fails at once.
        try openNext()
    }

    /// Does the same for paths that are written as they are.
    public convenience init(
        _ paths: [String], manifestPath: String? = nil, temporaryFolder: String = "/tmp"
    ) throws(InputError) {
        try self.init(
            paths.map { GivenPath($0) }, manifest: manifestPath.map { GivenPath($0) },
            temporaryFolder: temporaryFolder)
    }

    public func next() throws(InputError) -> ClaimBlock? {
        while let source = current {
            if let block = try source.next() { return block }
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

    private func openNext() throws(InputError) {
        current = nil
        guard opened < groups.count else { return }
        opened += 1
        switch groups[opened - 1] {
        case .receipts(let files): current = FileListSource(files, pool: pool)
        case .folder(let names):
            current = try FolderSource(names, manifest: manifest, temporaryFolder: temporaryFolder, pool: pool)
        case .file(let names, let format):
            current = format.source(try InputFile(names.path).stream, try origin(names, names.folder), pool)
        case .standardInput(let names):
            let origin = try origin(names, ".")
            current = InputFormat.ndjson.source(try FileStream(standardInput: ()), origin, pool)
        }
    }

    private func origin(_ names: ClaimNames, _ folder: String) throws(InputError) -> ClaimOrigin {
        ClaimOrigin(table: names.table, folder: try ConfinedDirectory(input: folder), unknownKeys: unknownKeys)
    }
}

/// INPUTs that are read as one.
private enum Group {
    case folder(ClaimNames)
    case file(ClaimNames, InputFormat)
    case standardInput(ClaimNames)
    /// Receipt files that stand side by side.
    case receipts([ClaimNames])

    /// Classifies an INPUT by its name alone, unless it is a folder.
    ///
    /// - Throws: if it does not exist, or is neither file nor folder.
    init(_ names: ClaimNames) throws(InputError) {
        let path = names.path
        if path == "-" {
            self = .standardInput(names)
            return
        }
        let status = try Self.status(of: path)
        if status.isFolder {
            self = .folder(names)
        } else if let objection = status.objection {
            throw .unreadable(path: path, reason: objection)
        } else if let format = InputFormat.all.first(where: { $0.matches(path) }) {
            self = .file(names, format)
        } else {
            self = .receipts([names])
        }
    }

    var isFolder: Bool { if case .folder = self { true } else { false } }

    static func status(of path: String) throws(InputError) -> FileStatus {
        try InputError.opening(path) { () throws(SystemError) in try FileDescriptor.open(path).status() }
    }
}

/// A format of files with many claims, recognised by the end of a file's name, with or without `.gz` behind it.
///
/// To add one, write its source and a static member of this type in one file, and add the member to ``all``.
struct InputFormat: Sendable {
    static let all: [InputFormat] = [.csv, .ndjson]

    private let suffixes: [String]
    /// Makes a source of the claims of a stream.
    let source: @Sendable (any ByteStream, ClaimOrigin, BufferPool) -> any ClaimSource

    init(
        _ suffixes: [String], source: @escaping @Sendable (any ByteStream, ClaimOrigin, BufferPool) -> any ClaimSource
    ) {
        self.suffixes = suffixes
        self.source = source
    }

    func matches(_ path: String) -> Bool {
        suffixes.contains { path.hasExtension($0) || path.hasExtension($0 + ".gz") }
    }
}
