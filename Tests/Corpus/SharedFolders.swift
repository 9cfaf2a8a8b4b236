import FoundationEssentials
import Glibc
import Synchronization

/// Folders that several tests share, so that none of them can remove them: they are removed when the process ends.
public enum SharedFolders {
    public static func removeAtExit(_ path: String) { paths.withLock { $0.append(path) } }

    private static let paths: Mutex<[String]> = {
        atexit { paths.withLock { $0.forEach { try? FileManager.default.removeItem(atPath: $0) } } }
        return Mutex([])
    }()
}
