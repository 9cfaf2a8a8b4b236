import FoundationEssentials
private import Glibc

/// A folder that a command of ours fills and may replace, but never one that holds anything else.
struct GeneratedFolder {
    /// Why a folder is not written to.
    enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It holds what the command generated before, which must be asked for to be replaced.
        case notEmpty(path: String, content: String)
        /// It holds something else, which is never replaced.
        case notGenerated(path: String, content: String)
        /// It can be neither made nor read.
        case unusable(path: String)

        var description: String {
            switch self {
            case .notEmpty(let path, let content): "\(path) is not empty; --force replaces \(content) made before"
            case .notGenerated(let path, let content):
                "\(path) is not empty, and it is not \(content) made by this command"
            case .unusable(let path): "\(path) can be neither made nor read as a folder"
            }
        }
    }

    let path: String
    /// What it is for people, with its article.
    let content: String
    /// All names that may be in it. One is `README.md`.
    let names: [String]
    /// How `README.md` starts, by which the folder is known.
    let title: String

    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Makes the folder with a folder in it, empties it of what was generated before, and writes the start of `README.md`, so
    /// that a folder whose writing was interrupted is known, too.
    func prepare(replacing: Bool, subfolder: String) throws {
        let manager = FileManager.default
        let present: [String]
        do {
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
            present = try manager.contentsOfDirectory(atPath: url.path())
        } catch {
            throw Refusal.unusable(path: path)
        }
        if !present.isEmpty {
            guard isGenerated(present) else { throw Refusal.notGenerated(path: path, content: content) }
            guard replacing else { throw Refusal.notEmpty(path: path, content: content) }
            for name in present { try manager.removeItem(at: url.appending(path: name)) }
        }
        try manager.createDirectory(at: url.appending(path: subfolder), withIntermediateDirectories: true)
        try write(Array(title.utf8), to: "README.md")
    }

    /// Writes a file.
    ///
    /// - Parameter size: the file is extended to this size with zeros, if it is given.
    func write(_ bytes: [UInt8], to file: String, extendedTo size: Int? = nil) throws {
        let output = try OutputFile(url.appending(path: file).path())
        try output.write(bytes)
        if let size { try output.extend(to: size) }
    }

    private func isGenerated(_ present: [String]) -> Bool {
        guard present.allSatisfy(names.contains), let text = try? Data(contentsOf: url.appending(path: "README.md"))
        else { return false }
        return text.starts(with: title.utf8)
    }
}

/// A file being written: made new or emptied, closed once.
///
/// Straight to the system, because `Data.write(to:)` waits for the disk after every file
/// (`fsync`): three quarters of the time that an export took. A sample that is lost in
/// a power cut can be made again.
struct OutputFile: ~Copyable {
    /// What the system refused.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path): \(reason)" }
    }

    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Writes all of these bytes behind those before.
    func write(_ bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            done += count
        }
    }

    /// Extends the file with zeros, as a hole that takes no room on disk.
    func extend(to size: Int) throws(Failure) {
        guard ftruncate(descriptor, size) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}
