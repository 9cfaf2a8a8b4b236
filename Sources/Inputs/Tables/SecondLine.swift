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

    /// Takes the next bytes of the row.
    mutating func take(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            if state == .ended { return }
            take(bytes[index])
            count += 1
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (.first, 0x0a), (.behindReturn, 0x0a):
            state = .second
            start = count + 1
        case (.first, 0x0d): state = .behindReturn
        case (.behindReturn, _):
            state = .second
            start = count
            take(byte)
        case (.second, 0x0a), (.second, 0x0d): state = .ended
        case (.second, 0x22): isQuoted.toggle()
        case (.second, 0x2c): if !isQuoted { cells += 1 }
        default: break
        }
    }
}
