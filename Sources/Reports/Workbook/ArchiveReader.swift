private import CMinizip
import Files
private import Glibc

/// Reads the parts of a ZIP file.
@safe final class ArchiveReader {
    private let archive: unzFile
    let path: String

    /// The maximum size of what is read of a decompressed part, in bytes: a small file may contain one of any size.
    static let maxPart = 256 << 20
    /// The maximum size of all that is read: a small file may name one part many times.
    static let maxTotal = 2 << 30
    /// The number of decompressed bytes that were read.
    private var total = 0

    /// - Returns: `nil` if it is not a ZIP file.
    init?(_ path: String) {
        guard let opened = unsafe unzOpen64(path) else { return nil }
        unsafe archive = unsafe opened
        self.path = path
    }

    deinit { unsafe unzClose(archive) }

    struct Failure: Error {
        let reason: String
    }

    /// Calls a body with the pieces of a part, until it returns `false`.
    ///
    /// - Returns: whether there is such a part.
    func read(_ name: String, _ body: (Span<UInt8>) throws -> Bool) throws -> Bool {
        guard unsafe unzLocateFile(archive, name, 1) == UNZ_OK else { return false }
        let part = "its part \(TextLayout.safe(name, limit: 60))"
        guard unsafe unzOpenCurrentFile(archive) == UNZ_OK else {
            throw Failure(reason: "\(part) is encrypted, or compressed in a way that is not known")
        }
        var isOpen = true
        defer { if isOpen { unsafe unzCloseCurrentFile(archive) } }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var size = 0
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { piece in
                unsafe unzReadCurrentFile(archive, piece.baseAddress, UInt32(piece.count))
            }
            guard count >= 0 else { throw Failure(reason: "\(part) is damaged") }
            if count == 0 {
                isOpen = false
                guard unsafe unzCloseCurrentFile(archive) == UNZ_OK else {
                    throw Failure(reason: "\(part) is damaged")
                }
                return true
            }
            size += Int(count)
            total += Int(count)
            guard size <= Self.maxPart else { throw Failure(reason: "\(part) is larger than 256 MiB") }
            guard total <= Self.maxTotal else { throw Failure(reason: "its parts are larger than 2 GiB in all") }
            guard try body(piece.span.extracting(first: Int(count))) else { return true }
        }
    }
}
