/// Splits the rows of a table on which all CSV readers agree, and leaves the others to libcsv.
///
/// Nearly all rows are plain: quoted cells are entirely quoted and contain neither quotes nor line breaks. In a row
/// with a receipt most of the time is spent on searching every byte for rare ones, and memchr(3) is many times as fast
/// as a state machine. A test compares the results with libcsv's.
struct PlainRows {
    private var fields: [Range<Int>] = []
    private var lineFeed = NextByte(0x0a)
    private var carriageReturn = NextByte(0x0d)
    private var comma: NextByte
    private var quote = NextByte(0x22)
    private let separator: UInt8
    /// Whether the next row can only be split with the line after it.
    private(set) var needsMore = false
    /// Whether nothing follows the input.
    var isAtEnd = false

    /// - Parameter separator: the separator of cells.
    init(separator: UInt8 = UInt8(ascii: ",")) { (self.separator, comma) = (separator, NextByte(separator)) }

    /// Adds the fields of plain rows to the table's.
    ///
    /// - Parameter start: the index at which a row starts.
    /// - Returns: the index of the first row that is not plain, or incomplete.
    mutating func split(_ input: ByteArena, from start: Int, into rows: inout TableRows) -> Int {
        lineFeed.reset()
        carriageReturn.reset()
        comma.reset()
        quote.reset()
        var position = start
        needsMore = false
        while let end = lineFeed.position(in: input, from: position),
            findFields(input, position, end, cells: rows.header?.shape.cells ?? 0)
        {
            for field in fields { rows.addField(input.span(field), lineFeeds: 0) }
            if end > position, input[end - 1] == 0x0d { rows.endRow(0x0d) }
            rows.endRow(0x0a)
            if rows.awaitsBytes { rows.endUnread(input.span(position..<end)) }
            position = end + 1
        }
        return position
    }

    /// Finds the fields of a row without its line feed; false if it is not plain.
    ///
    /// - Parameter cells: the number of cells in the header; 0 if it is not known yet.
    private mutating func findFields(_ input: ByteArena, _ start: Int, _ end: Int, cells: Int) -> Bool {
        fields.removeAll(keepingCapacity: true)
        var rowEnd = end
        if let found = carriageReturn.position(in: input, from: start), found < end {
            guard found == end - 1 else { return false }
            rowEnd = found
        }
        // Blanks alone are not a row.
        guard !trimmed(start..<rowEnd, in: input).isEmpty else { return true }
        if separator == 0x09, cells > 1, let found = quote.position(in: input, from: start), found < rowEnd {
            return findTabbedFields(input, start..<rowEnd, next: end + 1, cells)
        }
        var fieldStart = start
        while true {
            var fieldEnd = rowEnd
            if let opening = quote.position(in: input, from: fieldStart), opening < rowEnd, opening == fieldStart {
                guard let closing = quote.position(in: input, from: opening + 1), closing < rowEnd,
                    closing + 1 == rowEnd || input[closing + 1] == separator
                else { return false }
                fields.append(opening + 1..<closing)
                fieldEnd = closing + 1
            } else {
                if let found = comma.position(in: input, from: fieldStart), found < rowEnd { fieldEnd = found }
                if let found = quote.position(in: input, from: fieldStart), found < fieldEnd { return false }
                fields.append(trimmed(fieldStart..<fieldEnd, in: input))
            }
            if fieldEnd == rowEnd { return true }
            fieldStart = fieldEnd + 1
        }
    }

    /// Finds the fields of a row with quotes between tabs. What databases write with tabs has no quoting, so a quote is
    /// text unless it encloses its whole cell; a cell with line breaks ends where the next line is no row.
    private mutating func findTabbedFields(_ input: ByteArena, _ row: Range<Int>, next: Int, _ cells: Int) -> Bool {
        var start = row.lowerBound
        var isOpen = false
        while start <= row.upperBound {
            let end = min(input.firstIndex(of: 0x09, in: start..<row.upperBound) ?? row.upperBound, row.upperBound)
            let field = trimmed(start..<end, in: input)
            let isQuoted = !field.isEmpty && input[field.lowerBound] == 0x22
            isOpen = isQuoted && (field.count == 1 || input[field.upperBound - 1] != 0x22)
            let inner = field.lowerBound + 1..<max(field.lowerBound + 1, field.upperBound - 1)
            if isQuoted, !isOpen {
                // Doubled quotes are left to libcsv.
                guard input.firstIndex(of: 0x22, in: inner) == nil else { return false }
                fields.append(inner)
            } else {
                fields.append(field)
            }
            start = end + 1
        }
        guard fields.count == cells else { return false }
        guard isOpen else { return true }
        guard let end = input.firstIndex(of: 0x0a, from: next) else {
            needsMore = !isAtEnd
            return isAtEnd
        }
        return input.span(next..<end).indices.count { input[next + $0] == 0x09 } == cells - 1
    }

    /// Returns the range without surrounding spaces and tabs, which belong to no field unless they are quoted.
    private func trimmed(_ range: Range<Int>, in input: ByteArena) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(input[start]) { start += 1 }
        while start < end, isBlank(input[end - 1]) { end -= 1 }
        return start..<end
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 && separator != 0x09 }
}

/// The next position of a byte, searched once per occurrence.
private struct NextByte {
    private let byte: UInt8
    /// The first position from that of the last search; `Int.max` if there is none.
    private var next = -1

    init(_ byte: UInt8) { self.byte = byte }

    mutating func reset() { next = -1 }

    mutating func position(in input: ByteArena, from start: Int) -> Int? {
        if next < start { next = input.firstIndex(of: byte, from: start) ?? .max }
        return next == .max ? nil : next
    }
}
