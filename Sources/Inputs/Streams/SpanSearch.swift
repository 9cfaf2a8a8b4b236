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

    /// Where these bytes stand first, from a position on.
    func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while position + bytes.count <= count {
            if starts(with: bytes, at: position) { return position }
            position += 1
        }
        return nil
    }
}
