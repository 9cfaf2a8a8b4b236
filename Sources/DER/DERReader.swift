/// Reads DER (X.690) from the front of a span of bytes, one element at a time.
///
/// Nothing is copied or allocated, and every index is checked: a bad length is a
/// thrown ``DERError``, never a read past the end. Only shortest definite lengths
/// are read; BER's other forms are refused. Inlinable, because a receipt has hundreds of elements and
/// the stages that read them stand in other modules.
@frozen
public struct DERReader: ~Escapable {
    @usableFromInline let bytes: Span<UInt8>
    @usableFromInline var offset = 0

    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// How many bytes have been read.
    @inlinable public var position: Int { offset }

    @inlinable public var isAtEnd: Bool { offset == bytes.count }

    /// What has not been read yet.
    @inlinable public var rest: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(offset..<bytes.count) } }

    /// The next element's tag octet, if there is a next element.
    @inlinable public var nextTag: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Whether the next element carries this tag.
    @inlinable @inline(__always)
    public func isNext(_ tag: DERTag) -> Bool { nextTag == tag.rawValue }

    /// Reads one element, which must carry `tag`, and returns what is inside.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func contents(of tag: DERTag) throws(DERError) -> Span<UInt8> {
        let start = offset
        let found = try byte()
        guard found == tag.rawValue else { throw .unexpectedTag(found, wanted: tag.rawValue, at: start) }
        return try body(from: start)
    }

    /// Reads one element of any tag, and returns all of it: tag, length and contents.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func element() throws(DERError) -> Span<UInt8> {
        let start = offset
        _ = try byte()
        _ = try body(from: start)
        return bytes.extracting(start..<offset)
    }

    /// Reads one element, which must carry `tag`, and returns all of it.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func element(of tag: DERTag) throws(DERError) -> Span<UInt8> {
        guard let found = nextTag else { throw .truncated(at: offset) }
        guard found == tag.rawValue else { throw .unexpectedTag(found, wanted: tag.rawValue, at: offset) }
        return try element()
    }

    /// Throws unless everything has been read.
    @inlinable @inline(__always)
    public func end() throws(DERError) {
        guard isAtEnd else { throw .leftOver(at: offset) }
    }

    @inlinable @inline(__always)
    @_lifetime(copy self)
    mutating func body(from start: Int) throws(DERError) -> Span<UInt8> {
        let count = try length()
        guard count <= bytes.count - offset else { throw .truncated(at: start) }
        let body = bytes.extracting(offset..<(offset + count))
        offset += count
        return body
    }

    /// Reads a length in its shortest form, as DER demands (X.690, section 10.1).
    @inlinable @inline(__always)
    mutating func length() throws(DERError) -> Int {
        let start = offset
        let first = try byte()
        guard first >= 0x80 else { return Int(first) }
        guard case let count = Int(first & 0x7f), count >= 1, count <= 4 else { throw .badLength(at: start) }
        var value = 0
        for _ in 0..<count { value = value << 8 | Int(try byte()) }
        guard value >= 0x80, value >> (8 * (count - 1)) != 0 else { throw .badLength(at: start) }
        return value
    }

    @inlinable @inline(__always)
    mutating func byte() throws(DERError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated(at: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }
}
