/// All INPUTs of a job, as one run of claims in their order.
///
/// One thread at a time may read it; it hands out blocks, so that the lock around it is taken once for a hundred
/// claims. Files are not read and JSON is not parsed here: see ``ClaimLoader`` and ``ClaimDecoder``.
public final class ClaimSource {
    private let inputs: [Group]
    private let devices: String?
    private let isOnly: Bool
    private let pool = BlockPool()
    private var current: (any BlockSource)?
    private var next = 0
    private var ordinal = 0
    private var past = InputStatistics()

    /// INPUTs that are read as one: a folder, a table, or receipt files that stand side by side.
    private struct Group {
        let kind: InputKind
        var names: [ClaimNames]
    }

    /// Looks at each INPUT. One that cannot be opened stops the job before it begins.
    ///
    /// - Parameter devices: the manifest of the one folder among the INPUTs, if not its own `devices.csv`.
    public init(_ paths: [String], devices: String? = nil) throws(InputError) {
        isOnly = paths.count == 1
        self.devices = devices
        var groups: [Group] = []
        for path in paths {
            let kind = try InputKind(of: path)
            let names = ClaimNames(input: path, isOnly: paths.count == 1)
            if kind == .receipt, let last = groups.last, last.kind == .receipt {
                groups[groups.count - 1].names.append(names)
            } else {
                groups.append(Group(kind: kind, names: [names]))
            }
        }
        inputs = groups
        guard let devices else { return }
        guard groups.count(where: { $0.kind == .folder }) == 1 else { throw .devicesWithoutFolder(path: devices) }
        do throws(SystemError) {
            _ = try FileDescriptor.open(devices)
        } catch {
            throw InputError(opening: devices, error)
        }
    }

    /// The next claims, or `nil` when all INPUTs have been read.
    public func nextBlock() throws(InputError) -> ClaimBlock? {
        while true {
            if var block = try current?.next() {
                block.ordinal = ordinal
                ordinal += 1
                return block
            }
            if let current { past.merge(current.statistics) }
            current = nil
            guard next < inputs.count else { return nil }
            current = try open(inputs[next])
            next += 1
        }
    }

    /// Takes back a block that has been used, for its memory.
    public func recycle(_ block: consuming ClaimBlock) { pool.give(block) }

    /// How far reading has come.
    public var progress: InputProgress {
        InputProgress(
            input: max(next, 1), inputs: inputs.count, unit: current?.unit ?? .files, done: current?.done ?? 0,
            total: current?.total)
    }

    /// What has been seen so far and is no claim. JSON keys are the decoders' to tell.
    public var statistics: InputStatistics {
        var statistics = past
        if let current { statistics.merge(current.statistics) }
        return statistics
    }

    /// To add an input format, add a source, a line here and its extensions in ``InputKind``.
    private func open(_ input: Group) throws(InputError) -> any BlockSource {
        let names = input.names[0]
        switch input.kind {
        case .receipt: return FileListSource(input.names, pool: pool)
        case .folder: return try FolderSource(names, devices: devices, pool: pool)
        case .table:
            let folder = try FencedFolder(input: ClaimNames.folder(of: names.input))
            return TableSource(try TableFile(names.input).stream, table: names.table, folder: folder, pool: pool)
        case .lines, .standardInput:
            throw .unreadable(path: names.input, reason: "not yet")
        }
    }
}
