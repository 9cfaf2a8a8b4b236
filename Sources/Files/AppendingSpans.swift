extension Array where Element == UInt8 {
    /// Appends a copy of some bytes, in one piece.
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
