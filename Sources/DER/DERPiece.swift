/// An element of BER as it will be written in DER.
struct DERPiece {
    /// Where its identifier octets stand; none for what is written without a header: a piece of a string, and an
    /// element that is DER already.
    var identifier: Range<Int>
    /// How many octets of contents it will have.
    var count: Int
    /// Where its own contents stand; none for a constructed element, whose contents are the next pieces.
    var contents: Range<Int>
    var isJoinedString = false

    /// How many octets it takes, with its header if it has one.
    var encodedCount: Int {
        guard !identifier.isEmpty else { return count }
        return identifier.count + Self.lengthCount(count) + count
    }

    /// Writes all pieces of one element, which comes first.
    static func written(_ pieces: [DERPiece], of bytes: Span<UInt8>) -> [UInt8] {
        var der = [UInt8](repeating: 0, count: pieces.first?.encodedCount ?? 0)
        var output = der.mutableSpan
        var position = 0
        for piece in pieces {
            if !piece.identifier.isEmpty {
                let tag = position
                copy(bytes.extracting(piece.identifier), to: &output, at: &position)
                if piece.isJoinedString { output[tag] &= ~0x20 }
                writeLength(piece.count, to: &output, at: &position)
            }
            copy(bytes.extracting(piece.contents), to: &output, at: &position)
        }
        return der
    }

    /// In one piece: a loop over two spans of the same size, which the optimizer knows to be a copy.
    private static func copy(_ bytes: Span<UInt8>, to output: inout MutableSpan<UInt8>, at position: inout Int) {
        var target = output._mutatingExtracting(position..<(position + bytes.count))
        for index in target.indices { target[index] = bytes[index] }
        position += bytes.count
    }

    /// How many octets the shortest form of a length takes (section 10.1).
    static func lengthCount(_ length: Int) -> Int {
        guard length >= 0x80 else { return 1 }
        var count = 1
        var rest = length
        while rest > 0 {
            count += 1
            rest >>= 8
        }
        return count
    }

    private static func writeLength(_ length: Int, to output: inout MutableSpan<UInt8>, at position: inout Int) {
        let count = lengthCount(length) - 1
        output[position] = count > 0 ? 0x80 | UInt8(truncatingIfNeeded: count) : UInt8(truncatingIfNeeded: length)
        position += 1
        for place in (0..<count).reversed() {
            output[position] = UInt8(truncatingIfNeeded: length >> (8 * place))
            position += 1
        }
    }
}
