/// Finds the second line of a row that libcsv has begun, and counts the cells that it would have as a row of its own.
///
/// It sees each byte once, in order, so that what it finds does not depend on the pieces in which a table arrives.
struct SecondLine {
    private enum State {
        case first, behindReturn, second, ended
    }

    private var state = State.first
    private var count = 0
    private var cells = 1
    private var isQuoted = false
    /// How many bytes of the row stand before it.
    private(set) var start = 0

    /// Whether all of it was seen, its quotes are closed, and it has so many cells: base64 and other text that was
    /// broken into lines does not.
    func isRow(of columns: Int) -> Bool { state == .ended && columns > 1 && cells == columns && !isQuoted }

    /// Takes the next bytes of the row: a line up to its break, which is LF or CR, or a piece of one.
    mutating func take(_ bytes: Span<UInt8>) {
        guard state != .ended, bytes.count > 0 else { return }
        if state == .behindReturn {
            state = .second
            // The LF of a CR LF belongs to the first line.
            let isLineFeed = bytes[0] == 0x0a
            start = isLineFeed ? count + 1 : count
            if isLineFeed {
                count += 1
                return
            }
        }
        count += bytes.count
        let last = bytes[bytes.count - 1]
        if state == .first {
            if last == 0x0a {
                (state, start) = (.second, count)
            } else if last == 0x0d {
                state = .behindReturn
            }
            return
        }
        for index in bytes.indices {
            if bytes[index] == 0x22 { isQuoted.toggle() }
            if bytes[index] == 0x2c, !isQuoted { cells += 1 }
        }
        if last == 0x0a || last == 0x0d { state = .ended }
    }
}
