/// Walks over BER (X.690) from element to element, without looking inside primitive ones.
///
/// Any tag and any length that BER allows is read, so that whatever a lenient decoder accepts can be
/// counted before it is decoded. Nothing is copied, nothing recurses.
public struct BERReader: ~Escapable {
    /// One element's identifier and length octets.
    public struct Header: Equatable, Sendable {
        /// The identifier's first octet.
        public let tag: UInt8
        /// How many octets of contents follow; `nil` for the indefinite form.
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
    public mutating func header() throws(DERError) -> Header {
        let start = position
        let tag = try byte(of: start)
        if tag & 0x1f == 0x1f { while try byte(of: start) & 0x80 != 0 {} }
        let count = try length(of: start)
        guard let count else {
            guard tag & 0x20 != 0 else { throw .badLength(at: start + 1) }
            return Header(tag: tag, count: nil)
        }
        guard count <= bytes.count - position else { throw .truncated(at: start) }
        return Header(tag: tag, count: count)
    }

    /// Passes over so many octets, or over the rest.
    public mutating func skip(_ count: Int) { position += min(max(count, 0), bytes.count - position) }

    /// The next octets, not yet passed over.
    @_lifetime(copy self)
    public func next(_ count: Int) -> Span<UInt8> {
        bytes.extracting(position..<(position + min(max(count, 0), bytes.count - position)))
    }

    private mutating func length(of start: Int) throws(DERError) -> Int? {
        let at = position
        let first = try byte(of: start)
        if first < 0x80 { return Int(first) }
        if first == 0x80 { return nil }
        var value = 0
        for _ in 0..<(first & 0x7f) {
            guard value < 1 << 48 else { throw .badLength(at: at) }
            value = value << 8 | Int(try byte(of: start))
        }
        return value
    }

    private mutating func byte(of start: Int) throws(DERError) -> UInt8 {
        guard position < bytes.count else { throw .truncated(at: start) }
        defer { position += 1 }
        return bytes[position]
    }
}
