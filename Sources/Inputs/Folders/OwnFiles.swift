private import Glibc

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
        places = paths.flatMap { path in Set([path, Self.resolved(path)]).compactMap { Self.place(of: $0) } }
    }

    /// The names of those in a folder.
    func names(in folder: FileStatus) -> [[UInt8]] {
        places.filter { $0.device == folder.device && $0.inode == folder.inode }.map(\.name)
    }

    /// Whether a file's name is one of these, or that of something beside it: SQLite's files, or a temporary file, whose name is
    /// the file's, a word and six letters.
    static func holds(_ names: [[UInt8]], _ name: UnsafeRawBufferPointer) -> Bool {
        names.contains { own in
            if unsafe name.elementsEqual(own) { return true }
            if unsafe name.starts(with: own) {
                return besideLedger.contains { unsafe name.dropFirst(own.count).elementsEqual($0) }
            }
            let temporary = Array(".".utf8) + own + Array(".audit-".utf8)
            return unsafe name.count == temporary.count + 6 && name.starts(with: temporary)
        }
    }

    private static let besideLedger = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

    private static func place(of path: String) -> Place? {
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = cut == path.startIndex ? "." : String(path[..<cut])
        guard let status = try? FileDescriptor.open(folder).status() else { return nil }
        return Place(device: status.device, inode: status.inode, name: Array(path[cut...].utf8))
    }

    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
