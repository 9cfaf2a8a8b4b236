internal import Files

extension FileStatus {
    /// Appends what tells that a file is still the one that was read, as long as nobody sets clocks back: size, time of
    /// modification and inode, on one device.
    func appendIdentity(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt64(bitPattern: Int64(size)))
        bytes.append(bigEndian: UInt64(bitPattern: modified))
        bytes.append(bigEndian: inode)
        bytes.append(bigEndian: device)
    }
}
