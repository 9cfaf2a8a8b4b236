/// Rewrites one element of BER as DER: shortest definite lengths, and strings in one piece (X.690, section 10).
///
/// The contents of primitive elements are copied unchanged, and of constructed strings only OCTET STRINGs are joined.
/// One pass records every element and its length in DER, or a whole one that is already DER, then all are written. It
/// does not recurse, and the limits bound time and memory.
public struct DERRewriter {
    /// The maximum number of elements that are not in DER, or contain one that is not. Each takes some 50 bytes of
    /// memory until all are written.
    public static let elementLimit = 1 << 17
    /// The maximum nesting of elements.
    public static let depthLimit = 40
    /// The maximum nesting of constructed OCTET STRINGs, including the outermost.
    public static let stringDepthLimit = 5

    /// A constructed element that has not ended yet.
    private struct Open {
        let piece: Int
        /// The end of its bytes: nothing in it may extend beyond.
        let limit: Int
        let isIndefinite: Bool
        /// The number of open constructed strings; 0 if this is not one.
        let stringDepth: Int
    }

    private var pieces: [DERPiece] = []
    private var open: [Open] = []
    private var elements = 0
    /// The position where the last scan stopped at something that is not DER.
    private var lastFlaw = -1

    /// Returns the first element in these bytes as DER, without anything that follows it.
    public static func der(of bytes: Span<UInt8>) throws(DERError) -> [UInt8] {
        var rewriter = DERRewriter()
        try rewriter.walk(bytes)
        return DERPiece.written(rewriter.pieces, of: bytes)
    }

    private mutating func walk(_ bytes: Span<UInt8>) throws(DERError) {
        var reader = BERReader(bytes)
        repeat {
            let start = reader.position
            let header = try reader.header()
            let limit = open.last?.limit ?? bytes.count
            // The reader has checked that these octets exist, so the sum cannot overflow.
            let end = reader.position + (header.count ?? 0)
            guard end <= limit else { throw .truncated(at: start) }
            if header.isEndOfContents {
                guard let last = open.last, last.isIndefinite else {
                    throw .unexpectedTag(0, wanted: DERTag.sequence.rawValue, at: start)
                }
                close()
            } else {
                let contents = reader.position..<end
                if header.isConstructed, header.count != nil, isDER(bytes, header, start, contents) {
                    try addWhole(start..<end)
                    reader.skip(contents.count)
                } else {
                    try add(header, start..<(start + header.identifierCount), contents: contents)
                    if header.isConstructed {
                        try enter(header, at: start, limit: header.count == nil ? limit : end)
                    } else {
                        reader.skip(contents.count)
                    }
                }
            }
            while let last = open.last, !last.isIndefinite, reader.position == last.limit { close() }
        } while !open.isEmpty
    }

    /// Whether an element is DER, so that it can be copied as a whole.
    ///
    /// No octet is read more than twice for this: an element that contains the last flaw is not scanned again.
    private mutating func isDER(
        _ bytes: Span<UInt8>, _ header: BERReader.Header, _ start: Int, _ contents: Range<Int>
    ) -> Bool {
        guard !contents.contains(lastFlaw), open.count < Self.depthLimit, (open.last?.stringDepth ?? 0) == 0,
            header.identifierCount == 1, header.tag != DERTag.constructedOctetString,
            contents.lowerBound - start == 1 + ElementLength.octetCount(contents.count)
        else { return false }
        guard let flaw = Self.flaw(in: bytes, contents, depth: Self.depthLimit - open.count - 1) else { return true }
        lastFlaw = flaw
        return false
    }

    /// Returns the position of the first element in these contents that is not DER: a low tag, a shortest definite
    /// length, a string in one piece.
    ///
    /// - Parameter depth: the maximum number of nested elements.
    private static func flaw(in bytes: Span<UInt8>, _ contents: Range<Int>, depth: Int) -> Int? {
        var ends = InlineArray<40, Int>(repeating: 0)
        var open = 0
        var start = contents.lowerBound
        var limit = contents.upperBound
        while true {
            while start == limit {
                guard open > 0 else { return nil }
                open -= 1
                limit = ends[open]
            }
            let tag = bytes[start]
            var position = start + 1
            let length = ElementLength.read(bytes, at: &position, end: limit, maxOctets: 4)
            guard tag & 0x1f != 0x1f, tag != 0, tag != DERTag.constructedOctetString, length.form == .shortest,
                length.count <= limit - position
            else { return start }
            start = position
            if tag & 0x20 == 0 {
                start += length.count
            } else {
                guard open < min(depth, ends.count) else { return start }
                ends[open] = limit
                open += 1
                limit = position + length.count
            }
        }
    }

