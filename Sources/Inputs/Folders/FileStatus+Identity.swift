internal import Files

extension FileStatus {
    /// Appends the octets that tell that a file is still the one that was read: size, time of modification (mtime), time
    /// of change (ctime), inode and device.
    ///
    /// Everybody can set mtime, and an inode is given again when its file is gone: what is unpacked twice from one archive
    /// differs in ctime alone, which nobody can set but by setting the clock.
    func appendIdentity(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt64(bitPattern: Int64(size)))
        bytes.append(bigEndian: UInt64(bitPattern: modified))
        bytes.append(bigEndian: UInt64(bitPattern: changed))
        bytes.append(bigEndian: inode)
        bytes.append(bigEndian: device)
    }

    /// Whether neither bytes nor status were changed at a time, in nanoseconds since the epoch, or later.
    func isSettled(before limit: Int64) -> Bool { max(modified, changed) < limit }
}
