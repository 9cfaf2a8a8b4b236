public import FoundationEssentials

/// The genuine receipts that tests are held to, in the folder that `RECEIPTS_CORPUS` names.
///
/// They are not part of this project. Without the variable these tests are skipped, and say so.
public enum Corpus {
    public static let folder: URL? = ProcessInfo.processInfo.environment["RECEIPTS_CORPUS"].map {
        URL(filePath: $0, directoryHint: .isDirectory)
    }

    public static var isThere: Bool { folder != nil }

    /// The bytes of one file, named by its path below the folder; empty if it cannot be read.
    public static func bytes(_ path: String) -> [UInt8] {
        guard let folder, let data = try? Data(contentsOf: folder.appending(path: path)) else { return [] }
        return [UInt8](data)
    }

    /// The names of the files in one folder of the corpus, sorted.
    public static func files(in path: String, ending suffix: String = "") -> [String] {
        guard let folder else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path())
        return (names ?? []).filter { $0.hasSuffix(suffix) }.sorted()
    }
}
