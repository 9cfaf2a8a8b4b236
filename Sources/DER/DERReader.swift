/// Reads DER (X.690) from the front of a span of bytes, one element at a time.
///
/// Nothing is copied or allocated, and every index is checked: a bad length is a
/// thrown ``DERError``, never a read past the end. Only shortest definite lengths
/// are read; BER's other forms are refused.
public struct DERReader: ~Escapable {
    private let bytes: Span<UInt8>
    public private(set) var position = 0

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    public var isAtEnd: Bool { position == bytes.count }

    /// The next element's tag octet, if there is a next element.
    public var nextTag: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the next element carries this tag.
    public func isNext(_ tag: DERTag) -> Bool { nextTag == tag.rawValue }

    /// Reads one element, which must carry `tag`, and returns what is inside.
    @_lifetime(copy self)
    public mutating func contents(of tag: DERTag) throws(DERError) -> Span<UInt8> {
        let start = position
        let found = try byte()
        guard found == tag.rawValue else { throw .unexpectedTag(found, wanted: tag.rawValue, at: start) }
        return try body(from: start)
    }

    /// Reads one element of any tag, and returns all of it: tag, length and contents.
    @_lifetime(copy self)
    public mutating func element() throws(DERError) -> Span<UInt8> {
        let start = position
        _ = try byte()
        _ = try body(from: start)
        return bytes.extracting(start..<position)
    }

    /// Reads one element, which must carry `tag`, and returns all of it.
    @_lifetime(copy self)
    public mutating func element(of tag: DERTag) throws(DERError) -> Span<UInt8> {
        guard let found = nextTag else { throw .truncated(at: position) }
        guard found == tag.rawValue else { throw .unexpectedTag(found, wanted: tag.rawValue, at: position) }
        return try element()
    }

    /// Throws unless everything has been read.
    public func end() throws(DERError) {
        guard isAtEnd else { throw .leftOver(at: position) }
    }

    @_lifetime(copy self)
    private mutating func body(from start: Int) throws(DERError) -> Span<UInt8> {
        let count = try length()
        guard count <= bytes.count - position else { throw .truncated(at: start) }
        let body = bytes.extracting(position..<(position + count))
        position += count
        return body
    }

    /// Reads a length in its shortest form, as DER demands (X.690, section 10.1).
    private mutating func length() throws(DERError) -> Int {
        let start = position
        let first = try byte()
        guard first >= 0x80 else { return Int(first) }
        guard case let count = Int(first & 0x7f), count >= 1, count <= 4 else { throw .badLength(at: start) }
        var value = 0
        for _ in 0..<count { value = value << 8 | Int(try byte()) }
        guard value >= 0x80, value >> (8 * (count - 1)) != 0 else { throw .badLength(at: start) }
        return value
    }

    private mutating func byte() throws(DERError) -> UInt8 {
        guard position < bytes.count else { throw .truncated(at: position) }
        defer { position += 1 }
        return bytes[position]
    }
}
