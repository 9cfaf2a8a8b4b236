/// A row that libcsv has begun and not ended: its bytes, so that they can be split once more if it turns out to be none.
struct RunOnRow {
    /// What was read of it before the bytes that are looked at now.
    private(set) var earlier = ByteArena()
    /// Where it starts in those, if it starts there.
    private(set) var start: Int?
    private var watch = QuoteWatch()
    private var watched = 0

    /// Begins a row at a place of the bytes that are looked at.
    mutating func begin(at position: Int) {
        if earlier.isWorthKeeping { earlier.empty() } else { earlier = ByteArena() }
        start = position
        watch = QuoteWatch()
        watched = position
    }

    /// Takes the row's next bytes, up to the end of a line.
    mutating func take(_ input: ByteArena, upTo end: Int) {
        watch.take(input.span(watched..<end))
        watched = end
    }

    var hasSeveralLines: Bool { watch.hasSeveralLines }

    /// Whether it goes on behind its first line though a quote stands where none may.
    var isBroken: Bool { watch.isBroken && watch.hasSeveralLines }

    /// Keeps what there is of the row; other bytes are looked at next.
    mutating func keep(_ input: ByteArena) {
        earlier.append((start ?? 0)..<input.count, of: input)
        (start, watched) = (nil, 0)
    }

    /// The same for a row of which nothing is kept.
    mutating func leave() { (start, watched) = (nil, 0) }

    /// All of the row and what follows it.
    func whole(with input: ByteArena) -> ByteArena {
        var whole = earlier
        whole.append(0..<input.count, of: input)
        return whole
    }
}

extension ByteArena {
    /// Where the line behind the one that starts at `start` starts, if that looks like a row of a table with so many columns:
    /// base64 and other text that was broken into lines does not.
    func nextRow(after start: Int, columns: Int) -> Int? {
        guard columns > 1, let end = lineEnd(from: start) else { return nil }
        let next = span(end..<count)
        var cells = 1
        var isQuoted = false
        for index in next.indices {
            if next[index] == 0x0a || next[index] == 0x0d { return cells == columns && !isQuoted ? end : nil }
            if next[index] == 0x22 { isQuoted.toggle() }
            if next[index] == 0x2c, !isQuoted { cells += 1 }
        }
        return nil
    }

    /// Behind the line break at the end of a line.
    private func lineEnd(from start: Int) -> Int? {
        var position = start
        while position < count {
            let byte = self[position]
            position += 1
            if byte == 0x0a { return position }
            if byte == 0x0d { return position < count && self[position] == 0x0a ? position + 1 : position }
        }
        return nil
    }
}
