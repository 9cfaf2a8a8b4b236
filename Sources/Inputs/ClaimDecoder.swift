/// Turns the items of a block into claims and the bytes of their receipts.
///
/// It owns the memory for that, so a worker keeps one. Claims come in the order of the input.
public struct ClaimDecoder: ~Copyable {
    /// JSON keys that nobody asked for.
    public internal(set) var unknownKeys = UnknownNames()

    private var form = ReceiptForm()
    /// A file that the loader has left to us.
    private var file = ByteArena()
    private var object = JSONClaim()

    public init() {}

    /// Calls `body` once for each claim of the block.
    public mutating func forEachClaim<Failure: Error>(
        in block: borrowing ClaimBlock, _ body: (Claim, ClaimBytes) throws(Failure) -> Void
    ) throws(Failure) {
        for index in 0..<block.count {
            switch block.shape {
            case .files: try file(index, of: block, body)
            case .rows: try row(index, of: block, body)
            case .lines: continue
            }
        }
    }

    private mutating func file<Failure: Error>(
        _ index: Int, of block: borrowing ClaimBlock, _ body: (Claim, ClaimBytes) throws(Failure) -> Void
    ) throws(Failure) {
        let item = block.items[index]
        let name = String(repairing: block.arena.span(item.text))
        var claim = Claim(source: block.origin.prefix + name)
        claim.file = name
        try pass(claim, item, 0..<0, of: block, body)
    }

    private mutating func row<Failure: Error>(
        _ index: Int, of block: borrowing ClaimBlock, _ body: (Claim, ClaimBytes) throws(Failure) -> Void
    ) throws(Failure) {
        let item = block.items[index]
        var claim = Claim(source: "\(block.origin.table):\(item.line)")
        if case .fault(let fault) = item.receipt, fault.kind == .rowMalformed {
            return try body(claim, .fault(fault))
        }
        do throws(InputFault) {
            for column in Column.allCases where column != .receiptData {
                let cell = block.cells[index * Column.count + column.rawValue]
                if !cell.isEmpty { try claim.set(column, block.arena.span(cell).trimmed) }
            }
        } catch {
            return try body(Claim(source: claim.source), .fault(error))
        }
        try pass(claim, item, block.cells[index * Column.count + Column.receiptData.rawValue], of: block, body)
    }

    /// Hands on a claim with its receipt, wherever that is.
    private mutating func pass<Failure: Error>(
        _ claim: Claim, _ item: ClaimBlock.Item, _ data: Range<Int>, of block: borrowing ClaimBlock,
        _ body: (Claim, ClaimBytes) throws(Failure) -> Void
    ) throws(Failure) {
        switch item.receipt {
        case .fault(let fault): try body(claim, .fault(fault))
        case .loaded(let range): try form.pass(claim, range, in: block.arena, body)
        case .inText: try form.pass(claim, data, in: block.arena, body)
        case .inFile:
            file.empty()
            let range: Range<Int>
            do throws(InputFault) {
                let found = try block.origin.open(block.arena.terminated(item.path))
                range = try file.append(file: found, status: found.receiptStatus())
            } catch {
                return try body(claim, .fault(error))
            }
            try form.pass(claim, range, in: file, body)
        }
    }
}
