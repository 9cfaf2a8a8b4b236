/// An error of whoever reads DER, which can say that the bytes are not the DER that belongs there.
public protocol DERFailure: Error {
    init(encoding error: DERError)
}

/// Reads DER, and throws ``DERError`` as it is.
public typealias DERReader = ElementReader<DERError>

/// Reads DER (X.690) from the front of a span of bytes, one element at a time.
///
/// A reader exists only inside a closure: of ``read(_:_:)`` for all the bytes, of ``inside(_:_:)`` for the contents
/// of a constructed element. Both throw ``DERError/leftOver(at:)`` if the closure leaves bytes unread, so that no
/// caller can forget to look. Spans do not outlive the closure; what must is handed out as a range of the bytes that
/// `read` was given, and positions count from their first byte, too.
///
/// Nothing is copied or allocated, and every index is checked: a bad length is a thrown error, never a read past the
/// end.
/// Only shortest definite lengths are read; BER's other forms are refused. Inlinable, because a receipt has hundreds of
/// elements and the modules that read them are others.
@frozen
public struct ElementReader<Failure: DERFailure>: ~Escapable {
    @usableFromInline let bytes: Span<UInt8>
    @usableFromInline var offset = 0
    /// Where the element that is being read ends.
    @usableFromInline var end: Int

    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        end = bytes.count
    }

    /// Reads bytes, all of them.
    @inlinable @inline(__always)
    public static func read<Output>(
        _ bytes: Span<UInt8>, _ body: (inout ElementReader) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var reader = ElementReader(bytes)
        let result = try body(&reader)
        guard reader.isAtEnd else { throw Failure(encoding: .leftOver(at: reader.offset)) }
        return result
    }

    /// Reads one element, which must carry `tag`, and the elements in it, all of them.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func inside<Output>(
        _ tag: ConstructedTag, _ body: (inout ElementReader) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let contents = try header(tag.rawValue)
        let outerEnd = end
        offset = contents.lowerBound
        end = contents.upperBound
        let result = try body(&self)
        guard isAtEnd else { throw Failure(encoding: .leftOver(at: offset)) }
        end = outerEnd
        return result
    }

    /// Where the next element begins.
    @inlinable public var position: Int { offset }

    @inlinable public var isAtEnd: Bool { offset == end }

    /// The next element's tag octet, if there is a next element.
    @inlinable public var nextTag: UInt8? { offset < end ? bytes[offset] : nil }

    /// Whether the next element carries this tag.
    @inlinable @inline(__always)
    public func isNext(_ tag: DERTag) -> Bool { nextTag == tag.rawValue }

    /// Reads one primitive element, which must carry `tag`, and returns what is inside.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func contents(of tag: PrimitiveTag) throws(Failure) -> Span<UInt8> {
        bytes.extracting(try rangeOfContents(of: tag))
    }

    /// Reads one primitive element, which must carry `tag`, and returns where its contents stand.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfContents(of tag: PrimitiveTag) throws(Failure) -> Range<Int> {
        let contents = try header(tag.rawValue)
        offset = contents.upperBound
        return contents
    }

    /// Reads one element of any tag, and returns all of it: tag, length and contents, which are not looked at.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func element() throws(Failure) -> Span<UInt8> {
        let start = offset
        let contents = try header(nil)
        offset = contents.upperBound
        return bytes.extracting(start..<offset)
    }

    /// Reads one element, which must carry `tag`, and returns all of it; its contents are not looked at.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func element(of tag: DERTag) throws(Failure) -> Span<UInt8> {
        bytes.extracting(try rangeOfElement(of: tag))
    }

    /// Reads one element, which must carry `tag`, and returns where it stands; its contents are not looked at.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfElement(of tag: DERTag) throws(Failure) -> Range<Int> {
        let start = offset
        let contents = try header(tag.rawValue)
        offset = contents.upperBound
        return start..<offset
    }

    /// Passes over all that is left of the element that is being read, and returns where it stands.
    ///
    /// For what is read later, or by nobody: it is the only way to leave an element unread.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfRest() -> Range<Int> {
        defer { offset = end }
        return offset..<end
    }

    /// The bytes at a range that this reader returned.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public func bytes(at range: Range<Int>) -> Span<UInt8> { bytes.extracting(range) }

    /// Reads a tag and a length, and returns where the contents stand; they come next.
    ///
    /// - Parameter tag: the one that belongs here; `nil` for any.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    mutating func header(_ tag: UInt8?) throws(Failure) -> Range<Int> {
        let start = offset
        let found = try byte()
        if let tag, found != tag { throw Failure(encoding: .unexpectedTag(found, wanted: tag, at: start)) }
        let count = try length()
        guard count <= end - offset else { throw Failure(encoding: .truncated(at: start)) }
        return offset..<(offset + count)
    }

    /// Reads a length in its shortest form, as DER demands (X.690, section 10.1).
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    mutating func length() throws(Failure) -> Int {
        let start = offset
        let first = try byte()
        guard first >= 0x80 else { return Int(first) }
        guard case let count = Int(first & 0x7f), count >= 1, count <= 4 else {
            throw Failure(encoding: .badLength(at: start))
        }
        var value = 0
        for _ in 0..<count { value = value << 8 | Int(try byte()) }
        guard value >= 0x80, value >> (8 * (count - 1)) != 0 else { throw Failure(encoding: .badLength(at: start)) }
        return value
    }

    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    mutating func byte() throws(Failure) -> UInt8 {
        guard offset < end else { throw Failure(encoding: .truncated(at: offset)) }
        defer { offset += 1 }
        return bytes[offset]
    }
}
