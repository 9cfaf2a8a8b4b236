/// Rewrites one element of BER as DER: shortest definite lengths, and strings in one piece (X.690, section 10).
///
/// Only the form changes that the elements have among each other: what a primitive element holds is copied as it
/// stands, and of constructed strings only OCTET STRINGs are joined. One walk notes every element and its length in
/// DER, then all are written; nothing recurses, and the limits bound time and memory.
public struct DERRewriter {
    /// Elements in all.
    public static let elementLimit = 1 << 14
    /// Elements inside each other.
    public static let depthLimit = 40
    /// Constructed OCTET STRINGs inside each other, the outermost included.
    public static let stringDepthLimit = 5

    /// An element as it will be written.
    private struct Piece {
        /// Where its identifier octets stand; none for a piece of a string, which is written without a header.
        var identifier: Range<Int>
        /// How many octets of contents it will have.
        var count: Int
        /// Where its own contents stand; none for a constructed element, whose contents are the next pieces.
        var contents: Range<Int>
        var isJoinedString = false
    }

    /// A constructed element that has not ended yet.
    private struct Open {
        let piece: Int
        /// Nothing in it may reach beyond this.
        let limit: Int
        let isIndefinite: Bool
        /// How many constructed strings are open here; 0 if this is none.
        let stringDepth: Int
    }

    private var pieces: [Piece] = []
    private var open: [Open] = []

    /// The first element in these bytes as DER; what stands behind it is left out.
    public static func der(of bytes: Span<UInt8>) throws(DERError) -> [UInt8] {
        var rewriter = DERRewriter()
        try rewriter.walk(bytes)
        return rewriter.written(bytes)
    }

    private mutating func walk(_ bytes: Span<UInt8>) throws(DERError) {
        var reader = BERReader(bytes)
        repeat {
            let start = reader.position
            let header = try reader.header()
            let limit = open.last?.limit ?? bytes.count
            // The reader has seen that this many octets are there, so that the sum cannot overflow.
            let end = reader.position + (header.count ?? 0)
            guard end <= limit else { throw .truncated(at: start) }
            if header.isEndOfContents {
                guard let last = open.last, last.isIndefinite else {
                    throw .unexpectedTag(0, wanted: DERTag.sequence.rawValue, at: start)
                }
                close()
            } else {
                let isConstructed = header.isConstructed
                try add(header, start..<Self.identifierEnd(bytes, start), contents: reader.position..<end)
                if isConstructed {
                    try enter(header, at: start, limit: header.count == nil ? limit : end)
                } else {
                    reader.skip(end - reader.position)
                }
            }
            while let last = open.last, !last.isIndefinite, reader.position == last.limit { close() }
        } while !open.isEmpty
    }

    /// Notes an element.
    private mutating func add(
        _ header: BERReader.Header, _ identifier: Range<Int>, contents: Range<Int>
    ) throws(DERError) {
        guard pieces.count < Self.elementLimit else { throw .beyondLimits(at: identifier.lowerBound) }
        var piece = Piece(identifier: identifier, count: contents.count, contents: contents)
        if let last = open.last, last.stringDepth > 0 {
            guard header.tag & ~0x20 == DERTag.octetString.rawValue else {
                throw .unexpectedTag(header.tag, wanted: DERTag.octetString.rawValue, at: identifier.lowerBound)
            }
            piece.identifier = identifier.lowerBound..<identifier.lowerBound
        }
        if header.isConstructed {
            piece.count = 0
            piece.contents = contents.lowerBound..<contents.lowerBound
            piece.isJoinedString = header.tag == Self.constructedString
        } else if let last = open.last {
            pieces[last.piece].count += Self.encodedCount(piece)
        }
        pieces.append(piece)
    }

    private mutating func enter(_ header: BERReader.Header, at start: Int, limit: Int) throws(DERError) {
        let outer = open.last?.stringDepth ?? 0
        let stringDepth = header.tag == Self.constructedString ? outer + 1 : 0
        guard open.count < Self.depthLimit, stringDepth <= Self.stringDepthLimit else {
            throw .beyondLimits(at: start)
        }
        open.append(
            Open(
                piece: pieces.count - 1, limit: limit, isIndefinite: header.count == nil, stringDepth: stringDepth))
    }

    /// Ends the innermost element: its length in DER is known now.
    private mutating func close() {
        let closed = open.removeLast()
        guard let outer = open.last else { return }
        pieces[outer.piece].count += Self.encodedCount(pieces[closed.piece])
    }

    private func written(_ bytes: Span<UInt8>) -> [UInt8] {
        let total = pieces.first.map(Self.encodedCount) ?? 0
        return Array(capacity: total) { output in
            for piece in pieces {
                if !piece.identifier.isEmpty {
                    let tag = bytes[piece.identifier.lowerBound]
                    output.append(piece.isJoinedString ? tag & ~0x20 : tag)
                    for index in piece.identifier.dropFirst() { output.append(bytes[index]) }
                    Self.writeLength(piece.count, to: &output)
                }
                let contents = bytes.extracting(piece.contents)
                for index in contents.indices { output.append(contents[index]) }
            }
        }
    }

    private static let constructedString = DERTag.octetString.rawValue | 0x20

    /// How many octets an element takes, with its header if it has one.
    private static func encodedCount(_ piece: Piece) -> Int {
        guard !piece.identifier.isEmpty else { return piece.count }
        return piece.identifier.count + lengthCount(piece.count) + piece.count
    }

    /// How many octets the shortest form of a length takes (section 10.1).
    private static func lengthCount(_ length: Int) -> Int {
        guard length >= 0x80 else { return 1 }
        var count = 1
        var rest = length
        while rest > 0 {
            count += 1
            rest >>= 8
        }
        return count
    }

    private static func writeLength(_ length: Int, to output: inout OutputSpan<UInt8>) {
        let count = lengthCount(length) - 1
        guard count > 0 else { return output.append(UInt8(truncatingIfNeeded: length)) }
        output.append(0x80 | UInt8(truncatingIfNeeded: count))
        for place in (0..<count).reversed() { output.append(UInt8(truncatingIfNeeded: length >> (8 * place))) }
    }

    /// Where the identifier octets end that begin here; the reader has read them already (section 8.1.2.4).
    private static func identifierEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        guard bytes[start] & 0x1f == 0x1f else { return end }
        while bytes[end] & 0x80 != 0 { end += 1 }
        return end + 1
    }
}
