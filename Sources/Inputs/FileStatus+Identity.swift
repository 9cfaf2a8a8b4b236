internal import Files

extension FileStatus {
    /// Appends what tells that a file is still the one that was read, as long as nobody sets clocks back: size, time of
    /// modification and inode, on one device.
    func appendIdentity(to bytes: inout [UInt8]) {
        bytes.append(number: UInt64(bitPattern: Int64(size)))
        bytes.append(number: UInt64(bitPattern: modified))
        bytes.append(number: inode)
        bytes.append(number: device)
    }
}

extension [UInt8] {
    /// Appends a number in eight bytes.
    mutating func append(number: UInt64) {
        var octets = InlineArray<8, UInt8>(repeating: 0)
        for index in 0..<8 { octets[index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
        append(copying: octets.span)
    }
}
