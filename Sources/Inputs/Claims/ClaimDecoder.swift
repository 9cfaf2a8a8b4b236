import Encodings
import Files

/// Decodes blocks into claims with their receipts, for one worker.
///
/// It owns the memory for that, so each worker has its own. Claims are in the order of the input.
public final class ClaimDecoder {
    private var der: [UInt8] = []
    /// A file that the loader left to the decoder.
    private var file = ByteArena()
    private var object = JSONObject()
    /// Keys that have been recorded as unknown, so that they are not recorded again for each claim.
    private var recordedKeys: Set<ExactText> = []

    public init() {}

    /// Calls one of the two bodies for each claim, in order.
    ///
    /// - Parameters:
    ///   - onReceipt: called with a claim, the bytes to check, which are DER or could not be decoded as base64 of it,
    ///     and the original bytes in the file, cell or value.
    ///   - onFault: called with a claim without bytes to check, the reason, and the bytes that distinguish it from
    ///     others: those of a receipt that is too long, if it is in the row; those of an unreadable row, without the
    ///     line end, or none if the row is too long; otherwise the path as named in the row.
    /// - Throws: ``InputError/exhausted(path:reason:)`` if a receipt could not be read for lack of descriptors or
    ///   memory.
    public func forEachClaim(
        in block: ClaimBlock, onReceipt: (Claim, _ bytes: Span<UInt8>, _ stored: Span<UInt8>) -> Void,
        onFault: (Claim, InputFault, _ identity: Span<UInt8>) -> Void
    ) throws(InputError) {
        for index in block.items.indices {
            let item = block.items[index]
            do throws(Failure) {
                switch block.shape {
                case .files: try decode(claim(ofFile: item, of: block), item, 0..<0, of: block, onReceipt)
                case .rows:
                    let claim = try claim(ofRow: index, of: block)
                    let data = block.cells[index * Column.count + Column.receiptData.rawValue]
                    try decode(claim, item, data, of: block, onReceipt)
                case .lines: try decodeLine(item, of: block, onReceipt)
                }
            } catch {
                if error.fault.isExhaustion {
                    throw .exhausted(path: error.claim.source.text, reason: error.fault.reason)
                }
                switch error.identity {
                case .text(let range): onFault(error.claim, error.fault, block.text.span(range))
                case .path(let path): onFault(error.claim, error.fault, path.utf8.span)
                case .value: object.withReceipt(in: block.text, item.text) { onFault(error.claim, error.fault, $0) }
                }
            }
        }
    }

    /// A claim without a receipt.
    private struct Failure: Error {
        let claim: Claim
        let fault: InputFault
        let identity: Identity
    }

    /// The bytes that distinguish a claim without a receipt from others.
    private enum Identity {
        /// In the text of the block.
        case text(Range<Int>)
        case path(ExactText)
        /// The receipt in the JSON object.
        case value
    }

    private func claim(ofFile item: ClaimBlock.Item, of block: ClaimBlock) -> Claim {
        let name = String(repairing: block.text.span(item.text))
        var claim = Claim(source: block.source(of: item))
        claim.line = item.line
        claim.file = ExactText(name)
        return claim
    }

    private func claim(ofRow index: Int, of block: ClaimBlock) throws(Failure) -> Claim {
        let item = block.items[index]
        var claim = block.unreadClaim(item)
        if case .fault(let fault) = item.receipt, fault.kind == .rowMalformed {
            throw Failure(claim: claim, fault: fault, identity: .text(item.identity))
        }
        for column in Column.allCases {
            let cell = block.cells[index * Column.count + column.rawValue]
            if !cell.isEmpty { claim.set(column, block.text.span(cell)) }
        }
        return claim
    }

    private func decodeLine(
        _ item: ClaimBlock.Item, of block: ClaimBlock, _ onReceipt: (Claim, Span<UInt8>, Span<UInt8>) -> Void
    ) throws(Failure) {
        var claim = block.unreadClaim(item)
        do throws(InputFault) {
            if case .fault(let fault) = item.receipt { throw fault }
            try read(item.text, of: block)
            try object.fill(&claim, from: block.text, item.text)
        } catch {
            throw Failure(claim: block.unreadClaim(item), fault: error, identity: .text(item.identity))
        }
        guard !claim.file.isEmpty, !object.hasReceipt(in: block.text, item.text) else {
            claim.file = ""
            do throws(InputFault) {
                try object.withReceipt(in: block.text, item.text) { (stored) throws(InputFault) in
                    try ReceiptForm.present(stored, of: claim, decodingInto: &der, onReceipt)
                }
            } catch {
                throw Failure(claim: claim, fault: error, identity: .value)
            }
            return
        }
        let path = claim.file
        do throws(InputFault) {
            file.empty()
            try file.append(pathOf: &claim)
            try present(block.origin.open(0..<(file.count - 1), in: file), of: claim, onReceipt)
        } catch {
            throw Failure(claim: claim, fault: error, identity: .path(path))
        }
    }

    private func read(_ line: Range<Int>, of block: ClaimBlock) throws(InputFault) {
        do throws(JSONError) {
            try object.read(line, of: block.text, block.origin.names) { key in
                guard FirstNames.mayBeNamed(key) else { return }
                // After a thousand, keys are recorded repeatedly.
                if recordedKeys.count >= 1000 || recordedKeys.insert(ExactText(key)).inserted {
                    block.origin.unknownKeys?.insert(key)
                }
            }
        } catch {
            var isOtherText = false
            if case .notUTF8 = error { isOtherText = true }
            if case .differ(let first, let second) = error { throw InputFault.twoProofs(first, second) }
            throw InputFault(.rowMalformed, error.description, isOtherText: isOtherText)
        }
    }

    /// Passes on a claim with its receipt from any place.
    private func decode(
        _ claim: Claim, _ item: ClaimBlock.Item, _ data: Range<Int>, of block: ClaimBlock,
        _ onReceipt: (Claim, Span<UInt8>, Span<UInt8>) -> Void
    ) throws(Failure) {
        do throws(InputFault) {
            switch item.receipt {
            case .fault(let fault): throw fault
            case .loaded(let range): try block.files.present(range, of: claim, decodingInto: &der, onReceipt)
            case .inText: try block.text.present(data, of: claim, decodingInto: &der, onReceipt)
            case .inFile:
                try present(block.origin.open(item.path, in: block.text), of: claim, onReceipt)
            }
        } catch {
            let identity = if case .inText = item.receipt { data } else { item.identity }
            throw Failure(claim: claim, fault: error, identity: .text(identity))
        }
    }

    /// Passes on a claim with the receipt in a file.
    private func present(
        _ found: consuming FileDescriptor, of claim: Claim,
        _ onReceipt: (Claim, Span<UInt8>, Span<UInt8>) -> Void
    ) throws(InputFault) {
        file.empty()
        let range = try file.append(file: found, status: found.receiptStatus())
        try file.present(range, of: claim, decodingInto: &der, onReceipt)
    }
}

extension ClaimBlock {
    /// Returns the claim of an unreadable row, with only its place.
    fileprivate func unreadClaim(_ item: Item) -> Claim {
        var claim = Claim(source: source(of: item))
        claim.line = item.line
        return claim
    }
}
