extension Span where Element == UInt8 {
    /// The same bytes without the ASCII blanks around them.
    var withoutBlanks: Span<UInt8> {
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
    package var isBlank: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}
