import Encodings

/// The files that macOS and Windows leave in folders and archives, next to people's files. They are not proofs.
enum LeftoverFile {
    /// The folder in which macOS keeps metadata that zip archives do not support.
    private static let folder = Array("__MACOSX".utf8)
    private static let names = [".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini"].map { Array($0.utf8) }
    /// The start of the name of an AppleDouble file.
    private static let appleDouble = Array("._".utf8)

    /// Whether a path below a folder belongs to such a file.
    static func matches(_ path: Span<UInt8>) -> Bool {
        var start = 0
        while let slash = path.firstIndex(of: 0x2f, from: start) {
            if path.extracting(start..<slash).isSame(as: folder.span) { return true }
            start = slash + 1
        }
        let name = path.extracting(start...)
        return name.starts(with: appleDouble) || names.contains { name.isLowercased($0) }
    }
}
