import FoundationEssentials

/// The folder that the attack suite is written to: `cases/`, `index.json`, `index.tsv`, `schema.json` and `README.md`.
public struct AttackFolder: Sendable {
    /// Why a folder is not written to.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It holds a suite that was written before.
        case notEmpty(String)
        /// It holds something else, which is never replaced.
        case foreign(String)
        /// It can be neither made nor read.
        case unusable(String)

        public var description: String {
            switch self {
            case .notEmpty(let path): "\(path) is not empty; --force replaces a suite written before"
            case .foreign(let path): "\(path) is not empty and holds no suite written by this command"
            case .unusable(let path): "\(path) can be neither made nor read as a folder"
            }
        }
    }

    private let path: String
    private let folder: URL

    public init(_ path: String) {
        self.path = path
        folder = URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Writes the whole suite: the same bytes each time.
    ///
    /// - Parameter replacing: whether a suite that was written there before is removed first.
    /// - Throws: ``Refusal``, or an error that says which file could not be written.
    public func write(replacing: Bool = false) throws {
        try prepare(replacing: replacing)
        // First, so that a suite that was interrupted is known as one and can be replaced.
        try write(Array(AttackReadme.title.utf8), to: "README.md")
        let kit = try AttackKit()
        for test in AttackSuite.cases {
            try write(test.json(test.claim(kit)).file, to: test.file)
        }
        try write(AttackSuite.index.file, to: "index.json")
        try write(Array(AttackSuite.indexTable.utf8), to: "index.tsv")
        try write(AttackSuite.schema.file, to: "schema.json")
        try write(Array(AttackReadme.text.utf8), to: "README.md")
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        try OutputFile(folder.appending(path: file).path()).write(bytes)
    }

    /// Makes the folder, and makes sure that it is empty.
    private func prepare(replacing: Bool) throws {
        let manager = FileManager.default
        let names: [String]
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            names = try manager.contentsOfDirectory(atPath: folder.path())
        } catch {
            throw Refusal.unusable(path)
        }
        if !names.isEmpty {
            guard isSuite(names) else { throw Refusal.foreign(path) }
            guard replacing else { throw Refusal.notEmpty(path) }
            for name in names { try manager.removeItem(at: folder.appending(path: name)) }
        }
        try manager.createDirectory(at: folder.appending(path: "cases"), withIntermediateDirectories: true)
    }

    private static let names = ["README.md", "cases", "index.json", "index.tsv", "schema.json"]

    /// Whether the folder holds what ``write(replacing:)`` made, and nothing else.
    private func isSuite(_ names: [String]) -> Bool {
        guard names.allSatisfy(Self.names.contains),
            let text = try? Data(contentsOf: folder.appending(path: "README.md"))
        else { return false }
        return text.starts(with: AttackReadme.title.utf8)
    }
}
