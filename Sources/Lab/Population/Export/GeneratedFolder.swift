import FoundationEssentials
private import Glibc

/// A folder that a command generates. Only what the command itself wrote is ever replaced.
struct GeneratedFolder {
    /// The reason why a folder is not written.
    enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It contains the command's earlier output, which is replaced only on request.
        case notEmpty(path: String, content: String)
        /// It contains something else, which is never replaced.
        case notGenerated(path: String, content: String)
        /// It can be neither created nor read.
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
    /// The name of its content, with an article, for messages.
    let content: String
    /// All names that the command writes. One is `README.md`.
    let names: [String]
    /// The start of `README.md`, which identifies the folder.
    let title: String

    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Makes the folder, with a subfolder if one is named, removes earlier output, and writes the start of `README.md`,
    /// which identifies the folder even if the command is interrupted.
    func prepare(replacing: Bool, subfolder: String?) throws {
        let manager = FileManager.default
        let present: [String]
        do {
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
            present = try manager.contentsOfDirectory(atPath: url.path())
        } catch {
            throw Refusal.unusable(path: path)
        }
        if !present.isEmpty {
            guard isGenerated else { throw Refusal.notGenerated(path: path, content: content) }
            guard replacing else { throw Refusal.notEmpty(path: path, content: content) }
            for name in present where names.contains(name) { try manager.removeItem(at: url.appending(path: name)) }
        }
        if let subfolder {
            try manager.createDirectory(at: url.appending(path: subfolder), withIntermediateDirectories: true)
        }
        try write(Array(title.utf8), to: "README.md")
    }

    /// Writes a file.
    ///
    /// - Parameter size: the size to which the file is extended with zeros; `nil` to leave it.
    func write(_ bytes: [UInt8], to file: String, extendedTo size: Int? = nil) throws {
        let output = try GeneratedFile(url.appending(path: file).path())
        try output.write(bytes)
        if let size { try output.extend(to: size) }
    }

    private var isGenerated: Bool {
        (try? Data(contentsOf: url.appending(path: "README.md")))?.starts(with: title.utf8) ?? false
    }
}

/// A file written with system calls, because `Data.write(to:)` waits for the disk after every file (`fsync`), which
/// took three quarters of the time of an export. A sample that is lost in a power failure can be made again.
struct GeneratedFile: ~Copyable {
    /// The reason why the system refused an operation.
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

    /// Appends bytes.
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

    /// Extends the file with zeros, as a hole that uses no disk space.
    func extend(to size: Int) throws(Failure) {
        guard ftruncate(descriptor, size) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}
