/// Reads DER, and throws ``DERError`` unchanged.
public typealias DERReader = ElementReader<DERError>

/// Reads DER (X.690) from the front of a span of bytes, one element at a time.
///
/// A reader exists only inside a closure: of ``read(_:_:)`` for all the bytes, of ``inside(_:_:)`` for the contents of
/// a constructed element. Both throw ``DERError/leftOver(at:)`` if the closure leaves bytes unread, so that no caller
/// can forget to check. Spans do not outlive the closure. Whatever must outlive it is returned as a range of the bytes
/// given to `read`, and the positions in errors also count from their first byte.
///
/// Nothing is copied or allocated, and every index is checked: a bad length is a thrown error, never a read past the
/// end. Only shortest definite lengths are read; BER's other forms are refused. Inlinable, because a receipt has
/// hundreds of elements, which other modules read.
@frozen
public struct ElementReader<Failure: DERFailure>: ~Escapable {
    @usableFromInline let bytes: Span<UInt8>
    @usableFromInline var offset: Int
    /// Where the element that is being read ends.
    @usableFromInline var end: Int

    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Reads all of the bytes.
    @inlinable @inline(__always)
    public static func read<Output>(
        _ bytes: Span<UInt8>, _ body: (inout ElementReader) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        try read(bytes, in: 0..<bytes.count, body)
    }

    /// Reads all bytes of a range; positions and ranges still count from the first of all bytes.
    @inlinable @inline(__always)
    public static func read<Output>(
        _ bytes: Span<UInt8>, in range: Range<Int>, _ body: (inout ElementReader) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var reader = ElementReader(bytes, range)
        let result = try body(&reader)
        guard reader.isAtEnd else { throw Failure(encoding: .leftOver(at: reader.offset)) }
        return result
    }

    /// Reads one element, which must have `tag`, and all elements in it.
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

    /// The start of the next element.
    @inlinable public var position: Int { offset }

    @inlinable public var isAtEnd: Bool { offset == end }

    /// The next element's tag octet, if there is a next element.
    @inlinable public var nextTag: UInt8? { offset < end ? bytes[offset] : nil }

    /// Whether the next element has this tag.
    @inlinable @inline(__always)
    public func isNext(_ tag: DERTag) -> Bool { nextTag == tag.rawValue }

    /// Reads one primitive element, which must have `tag`, and returns its contents.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func contents(of tag: PrimitiveTag) throws(Failure) -> Span<UInt8> {
        bytes.extracting(try rangeOfContents(of: tag))
    }

    /// Reads one primitive element, which must have `tag`, and returns the range of its contents.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfContents(of tag: PrimitiveTag) throws(Failure) -> Range<Int> {
        let contents = try header(tag.rawValue)
        offset = contents.upperBound
        return contents
    }

    /// Reads one element, which must have `tag`, or any if that is `nil`, and returns all of it: tag, length and
    /// contents, which are not parsed.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func element(of tag: DERTag? = nil) throws(Failure) -> Span<UInt8> {
        bytes.extracting(try rangeOfElement(of: tag))
    }

    /// Reads one element, which must have `tag`, or any if that is `nil`, and returns its range.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfElement(of tag: DERTag? = nil) throws(Failure) -> Range<Int> {
        let start = offset
        let contents = try header(tag?.rawValue)
        offset = contents.upperBound
        return start..<offset
    }

    /// Skips the rest of the element that is being read, and returns its range.
    ///
    /// This is the only way to leave an element unread.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfRest() -> Range<Int> {
        defer { offset = end }
        return offset..<end
    }

    /// Returns the bytes at a range returned by this reader.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public func bytes(at range: Range<Int>) -> Span<UInt8> { bytes.extracting(range) }

    /// Reads a tag and a length, and returns the range of the contents, which come next.
    ///
    /// - Parameter tag: the expected tag; `nil` for any.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    mutating func header(_ tag: UInt8?) throws(Failure) -> Range<Int> {
        let start = offset
        guard start < end else { throw Failure(encoding: .truncated(at: start)) }
        let found = bytes[start]
        if let tag, found != tag { throw Failure(encoding: .unexpectedTag(found, wanted: tag, at: start)) }
        var position = start + 1
        let length = ElementLength.read(bytes, at: &position, end: end, maxOctets: 4)
        switch length.form {
        case .shortest: break
        case .longer, .indefinite, .tooLarge: throw Failure(encoding: .badLength(at: start + 1))
        case .truncated: throw Failure(encoding: .truncated(at: start))
        }
        guard length.count <= end - position else { throw Failure(encoding: .truncated(at: start)) }
        offset = position
        return position..<(position + length.count)
    }
}

