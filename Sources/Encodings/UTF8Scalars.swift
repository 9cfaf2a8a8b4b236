extension Span<UInt8> {
    /// The Unicode scalar whose UTF-8 begins at this index; `nil` if none does.
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
        // Longer than need be, or a surrogate.
        guard let scalar = Unicode.Scalar(value), UTF8.width(scalar) == length else { return nil }
        return scalar
    }
}
