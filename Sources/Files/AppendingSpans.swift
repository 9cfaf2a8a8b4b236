extension Array where Element == UInt8 {
    /// Appends a copy of some bytes, in one piece.
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends a number in eight octets, the most significant first.
    public mutating func append(bigEndian number: UInt64) {
        var octets = InlineArray<8, UInt8>(repeating: 0)
        for index in 0..<8 { octets[index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
        append(copying: octets.span)
    }
}
