import Encodings
import Files

/// A source of the bytes of a table, in order.
protocol ByteStream: AnyObject {
    /// Appends at most a number of bytes and returns their number; 0 at the end.
    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int
    /// The number of bytes of the file that have been read.
    var position: Int { get }
    /// The size of the file, if it is a file.
    var size: Int? { get }
}

extension ByteStream {
    /// Reads the first bytes: at once enough for a byte order mark, if there are that many.
    func readFirst(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        var total = 0
        while total < 3 {
            let got = try read(into: &arena, atMost: count - total)
            if got == 0 { break }
            total += got
        }
        return total
    }

    /// The fraction of the file that has been read, from 0 to 1, if its size is known.
    var fraction: Double? { size.map { $0 > 0 ? min(1, Double(position) / Double($0)) : 1 } }
}

/// The error of a stream that breaks off before its end. The bytes before it are valid.
struct StreamDamage: Error, Equatable {
    /// The reason in words for a person.
    let reason: String
}

/// A file, or standard input.
final class FileStream: ByteStream {
    private let file: FileDescriptor
    private(set) var position = 0
    let size: Int?

    init(_ file: consuming FileDescriptor, size: Int?) {
        self.file = file
        self.size = size
    }

    /// Standard input, whatever it is.
    convenience init(standardInput: Void) throws(InputError) {
        self.init(
            try InputError.opening("-") { () throws(SystemError) in try FileDescriptor.standardInput() }, size: nil)
    }

    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        do throws(SystemError) {
            let got = try arena.read(file, atMost: count)
            position += got
            return got
        } catch {
            throw StreamDamage(reason: error.reason)
        }
    }
}

/// An open INPUT file: its bytes, decompressed if it is gzip.
struct InputFile {
    let stream: any ByteStream
    let status: FileStatus

    /// Opens a file named by a user.
    init(_ path: String, decompresses: Bool = true) throws(InputError) {
        let file = try InputError.opening(path) { () throws(SystemError) in try FileDescriptor.open(path) }
        try self.init(file, path, decompresses: decompresses)
    }

    /// Opens the manifest at the top of a folder, if there is one. It must not be a link that leads outside.
    init?(manifestIn folder: ConfinedDirectory, _ path: String) throws(InputError) {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try folder.open(Array("devices.csv\0".utf8).span)
        } catch {
            if error.isNotFound { return nil }
            throw InputError(opening: path, error)
        }
        try self.init(file, path)
    }

    private init(_ file: consuming FileDescriptor, _ path: String, decompresses: Bool = true) throws(InputError) {
        do throws(SystemError) { status = try file.status() } catch { throw InputError(opening: path, error) }
        if let objection = status.objection { throw .unreadable(path: path, reason: objection) }
        let stored = FileStream(file, size: status.size)
        stream = decompresses ? try stored.decompressedIfNeeded(path) : stored
    }
}

extension ByteStream {
    /// Returns the decompressed stream of a file, if it begins like gzip, or its name says so and it begins like no text.
    func decompressedIfNeeded(_ path: String) throws(InputError) -> any ByteStream {
        let stream = PeekedStream(self, atMost: 2)
        let isText = stream.start.first.map { $0.isBlank || (0x20..<0x7f).contains($0) || $0 == 0xef } ?? false
        guard stream.start == [0x1f, 0x8b] || path.hasExtension(".gz") && !isText else { return stream }
        guard let stream = GzipStream(stream) else { throw .unreadable(path: path, reason: "out of memory") }
        return stream
    }
}

extension String {
    /// Whether the name has this ending, ignoring case.
    func hasExtension(_ suffix: String) -> Bool {
        let end = Array(utf8.suffix(suffix.utf8.count))
        return end.span.equalsIgnoringCase(Array(suffix.utf8))
    }
}
