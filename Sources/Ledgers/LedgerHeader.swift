private import Engine

/// The first bytes of a file, which identify a ledger: SQLite's magic at 0, the version of tables and records at 60, and
/// our application ID at 68 (https://sqlite.org/fileformat.html).
enum LedgerHeader {
    static let size = 100
    /// The application ID: `ARLg`.
    static let application: Int32 = 0x4152_4c67
    /// The version: the same in each of its four bytes, so that a wrong bit is damage and not another version.
    static let version = UInt32(RunHistory.format) * 0x0101_0101

    /// Throws if the file is not a ledger, or one of another format. Some wrong bits are not noticed here.
    ///
    /// - Returns: whether it is empty.
    static func check(_ head: [UInt8], path: String) throws(LedgerError) -> Bool {
        guard !head.isEmpty else { return true }
        guard head.count == size else { throw .foreign(path: path) }
        let marks = Array("SQLite format 3\0".utf8) + (0..<4).map { UInt8(application >> (24 - 8 * $0) & 0xff) }
        let wrong = zip(head[..<16] + head[68..<72], marks).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        // Of 160 bits, a few wrong ones are damage; many mean another program's file.
        guard wrong <= 3 else { throw .foreign(path: path) }
        let version = head[60..<64].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard wrong == 0, version != Self.version, version != 0, version == (version & 0xff) &* 0x0101_0101 else {
            return false
        }
        throw version > Self.version ? .newer(path: path) : .older(path: path)
    }
}
