/// The first bytes of a file, by which a ledger of ours is known.
///
/// SQLite's own mark stands at 0, that of the program whose database it is at 68.
enum LedgerHeader {
    static let size = 100

    enum CheckOutcome: Equatable {
        case ours
        case empty
        /// It was a ledger of ours, and has suffered.
        case damaged
        case foreign
    }

    static func judge(_ head: [UInt8]) -> CheckOutcome {
        guard !head.isEmpty else { return .empty }
        guard head.count == size else { return .foreign }
        let marks = Array("SQLite format 3\0".utf8)
        let application = (0..<4).map { UInt8(truncatingIfNeeded: LedgerSchema.application >> Int32(24 - 8 * $0)) }
        let wrong = zip(head[..<16] + head[68..<72], marks + application).reduce(0) { sum, pair in
            sum + (pair.0 ^ pair.1).nonzeroBitCount
        }
        // Of 160 bits, a few that are wrong are damage; many are somebody else's file.
        return wrong == 0 ? .ours : wrong <= 3 ? .damaged : .foreign
    }
}