    /// Records an element that is copied as a whole.
    private mutating func addWhole(_ element: Range<Int>) throws(DERError) {
        try count(element.lowerBound)
        if let last = open.last { pieces[last.piece].count += element.count }
        pieces.append(
            DERPiece(identifier: element.lowerBound..<element.lowerBound, count: element.count, contents: element))
    }

    private mutating func count(_ start: Int) throws(DERError) {
        elements += 1
        guard elements <= Self.elementLimit else { throw .beyondLimits(at: start) }
    }

    /// Records an element that is not, or not yet known to be, DER.
    private mutating func add(
        _ header: BERReader.Header, _ identifier: Range<Int>, contents: Range<Int>
    ) throws(DERError) {
        try count(identifier.lowerBound)
        var piece = DERPiece(identifier: identifier, count: contents.count, contents: contents)
        if let last = open.last, last.stringDepth > 0 {
            guard header.tag & ~0x20 == DERTag.octetString.rawValue else {
                throw .unexpectedTag(header.tag, wanted: DERTag.octetString.rawValue, at: identifier.lowerBound)
            }
            piece.identifier = identifier.lowerBound..<identifier.lowerBound
        }
        if header.isConstructed {
            piece.count = 0
            piece.contents = contents.lowerBound..<contents.lowerBound
            piece.isJoinedString = header.tag == DERTag.constructedOctetString
        } else if let last = open.last {
            pieces[last.piece].count += piece.encodedCount
        }
        pieces.append(piece)
    }

    private mutating func enter(_ header: BERReader.Header, at start: Int, limit: Int) throws(DERError) {
        let outer = open.last?.stringDepth ?? 0
        let stringDepth = header.tag == DERTag.constructedOctetString ? outer + 1 : 0
        guard open.count < Self.depthLimit, stringDepth <= Self.stringDepthLimit else {
            throw .beyondLimits(at: start)
        }
        open.append(
            Open(
                piece: pieces.count - 1, limit: limit, isIndefinite: header.count == nil, stringDepth: stringDepth))
    }

    /// Ends the innermost element. Its length in DER is now known.
    private mutating func close() {
        let closed = open.removeLast()
        guard let outer = open.last else { return }
        pieces[outer.piece].count += pieces[closed.piece].encodedCount
    }
}

/// An element of BER as it will be written in DER.
private struct DERPiece {
    /// The range of its identifier octets; empty if it is written without a header: a piece of a string, and an element
    /// that is already DER.
    var identifier: Range<Int>
    /// The number of octets of contents it will have.
    var count: Int
    /// The range of its own contents; empty for a constructed element, whose contents are the next pieces.
    var contents: Range<Int>
    var isJoinedString = false

    /// Its encoded size in octets, with its header if it has one.
    var encodedCount: Int {
        guard !identifier.isEmpty else { return count }
        return identifier.count + ElementLength.octetCount(count) + count
    }

    /// Writes all pieces of one element, whose own piece is the first.
    static func written(_ pieces: [DERPiece], of bytes: Span<UInt8>) -> [UInt8] {
        var der = [UInt8](repeating: 0, count: pieces.first?.encodedCount ?? 0)
        var output = der.mutableSpan
        var position = 0
        for piece in pieces {
            if !piece.identifier.isEmpty {
                let tag = position
                copy(bytes.extracting(piece.identifier), to: &output, at: &position)
                if piece.isJoinedString { output[tag] &= ~0x20 }
                for index in 0..<ElementLength.octetCount(piece.count) {
                    output[position] = ElementLength.octet(index, of: piece.count)
                    position += 1
                }
            }
            copy(bytes.extracting(piece.contents), to: &output, at: &position)
        }
        return der
    }

    /// Copies in a loop over two spans of the same size, which the optimizer turns into one `memcpy`.
    private static func copy(_ bytes: Span<UInt8>, to output: inout MutableSpan<UInt8>, at position: inout Int) {
        var target = output._mutatingExtracting(position..<(position + bytes.count))
        for index in target.indices { target[index] = bytes[index] }
        position += bytes.count
    }
}
