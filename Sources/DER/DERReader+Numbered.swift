extension ElementReader {
    /// Reads `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }` if it stands here in the form in which
    /// nearly all such elements come: a type of one or two octets, a version of one, lengths of at most two.
    ///
    /// Every other form, and every broken one, is left to be read element by element, which says what is wrong.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func numberedElement() -> NumberedElement? {
        let bytes = bytes
        var position = offset
        // The shortest one has ten octets without its value.
        guard end - position > 10, bytes[position] == DERTag.sequence.rawValue else { return nil }
        position += 1
        let body = Self.smallLength(bytes, &position)
        let elementEnd = position &+ body
        guard body >= 8, elementEnd <= end, bytes[position] == DERTag.integer.rawValue else { return nil }
        var type = Int(bytes[position + 2])
        switch bytes[position + 1] {
        case 1:
            guard type < 0x80 else { return nil }
            position += 3
        case 2:
            type = type << 8 | Int(bytes[position + 3])
            guard type >= 0x80, type < 0x8000 else { return nil }
            position += 4
        default: return nil
        }
        guard position + 5 <= elementEnd, bytes[position] == DERTag.integer.rawValue, bytes[position + 1] == 1,
            bytes[position + 2] < 0x80
        else { return nil }
        let version = Int(bytes[position + 2])
        position += 3
        guard bytes[position] == DERTag.octetString.rawValue else { return nil }
        position += 1
        let count = Self.smallLength(bytes, &position)
        guard count >= 0, position &+ count == elementEnd else { return nil }
        offset = elementEnd
        return NumberedElement(type: type, version: version, value: bytes.extracting(position..<elementEnd))
    }

    /// A length of up to two octets in its shortest form; less than 0 if it is none.
    @inlinable @inline(__always)
    static func smallLength(_ bytes: Span<UInt8>, _ position: inout Int) -> Int {
        guard position < bytes.count else { return -1 }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return Int(first) }
        if first == 0x81, position < bytes.count, bytes[position] >= 0x80 {
            position += 1
            return Int(bytes[position - 1])
        }
        guard first == 0x82, position + 1 < bytes.count, bytes[position] != 0 else { return -1 }
        position += 2
        return Int(bytes[position - 2]) << 8 | Int(bytes[position - 1])
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
