/// Watches the quotes of a row that goes on behind its first line, as only one with a line break in a quoted cell does.
///
/// libcsv takes every quote as it stands, so one that nobody closed would make a single row of all that follows up to the next
/// one. RFC 4180 says where quotes may stand; where they stand elsewhere in such a row, it is no row.
struct QuoteScanner {
    private enum State {
        case beforeCell, plain, quoted, quoteInQuoted, behindQuoted
    }

    private var state = State.beforeCell
    /// Whether a quote stands where none may.
    private(set) var isBroken = false

    /// Takes the next bytes of the row.
    mutating func take(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            switch state {
            case .beforeCell, .plain:
                switch byte {
                case 0x22 where state == .beforeCell: state = .quoted
                case 0x22: isBroken = true
                case 0x2c: state = .beforeCell
                case 0x20, 0x09: break
                default: state = .plain
                }
            case .quoted: if byte == 0x22 { state = .quoteInQuoted }
            case .quoteInQuoted where byte == 0x22: state = .quoted
            case .quoteInQuoted, .behindQuoted:
                switch byte {
                case 0x2c: state = .beforeCell
                case 0x20, 0x09, 0x0d, 0x0a: state = .behindQuoted
                default: isBroken = true
                }
            }
        }
    }
}
