@testable import Inputs

/// A stream that gives so many bytes at a time.
final class Pieces: ByteStream {
    private let bytes: [UInt8]
    private let piece: Int
    private(set) var position = 0
    var size: Int? { bytes.count }

    init(_ bytes: [UInt8], _ piece: Int) {
        self.bytes = bytes
        self.piece = piece
    }

    convenience init(_ text: String, _ piece: Int) { self.init(Array(text.utf8), piece) }

    func read(into arena: inout ByteArena, atMost count: Int) -> Int {
        let end = min(bytes.count, position + min(piece, count))
        let range = arena.append(bytes[position..<end].span)
        position = end
        return range.count
    }
}
