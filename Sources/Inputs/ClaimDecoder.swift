/// Takes blocks apart into claims, for one worker, and decodes their receipts.
///
/// It owns the memory for that, so a worker keeps one. Claims come in the order of the input.
public final class ClaimDecoder {
    private var der: [UInt8] = []
    /// A file that the loader has left to us.
    private var file = ByteArena()

    public init() {}

    /// Calls one of the two for each claim, in order.
    ///
    /// - Parameters:
    ///   - onReceipt: takes a claim and the bytes to judge: DER, or what could not be read as base64 of it.
    ///   - onFault: takes a claim for which there are none.
    public func forEachClaim(
        in block: ClaimBlock, onReceipt: (Claim, Span<UInt8>) -> Void, onFault: (Claim, InputFault) -> Void
    ) {
        for index in block.items.indices {
            let item = block.items[index]
            do throws(Failure) {
                switch block.shape {
                case .files: try decode(claim(ofFile: item, of: block), item, 0..<0, of: block, onReceipt)
                case .rows:
                    let claim = try claim(ofRow: index, of: block)
                    let data = block.cells[index * Column.count + Column.receiptData.rawValue]
                    try decode(claim, item, data, of: block, onReceipt)
                case .lines: continue
                }
            } catch {
                onFault(error.claim, error.fault)
            }
        }
    }

    /// A claim without a receipt.
    private struct Failure: Error {
        let claim: Claim
        let fault: InputFault
    }

    private func claim(ofFile item: ClaimBlock.Item, of block: ClaimBlock) -> Claim {
        let name = String(repairing: block.text.span(item.text))
        var claim = Claim(source: block.origin.prefix + name)
        claim.file = name
        return claim
    }

    private func claim(ofRow index: Int, of block: ClaimBlock) throws(Failure) -> Claim {
        let item = block.items[index]
        let source = "\(block.origin.table):\(item.line)"
        if case .fault(let fault) = item.receipt, fault.kind == .rowMalformed {
            throw Failure(claim: Claim(source: source), fault: fault)
        }
        var claim = Claim(source: source)
        do throws(InputFault) {
            for column in Column.allCases {
                let cell = block.cells[index * Column.count + column.rawValue]
                if !cell.isEmpty { try claim.set(column, in: block.text, cell) }
            }
        } catch {
            throw Failure(claim: Claim(source: source), fault: error)
        }
        return claim
    }

    /// Hands on a claim with its receipt, wherever that is.
    private func decode(
        _ claim: Claim, _ item: ClaimBlock.Item, _ data: Range<Int>, of block: ClaimBlock,
        _ onReceipt: (Claim, Span<UInt8>) -> Void
    ) throws(Failure) {
        do throws(InputFault) {
            switch item.receipt {
            case .fault(let fault): throw fault
            case .loaded(let range): try decode(range, in: block.files, for: claim, onReceipt)
            case .inText: try decode(data, in: block.text, for: claim, onReceipt)
            case .inFile:
                file.empty()
                let found = try block.origin.open(item.path, in: block.text)
                let range = try file.append(file: found, status: found.receiptStatus())
                try decode(range, in: file, for: claim, onReceipt)
            }
        } catch {
            throw Failure(claim: claim, fault: error)
        }
    }

    private func decode(
        _ stored: Range<Int>, in arena: ByteArena, for claim: Claim, _ onReceipt: (Claim, Span<UInt8>) -> Void
    ) throws(InputFault) {
        let stored = arena.span(stored)
        if ReceiptForm.decode(stored, into: &der) {
            guard der.count <= ReceiptLimit.bytes else { throw .receiptTooLong }
            let der = der
            onReceipt(claim, der.span)
        } else {
            guard stored.count <= ReceiptLimit.bytes else { throw .receiptTooLong }
            onReceipt(claim, stored)
        }
    }
}
