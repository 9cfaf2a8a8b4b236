extension DERReader {
    /// Reads an INTEGER in its shortest form and returns its octets (X.690, section 8.3).
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func integerOctets() throws(DERError) -> Span<UInt8> {
        let start = position
        let octets = try contents(of: .integer)
        guard octets.count > 0 else { throw .badInteger(at: start) }
        if octets.count > 1 {
            let padding = octets[0] == 0 && octets[1] < 0x80 || octets[0] == 0xff && octets[1] >= 0x80
            guard !padding else { throw .badInteger(at: start) }
        }
        return octets
    }

    /// Reads an INTEGER that must fit in 64 bits.
    @inlinable @inline(__always)
    public mutating func integer() throws(DERError) -> Int {
        let start = position
        let octets = try integerOctets()
        guard octets.count <= 8 else { throw .badInteger(at: start) }
        var value: Int64 = octets[0] < 0x80 ? 0 : -1
        for index in octets.indices { value = value << 8 | Int64(octets[index]) }
        return Int(value)
    }
}
