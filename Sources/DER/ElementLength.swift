/// The length octets of an element (X.690, section 8.1.3), decoded and encoded here for all readers and writers.
@frozen @usableFromInline
struct ElementLength {
    /// The form of the octets.
    @frozen @usableFromInline
    enum Form {
        /// A number in the fewest octets, the only form that DER allows (section 10.1).
        case shortest
        /// A number in more octets than it needs.
        case longer
        /// End-of-contents octets end the element (section 8.1.3.6).
        case indefinite
        /// There are more octets than the reader allows, or the number has more than 56 bits.
        case tooLarge
        /// The bytes end inside the length.
        case truncated
    }

    @usableFromInline let form: Form
    /// The number of octets of contents; 0 if the form is not one of the first two.
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(_ form: Form, count: Int = 0) {
        self.form = form
        self.count = count
    }

    /// Decodes the length at a position, and moves the position past it.
    ///
    /// - Parameters:
    ///   - end: the position at which the bytes end.
    ///   - maxOctets: the maximum number of octets in a long form.
    @inlinable @inline(__always)
    static func read(_ bytes: Span<UInt8>, at position: inout Int, end: Int, maxOctets: Int = 127) -> ElementLength {
        guard position < end else { return ElementLength(.truncated) }
        let first = bytes[position]
        position &+= 1
        if first < 0x80 { return ElementLength(.shortest, count: Int(first)) }
        // Nearly all others.
        if first == 0x82, end &- position >= 2, bytes[position] != 0 {
            position &+= 2
            return ElementLength(.shortest, count: Int(bytes[position &- 2]) << 8 | Int(bytes[position &- 1]))
        }
        return readOther(first, bytes, at: &position, end: end, maxOctets: maxOctets)
    }

    /// Decodes the octets after the first one of any other length. Not inlined, so that the code of readers is small.
    @inline(never) @usableFromInline
    static func readOther(
        _ first: UInt8, _ bytes: Span<UInt8>, at position: inout Int, end: Int, maxOctets: Int
    ) -> ElementLength {
        let octets = Int(first & 0x7f)
        guard octets > 0 else { return ElementLength(.indefinite) }
        guard octets <= maxOctets else { return ElementLength(.tooLarge) }
        let isTruncated = octets > end - position
        let last = isTruncated ? end : position + octets
        var count = 0
        while position < last {
            guard count < 1 << 48 else {
                position = last
                return ElementLength(.tooLarge)
            }
            count = count << 8 | Int(bytes[position])
            position += 1
        }
        if isTruncated { return ElementLength(.truncated) }
        let isShortest = count >= 0x80 && count >> (8 * (octets - 1)) != 0
        return ElementLength(isShortest ? .shortest : .longer, count: count)
    }

    /// Returns the number of octets of a length's shortest form.
    static func octetCount(_ length: Int) -> Int {
        length < 0x80 ? 1 : 1 + (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    }

    /// Returns one of the octets of a length's shortest form.
    static func octet(_ index: Int, of length: Int) -> UInt8 {
        let more = octetCount(length) - 1
        if index == 0, more > 0 { return 0x80 | UInt8(truncatingIfNeeded: more) }
        return UInt8(truncatingIfNeeded: length >> (8 * (more - index)))
    }
}
