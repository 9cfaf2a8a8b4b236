/// Rewrites one element of BER as DER: shortest definite lengths, and strings in one piece (X.690, section 10).
///
/// Only the form changes that the elements have among each other: what a primitive element holds is copied as it
/// stands, and of constructed strings only OCTET STRINGs are joined. One walk notes every element and its length in
/// DER, or a whole one that is DER already, then all are written; nothing recurses, and the limits bound time and memory.
public struct DERRewriter {
    /// Elements that are not in DER, or hold one that is not. Each takes some 50 octets of memory until all are written.
    public static let elementLimit = 1 << 17
    /// Elements inside each other.
    public static let depthLimit = 40
    /// Constructed OCTET STRINGs inside each other, the outermost included.
    public static let stringDepthLimit = 5

    /// A constructed element that has not ended yet.
    private struct Open {
        let piece: Int
        /// Nothing in it may reach beyond this.
        let limit: Int
        let isIndefinite: Bool
        /// How many constructed strings are open here; 0 if this is none.
        let stringDepth: Int
    }

    private var pieces: [DERPiece] = []
    private var open: [Open] = []
    private var elements = 0
    /// Where a scan last found something that is not DER.
    private var lastFlaw = -1

    /// The first element in these bytes as DER; what stands behind it is left out.
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
            // The reader has seen that this many octets are there, so that the sum cannot overflow.
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
                    try add(header, start..<Self.identifierEnd(bytes, start), contents: contents)
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

    /// Whether an element can be taken as it stands.
    ///
    /// No octet is looked at more than twice for it: what holds the last flaw is not scanned again.
    private mutating func isDER(
        _ bytes: Span<UInt8>, _ header: BERReader.Header, _ start: Int, _ contents: Range<Int>
    ) -> Bool {
        guard !contents.contains(lastFlaw), open.count < Self.depthLimit, (open.last?.stringDepth ?? 0) == 0 else {
            return false
        }
        guard header.tag & 0x1f != 0x1f, header.tag != DERTag.constructedOctetString,
            contents.lowerBound - start == 1 + DERPiece.lengthCount(contents.count)
        else { return false }
        var scan = DERScan(bytes, from: contents.lowerBound)
        guard scan.isDER(to: contents.upperBound, depth: Self.depthLimit - open.count - 1) else {
            lastFlaw = scan.position
            return false
        }
        return true
    }

    /// Notes an element that is taken as it stands.
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

    /// Notes an element.
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

    /// Ends the innermost element: its length in DER is known now.
    private mutating func close() {
        let closed = open.removeLast()
        guard let outer = open.last else { return }
        pieces[outer.piece].count += pieces[closed.piece].encodedCount
    }

    /// Where the identifier octets end that begin here; the reader has read them already (section 8.1.2.4).
    private static func identifierEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        guard bytes[start] & 0x1f == 0x1f else { return end }
        while bytes[end] & 0x80 != 0 { end += 1 }
        return end + 1
    }
}
