/// The inputs of a run, one after the other.
public final class Inputs: ClaimSource {
    private let paths: [String]
    private let manifestPath: String?
    private var current: (any ClaimSource)?
    private var opened = 0
    private var ended = Omissions()

    /// Opens the first input, so that a run that cannot start says so at once; and checks that the others are there.
    ///
    /// - Parameters:
    ///   - paths: folders, tables or receipt files.
    ///   - manifestPath: the manifest of folders, instead of their own `devices.csv`.
    public init(_ paths: [String], manifestPath: String? = nil) throws(InputError) {
        self.paths = paths
        self.manifestPath = manifestPath
        for path in paths { try requireFile(path) }
        try openNext()
    }

    public var omissions: Omissions {
        guard let current else { return ended }
        return ended + current.omissions
    }

    public var fraction: Double? {
        guard let part = current?.fraction else { return nil }
        return (Double(opened - 1) + part) / Double(max(1, paths.count))
    }

    public func next() throws(InputError) -> ClaimBlock? {
        while let source = current {
            if let block = try source.next() { return block }
            ended = ended + source.omissions
            try openNext()
        }
        return nil
    }

    private func openNext() throws(InputError) {
        current = nil
        guard opened < paths.count else { return }
        let path = paths[opened]
        opened += 1
        current = try open(path, prefix: paths.count > 1 ? path : nil)
    }

    private func open(_ path: String, prefix: String?) throws(InputError) -> any ClaimSource {
        if isFolder(path) {
            return try FolderSource(path, prefix: prefix.map { $0 + "/" } ?? "", manifestPath: manifestPath)
        }
        return try SingleFileSource(path)
    }
}
