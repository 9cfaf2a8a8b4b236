internal import Files

/// What a run itself writes, which is no receipt where it lies in a folder of receipts: reports, metrics, the ledger, and what
/// stands beside them while they are written.
public struct OwnFiles: Sendable {
    private struct Place: Sendable {
        let device: UInt64
        let inode: UInt64
        let name: [UInt8]
    }

    private let places: [Place]

    /// - Parameter paths: of the files, which need not be there yet; their folders must. Symbolic links are followed.
    public init(_ paths: [String] = []) {
        places = paths.flatMap { path in Set([path, OutputFile.resolved(path)]).compactMap { Self.place(of: $0) } }
    }

    /// Those in a folder.
    func names(in folder: FileStatus) -> [OwnName] {
        places.filter { $0.device == folder.device && $0.inode == folder.inode }.map { OwnName($0.name) }
    }

    private static func place(of path: String) -> Place? {
        let parts = PathParts(path)
        guard let status = try? FileDescriptor.open(parts.place).status() else { return nil }
        return Place(device: status.device, inode: status.inode, name: Array(parts.name.utf8))
    }
}

/// The name of a file in its folder, and the names of what stands beside it.
struct OwnName {
    private let name: [UInt8]
    /// What temporary files' names begin with; six letters follow.
    private let temporary: [UInt8]

    init(_ name: [UInt8]) {
        self.name = name
        temporary = Array(".".utf8) + name + Array(".audit-".utf8)
    }

    /// Whether another name is that of the file, of one of SQLite's beside it, or of its temporary one.
    func covers(_ other: [UInt8]) -> Bool {
        if other.starts(with: name) {
            let rest = other.dropFirst(name.count)
            return rest.isEmpty || Self.besideLedger.contains { rest.elementsEqual($0) }
        }
        return other.count == temporary.count + 6 && other.starts(with: temporary)
    }

    private static let besideLedger = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }
}
