public import DER
import Encodings

extension DERTree {
    /// The maximum nesting of elements.
    public static let depthLimit = 64
    /// The maximum number of elements.
    public static let elementLimit = 1 << 17

    /// Reads one element of BER, which must fill the bytes.
    ///
    /// - Parameter opensStrings: whether OCTET STRINGs whose contents are elements, and BIT STRINGs whose contents are
    ///   elements after an octet of zero, get children.
    /// - Throws: ``DERError`` if the octets are not BER, or exceed the limits. Its positions are never inside an opened
    ///   string: a string that cannot be opened stays closed.
    public init(parsing bytes: [UInt8], openingStrings opensStrings: Bool = false) throws(DERError) {
        let elements = try Self.elements(of: bytes, openingStrings: opensStrings)
        guard let first = elements.first else { throw .truncated(at: 0) }
        guard elements.count == 1 else { throw .leftOver(at: first.encoded.count) }
        self = first
    }

    /// Reads consecutive elements of BER until the octets end.
    public static func elements(
        of bytes: [UInt8], openingStrings opensStrings: Bool = false
    ) throws(DERError) -> [DERTree] {
        var parser = DERTreeParser(opensStrings: opensStrings)
        return try parser.elements(of: bytes.span, depth: 0)
    }
}

/// Reads elements recursively, down to a limit.
private struct DERTreeParser {
    let opensStrings: Bool
    private var count = 0

    init(opensStrings: Bool) { self.opensStrings = opensStrings }

    /// Returns all elements of some octets.
    mutating func elements(of bytes: Span<UInt8>, depth: Int) throws(DERError) -> [DERTree] {
        var reader = BERReader(bytes)
        return try children(&reader, in: bytes, limit: bytes.count, isIndefinite: false, depth: depth)
    }

    /// Returns the elements up to a limit, or up to the end-of-contents octets, which are consumed.
    private mutating func children(
        _ reader: inout BERReader, in bytes: Span<UInt8>, limit: Int, isIndefinite: Bool, depth: Int
    ) throws(DERError) -> [DERTree] {
        var elements: [DERTree] = []
        while reader.position < limit {
            let start = reader.position
            let header = try reader.header()
            if isIndefinite, header.isEndOfContents {
                guard reader.position == start + 2 else { throw .badLength(at: start + 1) }
                return elements
            }
            elements.append(try element(header, at: start, &reader, in: bytes, limit: limit, depth: depth))
        }
        if isIndefinite { throw .truncated(at: limit) }
        return elements
    }

    /// Returns the element whose header has just been read.
    private mutating func element(
        _ header: BERReader.Header, at start: Int, _ reader: inout BERReader, in bytes: Span<UInt8>, limit: Int,
        depth: Int
    ) throws(DERError) -> DERTree {
        count += 1
        guard count <= DERTree.elementLimit, depth < DERTree.depthLimit else { throw .beyondLimits(at: start) }
        var identifierEnd = start + 1
        if header.tag & 0x1f == 0x1f {
            while bytes[identifierEnd] & 0x80 != 0 { identifierEnd += 1 }
            identifierEnd += 1
        }
        var tree = DERTree(identifier: bytes.extracting(start..<identifierEnd).copy())
        guard let size = header.count else {
            tree.length = .indefinite
            tree.children = try children(&reader, in: bytes, limit: limit, isIndefinite: true, depth: depth + 1)
            return tree
        }
        guard size <= limit - reader.position else { throw .truncated(at: start) }
        let lengthOctets = reader.position - identifierEnd
        if tree.length.octets(for: size).count != lengthOctets { tree.length = .long(lengthOctets - 1) }
        if header.isConstructed {
            tree.children = try children(
                &reader, in: bytes, limit: reader.position + size, isIndefinite: false, depth: depth + 1)
        } else {
            tree.octets = reader.next(size).copy()
            reader.skip(size)
            if opensStrings { open(&tree, depth: depth) }
        }
        return tree
    }

    /// Gives a string children, if its contents are entirely elements.
    private mutating func open(_ string: inout DERTree, depth: Int) {
        var prefix: [UInt8] = []
        switch string.tag {
        case DERTag.octetString.rawValue: break
        case DERTag.bitString.rawValue where string.octets.first == 0: prefix = [0]
        default: return
        }
        let octets = string.octets
        guard octets.count > prefix.count else { return }
        let before = count
        do throws(DERError) {
            string.children = try elements(of: octets.span.extracting(droppingFirst: prefix.count), depth: depth + 1)
            string.octets = prefix
        } catch {
            count = before
        }
    }
}
