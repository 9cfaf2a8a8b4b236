extension Span<UInt8> {
    /// Where the byte stands first.
    func firstIndex(of byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }

    /// How many bytes at the front are UTF-8's byte order mark: three or none.
    var byteOrderMark: Int { count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf ? 3 : 0 }

    /// Whether these bytes stand at a position.
    func starts(with bytes: [UInt8], at position: Int) -> Bool {
        guard position >= 0, position <= count, bytes.count <= count - position else { return false }
        for index in bytes.indices where self[position + index] != bytes[index] { return false }
        return true
    }

    /// The range without blanks (space, tab, line break) at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isBlank(self[start]) { start += 1 }
        while start < end, isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The bytes without blanks at their ends.
    var trimmed: Span<UInt8> {
        @_lifetime(copy self) get { extracting(trimmed(indices)) }
    }
}

/// Space, tab, line feed, vertical tab, form feed or carriage return.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