extension ElementReader {
    /// Reads an INTEGER in its shortest form and returns its octets (X.690, section 8.3).
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func integerOctets() throws(Failure) -> Span<UInt8> { bytes(at: try rangeOfInteger()) }

    /// Reads an INTEGER in its shortest form and returns the range of its octets.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func rangeOfInteger() throws(Failure) -> Range<Int> {
        let start = offset
        let range = try rangeOfContents(of: .integer)
        let octets = bytes(at: range)
        guard octets.count > 0 else { throw Failure(encoding: .badInteger(at: start)) }
        if octets.count > 1 {
            let padding = octets[0] == 0 && octets[1] < 0x80 || octets[0] == 0xff && octets[1] >= 0x80
            guard !padding else { throw Failure(encoding: .badInteger(at: start)) }
        }
        return range
    }

    /// Reads an INTEGER that must fit in 64 bits.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func integer() throws(Failure) -> Int {
        let start = offset
        let octets = try integerOctets()
        guard octets.count <= 8 else { throw Failure(encoding: .badInteger(at: start)) }
        var value: Int64 = octets[0] < 0x80 ? 0 : -1
        for index in octets.indices { value = value << 8 | Int64(octets[index]) }
        return Int(value)
    }
}

extension ElementReader {
    /// Reads `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }` if the next element has the form of
    /// nearly all such elements: a type of one or two octets, a version of one.
    ///
    /// Returns `nil` for every other form: reading element by element then finds the error, if there is one.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func numberedElement() -> NumberedElement? {
        let bytes = bytes
        var position = offset
        // The shortest one has ten octets without its value.
        guard end &- position > 10, bytes[position] == DERTag.sequence.rawValue else { return nil }
        position &+= 1
        let body = ElementLength.read(bytes, at: &position, end: end, maxOctets: 4)
        guard body.form == .shortest, body.count >= 8, body.count <= end &- position else { return nil }
        let elementEnd = position &+ body.count
        // All before the value has a fixed length, except for the type's second octet, and is read at once.
        let head = bytes.extracting(position..<position &+ 8)
        guard head[0] == DERTag.integer.rawValue else { return nil }
        var type = Int(head[2])
        var next = 3
        switch head[1] {
        case 1: guard type < 0x80 else { return nil }
        case 2:
            type = type << 8 | Int(head[3])
            guard type >= 0x80, type < 0x8000 else { return nil }
            next = 4
        default: return nil
        }
        guard head[next] == DERTag.integer.rawValue, head[next &+ 1] == 1, head[next &+ 2] < 0x80,
            head[next &+ 3] == DERTag.octetString.rawValue
        else { return nil }
        let version = Int(head[next &+ 2])
        position &+= next &+ 4
        let length = ElementLength.read(bytes, at: &position, end: elementEnd, maxOctets: 4)
        guard length.form == .shortest, length.count == elementEnd &- position else { return nil }
        offset = elementEnd
        return NumberedElement(type: type, version: version, value: bytes.extracting(position..<elementEnd))
    }
}

/// A value with a number for its type and one for its version.
@frozen
public struct NumberedElement: ~Escapable {
    public let type: Int
    public let version: Int
    public let value: Span<UInt8>

    @inlinable @inline(__always)
    @_lifetime(copy value)
    init(type: Int, version: Int, value: Span<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }
}
