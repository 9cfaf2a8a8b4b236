/// The bytes of a table, in order, wherever they come from.
protocol ByteStream: AnyObject {
    /// Appends up to so many bytes and says how many; 0 at the end.
    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int
    /// How many bytes of the file have been read.
    var position: Int { get }
    /// How many there are, if it is a file.
    var size: Int? { get }
}

extension ByteStream {
    /// The same, but for the first bytes: enough at once to see a byte order mark, if there are so many.
    func readFirst(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        var total = 0
        while total < 3 {
            let got = try read(into: &arena, atMost: count - total)
            if got == 0 { break }
            total += got
        }
        return total
    }

    /// How much of the file has been read, from 0 to 1, if its size is known.
    var fraction: Double? { size.map { $0 > 0 ? min(1, Double(position) / Double($0)) : 1 } }
}

/// Where a stream breaks off before its end. What came before it still counts.
struct StreamDamage: Error, Equatable {
    /// In words for a person.
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
        do throws(SystemError) {
            self.init(try FileDescriptor.standardInput(), size: nil)
        } catch {
            throw InputError(opening: "-", error)
        }
    }

    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        let got = arena.read(file, atMost: count)
        guard got >= 0 else { throw StreamDamage(reason: SystemError(code: CInt(-got)).reason) }
        position += got
        return got
    }
}
