/// The first bytes of a file, which identify a ledger: SQLite's magic at 0, our application ID at 68. Bytes 18 and 19
/// are versions of the file format (https://sqlite.org/fileformat.html); SQLite does not write a file with other
/// values.
enum LedgerHeader {
    static let size = 100

    enum CheckOutcome: Equatable {
        case ours
        case empty
        /// A ledger with some wrong bits.
        case damaged
        case foreign
    }

    static func check(_ head: [UInt8]) -> CheckOutcome {
        guard !head.isEmpty else { return .empty }
        guard head.count == size else { return .foreign }
        let magic = Array("SQLite format 3\0".utf8)
        let application = (0..<4).map { UInt8(truncatingIfNeeded: LedgerSchema.application >> Int32(24 - 8 * $0)) }
        let wrong = zip(head[..<16] + head[68..<72], magic + application).reduce(0) { sum, pair in
            sum + (pair.0 ^ pair.1).nonzeroBitCount
        }
        // Of 160 bits, a few wrong ones are damage; many mean another program's file.
        guard wrong == 0 else { return wrong <= 3 ? .damaged : .foreign }
        return head[18...19].allSatisfy { $0 == 1 || $0 == 2 } ? .ours : .damaged
    }

    /// Throws unless the file is a ledger or empty.
    ///
    /// - Returns: whether it is empty.
    static func check(_ head: [UInt8], path: String) throws(LedgerError) -> Bool {
        switch check(head) {
        case .ours: return false
        case .empty: return true
        case .damaged: throw .damaged(path: path, reason: "its first bytes were changed")
        case .foreign: throw .foreign(path: path)
        }
    }
}
