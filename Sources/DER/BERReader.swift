/// Reads BER (X.690) from element to element, without looking inside primitive ones.
///
/// It accepts every tag and every length that BER allows, so that everything a lenient decoder accepts can be counted
/// before it is decoded. It neither copies nor recurses.
public struct BERReader: ~Escapable {
    /// One element's identifier and length octets.
    public struct Header: Equatable, Sendable {
        /// The identifier's first octet.
        public let tag: UInt8
        /// The number of the identifier's octets.
        let identifierCount: Int
        /// The number of octets of contents that follow; `nil` for the indefinite form.
        public let count: Int?

        public var isConstructed: Bool { tag & 0x20 != 0 }
        /// Whether this ends an element of indefinite length.
        public var isEndOfContents: Bool { tag == 0 && count == 0 }
    }

    private let bytes: Span<UInt8>
    public private(set) var position = 0

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Reads the next element's header; its contents come next.
    ///
    /// - Parameter isPrefix: whether the bytes may be only the beginning of an element, so that they may end inside its
    ///   contents.
    public mutating func header(ofPrefix isPrefix: Bool = false) throws(DERError) -> Header {
        let start = position
        let tag = try identifierOctet(of: start)
        if tag & 0x1f == 0x1f { while try identifierOctet(of: start) & 0x80 != 0 {} }
        let lengthStart = position
        let length = ElementLength.read(bytes, at: &position, end: bytes.count)
        let isDefinite: Bool
        switch length.form {
        case .shortest, .longer: isDefinite = true
        case .indefinite where tag & 0x20 != 0: isDefinite = false
        case .tooLarge where isPrefix: isDefinite = true
        case .indefinite, .tooLarge: throw .badLength(at: lengthStart)
        case .truncated: throw .truncated(at: start)
        }
        guard isPrefix || length.count <= bytes.count - position else { throw .truncated(at: start) }
        return Header(tag: tag, identifierCount: lengthStart - start, count: isDefinite ? length.count : nil)
    }

    /// Skips this number of octets, or the rest if there are fewer.
    public mutating func skip(_ count: Int) { position += min(max(count, 0), bytes.count - position) }

    /// Returns the next octets without skipping them.
    @_lifetime(copy self)
    public func next(_ count: Int) -> Span<UInt8> {
        bytes.extracting(position..<(position + min(max(count, 0), bytes.count - position)))
    }

    private mutating func identifierOctet(of start: Int) throws(DERError) -> UInt8 {
        guard position < bytes.count else { throw .truncated(at: start) }
        defer { position += 1 }
        return bytes[position]
    }
}
