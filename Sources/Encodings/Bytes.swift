private import Glibc

extension Array where Element == UInt8 {
    /// Appends a copy of some bytes, in one piece.
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends zeros, in one piece. (Without optimization, `repeatElement` appends one element at a time.)
    public mutating func append(zeros count: Int) { append(contentsOf: [UInt8](repeating: 0, count: count)) }

    /// Appends a number in eight bytes, the most significant first.
    public mutating func append(bigEndian number: UInt64) {
        append(addingCapacity: 8) { octets in
            unsafe octets.withUnsafeMutableBufferPointer { octets, count in
                let octets = UnsafeMutableRawBufferPointer(octets)
                unsafe octets.storeBytes(of: number.bigEndian, toByteOffset: count, as: UInt64.self)
                count += 8
            }
        }
    }

    /// Appends the digits of a number in base 10.
    public mutating func append(decimal number: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (rest, start) = (number.magnitude, 20)
        repeat {
            start -= 1
            digits[start] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
            rest /= 10
        } while rest > 0
        if number < 0 { append(UInt8(ascii: "-")) }
        append(copying: digits.span.extracting(start...))
    }

    /// Appends a number in LEB128: seven bits per byte, the least significant first, at most ten bytes.
    @inlinable
    public mutating func append(leb128 number: UInt64) {
        append(addingCapacity: 10) { octets in
            var rest = number
            while rest > 0x7f {
                octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            octets.append(UInt8(truncatingIfNeeded: rest))
        }
    }

    /// Moves the bytes out and leaves the array empty, so that they have one owner and appending copies nothing.
    public mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &self)
        return taken
    }
}

extension Span<UInt8> {
    /// Returns a copy that may outlive the bytes it was made from.
    public func copy() -> [UInt8] {
        var copy: [UInt8] = []
        copy.append(copying: self)
        return copy
    }

    /// Returns the number in eight bytes, the least significant first. There must be eight bytes.
    @inlinable @inline(__always)
    package func littleEndian(at start: Int) -> UInt64 {
        let word = extracting(start..<start &+ 8)
        let low = UInt64(word[0]) | UInt64(word[1]) << 8 | UInt64(word[2]) << 16 | UInt64(word[3]) << 24
        let high = UInt64(word[4]) | UInt64(word[5]) << 8 | UInt64(word[6]) << 16 | UInt64(word[7]) << 24
        return low | high << 32
    }

    /// Reads a number in LEB128 and moves the position past it.
    ///
    /// - Returns: `nil` if the bytes end inside the number or it needs more than 64 bits.
    @inlinable
    public func leb128(at position: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < count, shift < 64 {
            let byte = self[position]
            position &+= 1
            guard shift < 63 || byte < 2 else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift &+= 7
        }
        return nil
    }
}

// MARK: Comparing

extension Span<UInt8> {
    /// Whether these are the same bytes, using memcmp(3).
    public func isSame(as other: [UInt8]) -> Bool { isSame(as: other.span) }

    /// Whether these are the same bytes, using memcmp(3).
    public func isSame(as other: Span<UInt8>) -> Bool { count == other.count && compare(with: other, count) == 0 }

    /// Whether these bytes precede others in byte order. A prefix precedes longer texts.
    public func precedes(_ other: Span<UInt8>) -> Bool { order(to: other) < 0 }

    /// Returns a negative number if these bytes precede others, a positive one if they follow them, 0 if they are
    /// equal.
    public func order(to other: Span<UInt8>) -> Int {
        let order = compare(with: other, Swift.min(count, other.count))
        return order == 0 ? count - other.count : Int(order)
    }

    /// Compares the first bytes. Both must have this many.
    private func compare(with other: Span<UInt8>, _ count: Int) -> CInt {
        guard count > 0 else { return 0 }
        return unsafe withUnsafeBytes { first in
            unsafe other.withUnsafeBytes { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return 0 }
                return unsafe memcmp(first, second, count)
            }
        }
    }

    /// Whether these are the same letters, ignoring the case of ASCII.
    ///
    /// - Parameter other: a text in lower case.
    @inlinable
    public func equalsIgnoringCase(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            let byte = self[index]
            guard ((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) == other[index] else { return false }
        }
        return true
    }
}

extension Hasher {
    /// Adds all bytes at once.
    public mutating func combine(octets: Span<UInt8>) {
        unsafe octets.withUnsafeBytes { unsafe combine(bytes: $0) }
        combine(octets.count)
    }
}

// MARK: Searching

extension Span<UInt8> {
    /// Returns the index of the first byte with this value, using memchr(3).
    public func firstIndex(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = unsafe memchr(start, CInt(byte), bytes.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    /// Returns the index of the last byte with this value.
    @inlinable
    public func lastIndex(of byte: UInt8) -> Int? {
        for index in indices.reversed() where self[index] == byte { return index }
        return nil
    }

    /// Whether these bytes are at a position.
    @inlinable
    public func starts(with bytes: [UInt8], at position: Int = 0) -> Bool {
        guard position >= 0, position <= count, bytes.count <= count - position else { return false }
        for index in bytes.indices where self[position + index] != bytes[index] { return false }
        return true
    }

    /// Returns the index of the first occurrence of these bytes from a position on.
    public func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while position + bytes.count <= count {
            if starts(with: bytes, at: position) { return position }
            position += 1
        }
        return nil
    }

    /// The length of UTF-8's byte order mark at the front: three or 0.
    @inlinable
    public var byteOrderMark: Int { count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf ? 3 : 0 }

    /// The length of all of UTF-8's byte order marks at the front of a file: programs add one that is already there.
    @inlinable
    public var byteOrderMarks: Int {
        var end = 0
        while count >= end + 3, self[end] == 0xef, self[end + 1] == 0xbb, self[end + 2] == 0xbf { end += 3 }
        return end
    }

    /// The bytes without the ASCII blanks around them.
    @inlinable
    public var withoutBlanks: Span<UInt8> {
        @_lifetime(copy self) get {
            var start = 0
            var end = count
            while start < end, self[start].isBlank { start += 1 }
            while end > start, self[end - 1].isBlank { end -= 1 }
            return extracting(start..<end)
        }
    }
}

extension UInt8 {
    /// Whether this is a space, tab or line break in ASCII.
    @inlinable
    public var isBlank: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

// MARK: UTF-8

extension Span<UInt8> {
    /// Whether all bytes are ASCII.
    @inlinable
    public var isASCII: Bool {
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all < 0x80
    }

    /// Returns the Unicode scalar whose UTF-8 begins at this index; `nil` if there is none.
    package func scalar(at index: Int) -> Unicode.Scalar? {
        guard index >= 0, index < count else { return nil }
        let first = self[index]
        let length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
        guard length > 0, length <= count - index else { return nil }
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0x7f >> UInt32(length))
        for offset in 1..<length {
            let byte = self[index + offset]
            guard byte & 0xc0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        // An overlong form, or a surrogate.
        guard let scalar = Unicode.Scalar(value), UTF8.width(scalar) == length else { return nil }
        return scalar
    }
}

extension String {
    /// Decodes UTF-8. Invalid bytes become U+FFFD, as in the names of files.
    package init(repairing text: Span<UInt8>) {
        if let text = try? UTF8Span(validating: text) {
            self.init(copying: text)
        } else {
            self.init(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        }
    }
}
