/// A row that libcsv has begun and not ended: its bytes, so that they can be split once more if it turns out to be none.
struct RunOnRow {
    /// What was read of it before the bytes that are looked at now.
    private var earlier = ByteArena()
    /// Where it starts in those, if it starts there.
    private var start: Int?
    private var watch = QuoteScanner()
    private var secondLine = SecondLine()
    private var watched = 0

    /// Begins a row at a place of the bytes that are looked at.
    mutating func begin(at position: Int) {
        if earlier.isWorthKeeping { earlier.empty() } else { earlier = ByteArena() }
        start = position
        watch = QuoteScanner()
        secondLine = SecondLine()
        watched = position
    }

    /// Takes the row's next bytes, up to a line break or the end of what is there.
    mutating func take(_ input: ByteArena, upTo end: Int) {
        let bytes = input.span(watched..<end)
        watch.take(bytes)
        secondLine.take(bytes)
        watched = end
    }

    /// Whether a quote stands where none may.
    var isBroken: Bool { watch.isBroken }

    /// Where the row's second line starts in the bytes that are looked at, if it looks like a row of its own.
    ///
    /// - Parameter input: gets what was read of the row before in front of it, if that is where the line starts.
    func nextRow(in input: inout ByteArena, columns: Int) -> Int? {
        guard secondLine.isRow(of: columns) else { return nil }
        if let start { return start + secondLine.start }
        var whole = earlier
        whole.append(0..<input.count, of: input)
        input = whole
        return secondLine.start
    }

    /// Keeps what there is of the row; other bytes are looked at next.
    mutating func keep(_ input: ByteArena) {
        earlier.append((start ?? 0)..<input.count, of: input)
        (start, watched) = (nil, 0)
    }

    /// The same for a row of which nothing is kept.
    mutating func leave() { (start, watched) = (nil, 0) }
}

extension ByteArena {
    /// Behind the next line break, LF or CR; the end if there is none.
    func lineEnd(from start: Int) -> Int {
        let feed = firstIndex(of: 0x0a, from: start).map { $0 + 1 } ?? count
        return firstIndex(of: 0x0d, in: start..<feed).map { $0 + 1 } ?? feed
    }
}
