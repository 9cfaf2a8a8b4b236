import Encodings
import Files
private import Glibc
@_spi(_Unicode) import Swift

/// The Unicode normal forms of paths. macOS decomposes the names of files that it copies, and databases do not: the two
/// names look the same and are the same text, but have different bytes.
enum PathForm {
    /// The maximum length of a path in Linux.
    private static let maxLength = 4096

    /// Returns the composed and the decomposed form of a path (NFC and NFD), if they have different bytes.
    static func others(_ path: Span<UInt8>) -> [[UInt8]] {
        guard !path.isASCII, path.count < maxLength, let valid = try? UTF8Span(validating: path) else { return [] }
        let text = String(copying: valid)
        let composed = Array(String(String.UnicodeScalarView(text._nfc)).utf8)
        let decomposed = Array(String(String.UnicodeScalarView(text._nfd)).utf8)
        return (composed == decomposed ? [composed] : [composed, decomposed]).filter { !$0.span.isSame(as: path) }
    }
}

extension ConfinedDirectory {
    /// Opens a path, or if it does not exist, the same path in another Unicode normal form.
    ///
    /// - Parameter path: the path with a trailing NUL.
    func open(anyFormOf path: Span<UInt8>, _ access: Access) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            return try open(path, access)
        } catch {
            guard error.code == ENOENT, path.count > 0 else { throw error }
            for form in PathForm.others(path.extracting(droppingLast: 1)) {
                if let found = try? open((form + [0]).span, access) { return found }
            }
            throw error
        }
    }
}
