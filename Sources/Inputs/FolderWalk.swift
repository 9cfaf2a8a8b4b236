private import Glibc

/// What a walk through a folder left out, by kind.
public struct SkippedEntries: Equatable, Sendable {
    /// Devices, FIFOs and sockets.
    public var specialFiles = 0
    /// Symbolic links to folders, which are not followed, and links that lead nowhere or out.
    public var links = 0
    /// Folders that could not be opened, by their paths.
    public var unreadableFolders: [String] = []
    /// Names that are not UTF-8, which no report can hold.
    public var unreadableNames = 0
}

/// Finds every regular file below a folder.
///
/// Nothing is opened but folders, and none through a symbolic link.
struct FolderWalk {
    private(set) var skipped = SkippedEntries()
    private let root: String

    init(root: String) { self.root = root }

    /// Calls `body` with the path of each file, relative to the root, in no order.
    mutating func forEachFile(_ body: (String) -> Void) {
        var pending = [""]
        while let folder = pending.popLast() {
            guard let stream = unsafe opendir(folder.isEmpty ? root : root + "/" + folder) else {
                skipped.unreadableFolders.append(folder.isEmpty ? "." : folder)
                continue
            }
            defer { unsafe closedir(stream) }
            while let entry = unsafe readdir(stream) {
                guard let name = unsafe Self.name(of: entry) else {
                    skipped.unreadableNames += 1
                    continue
                }
                if name == "." || name == ".." { continue }
                let path = folder.isEmpty ? name : folder + "/" + name
                switch kind(of: path, told: unsafe entry.pointee.d_type) {
                case DT_DIR: pending.append(path)
                case DT_REG: body(path)
                case DT_LNK: skipped.links += 1
                default: skipped.specialFiles += 1
                }
            }
        }
    }

    /// What a path is. A symbolic link to a regular file counts as the file: opening it will tell whether it leads out.
    private func kind(of path: String, told type: UInt8) -> Int {
        if type != UInt8(DT_LNK), type != UInt8(DT_UNKNOWN) { return Int(type) }
        var status = stat()
        guard unsafe lstat(root + "/" + path, &status) == 0 else { return DT_UNKNOWN }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard unsafe stat(root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return DT_LNK }
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return DT_REG
        case S_IFDIR: return DT_DIR
        default: return DT_UNKNOWN
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
            unsafe name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(validatingCString: $0) }
        }
    }
}
