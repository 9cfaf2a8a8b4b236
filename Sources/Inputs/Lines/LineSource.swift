import Encodings

/// The claims of NDJSON, one per line. Lines are passed on whole, and the workers parse them.
final class LineSource: ClaimSource {
    private let stream: any ByteStream
    private let origin: ClaimOrigin
    private let pool: BufferPool
    private var input = ByteArena()
    private var position = 0
    private var line: Int
    private var hasBegun = false
    private var hasEnded = false

    private static let chunk = 128 << 10
    /// The maximum size of a line: base64 of the largest receipt, and the other values.
    private static let maxLineSize = TableRows.maxRowSize

    /// - Parameter firstLine: the number of the first line, if earlier ones are in another stream.
    init(_ stream: any ByteStream, origin: ClaimOrigin, firstLine: Int = 1, pool: BufferPool) {
        self.stream = stream
        line = firstLine
        self.origin = origin
        self.pool = pool
    }

    private(set) var omissions = Omissions()
    var fraction: Double? { stream.fraction }

    func next() -> ClaimBlock? {
        let block = ClaimBlock(.lines, from: origin, pool: pool)
        while !hasEnded, !block.isFull { addLine(to: block) }
        return block.isEmpty ? nil : block
    }

    /// Adds the next line, unless it is blank.
    private func addLine(to block: ClaimBlock) {
        let start = block.text.count
        var item = ClaimBlock.Item(line: line)
        var isWhole = false
        var hasLineEnd = false
        repeat {
            if position == input.count, let reason = refill() {
                omissions.add(InputDamage(source: "\(origin.table):\(line)", reason: reason))
                return block.items.append(
                    ClaimBlock.Item(
                        line: line, identity: start..<block.text.count,
                        receipt: .fault(InputFault(.rowMalformed, reason))))
            }
            let end = input.firstIndex(of: 0x0a, from: position)
            append(position..<(end ?? input.count), to: block, &item, from: start)
            position = end.map { $0 + 1 } ?? input.count
            hasLineEnd = end != nil
            isWhole = hasLineEnd || hasEnded
        } while !isWhole
        defer { line += 1 }
        item.text = block.text.withoutBlanks(start..<block.text.count)
        if !hasLineEnd { noteCutLine(block.text.span(item.text)) }
        if case .inText = item.receipt, item.text.isEmpty { return block.text.cut(at: start) }
        item.identity = block.text.withoutLineEnd(start..<block.text.count)
        block.items.append(item)
    }

    /// Records that the last line is an object without an end.
    private func noteCutLine(_ text: Span<UInt8>) {
        guard text.count > 0, text[0] == UInt8(ascii: "{") else { return }
        var values = JSONValueScanner()
        for index in text.indices { values.scan(text[index]) }
        if values.isInside {
            omissions.add(InputDamage(source: "\(origin.table):\(line)", reason: InputDamage.cutShort))
        }
    }

    private func append(_ range: Range<Int>, to block: ClaimBlock, _ item: inout ClaimBlock.Item, from start: Int) {
        guard case .inText = item.receipt else { return }
        if block.text.count - start + range.count > Self.maxLineSize {
            block.text.cut(at: start)
            item.receipt = .fault(InputFault(.receiptUnreadable, "a line over 12 MiB"))
        } else {
            block.text.append(range, of: input)
        }
    }

    /// Reads more. Returns the reason if the stream breaks off.
    private func refill() -> String? {
        input.empty()
        position = 0
        do throws(StreamDamage) {
            let read = hasBegun ? stream.read : stream.readFirst
            hasEnded = try read(&input, Self.chunk) == 0
        } catch {
            hasEnded = true
            return error.reason
        }
        if !hasBegun {
            position = input.byteOrderMark
            if hasEnded {
                omissions.add(InputDamage(source: origin.table, reason: "the input is empty", losesRows: false))
            }
        }
        hasBegun = true
        return nil
    }
}
