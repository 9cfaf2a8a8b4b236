import ArgumentParser
import Files
import Proofs

/// The option `--root`: which roots to trust. Shared by all commands that verify receipts.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            "Trust this root certificate (DER or PEM, RSA) instead of Apple's. Repeat for more.", valueName: "file"))
    var roots: [String] = []

    /// The roots in the named files, or Apple's three if none is named.
    ///
    /// - Throws: `FileError` or `TrustAnchorError`, each a message for the person who named the file.
    func anchors() throws -> TrustAnchors { try Self.anchors(in: roots) }

    /// The same for files that are named elsewhere.
    static func anchors(in roots: [String]) throws -> TrustAnchors {
        guard !roots.isEmpty else { return try .apple() }
        return try TrustAnchors(files: roots.map { path in (name: path, bytes: try bytes(of: path)) })
    }

    /// One file, which is not larger than any bundle of roots could be.
    private static func bytes(of path: String) throws -> [UInt8] {
        let limit = 1 << 20
        let bytes = try FileContents.bytes(of: path, limit: limit)
        guard bytes.count <= limit else { throw TrustAnchorError.unreadable(file: path, reason: "over 1 MiB") }
        return bytes
    }
}
