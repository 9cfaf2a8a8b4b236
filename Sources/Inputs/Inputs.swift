/// All INPUTs of a job, as one run of claims in their order.
///
/// One thread at a time may read it; it hands out blocks, so that the lock around it is taken once for a hundred
/// claims. Files are not read and JSON is not parsed here: see ``ClaimLoader`` and ``ClaimDecoder``.
public final class Inputs: ClaimSource {
    private let groups: [Group]
    private let manifest: GivenPath?
    private let temporaryFolder: String
    private let pool = BufferPool()
    private let unknownKeys = UnknownKeys()
    private var current: (any ClaimSource)?
    private var opened = 0
    private var ended = Omissions()

    /// INPUTs that are read as one: a folder, a table, or receipt files that stand side by side.
    private struct Group {
        let kind: InputKind
        var names: [ClaimNames]
    }

    /// Looks at each INPUT. One that cannot be opened stops the job before it begins.
    ///
    /// - Parameters:
    ///   - inputs: folders, tables or receipt files; `-` is NDJSON on standard input.
    ///   - manifest: the manifest of the one folder among them, if not its own `devices.csv`.
    ///   - temporaryFolder: where the paths of a folder's files go while they are too many to be held.
    public init(
        _ inputs: [GivenPath], manifest: GivenPath? = nil, temporaryFolder: String = "/tmp"
    ) throws(InputError) {
        self.manifest = manifest
        self.temporaryFolder = temporaryFolder
        var groups: [Group] = []
        for input in inputs {
            let kind = try InputKind(of: input.path)
            let names = ClaimNames(input: input, isOnly: inputs.count == 1)
            if kind == .receipt, let last = groups.last, last.kind == .receipt {
                groups[groups.count - 1].names.append(names)
            } else {
                groups.append(Group(kind: kind, names: [names]))
            }
        }
        self.groups = groups
        if let path = manifest?.path {
            guard groups.count(where: { $0.kind == .folder }) == 1 else { throw .manifestWithoutFolder(path: path) }
            guard try InputKind(of: path) != .folder else {
                throw .unreadable(path: path, reason: "is a directory")
            }
        }
        // A run that cannot start says so at once.
        try openNext()
    }

    /// The same for paths that are where they are written.
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
        current = try open(groups[opened - 1])
    }

    /// To add an input format, add a source, a line here and its extensions in ``InputKind``.
    private func open(_ input: Group) throws(InputError) -> any ClaimSource {
        let names = input.names[0]
        switch input.kind {
        case .receipt: return FileListSource(input.names, pool: pool)
        case .folder:
            return try FolderSource(names, manifest: manifest, temporaryFolder: temporaryFolder, pool: pool)
        case .table:
            let folder = try ConfinedDirectory(input: names.folder)
            return TableSource(try TableFile(names.path).stream, table: names.table, folder: folder, pool: pool)
        case .lines:
            let folder = try ConfinedDirectory(input: names.folder)
            let origin = ClaimOrigin(table: names.table, folder: folder, unknownKeys: unknownKeys)
            return LineSource(try TableFile(names.path).stream, origin: origin, pool: pool)
        case .standardInput:
            let origin = ClaimOrigin(
                table: names.table, folder: try ConfinedDirectory(input: "."), unknownKeys: unknownKeys)
            return LineSource(try FileStream(standardInput: ()), origin: origin, pool: pool)
        }
    }
}
