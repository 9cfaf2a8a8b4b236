extension ElementReader {
    /// Reads an INTEGER in its shortest form and returns its octets (X.690, section 8.3).
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func integerOctets() throws(Failure) -> Span<UInt8> { bytes(at: try rangeOfInteger()) }

    /// Reads an INTEGER in its shortest form and returns where its octets stand.
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
