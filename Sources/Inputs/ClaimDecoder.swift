/// Takes loaded blocks apart into claims, for one worker.
public final class ClaimDecoder {
    private var scratch: [UInt8] = []

    public init() {}

    /// Calls one of the two for each claim, in order.
    ///
    /// - Parameters:
    ///   - onReceipt: takes a claim and the bytes to judge: DER, or what could not be read as base64 of it.
    ///   - onFault: takes a claim for which there are none.
    public func forEachClaim(
        in block: ClaimBlock, onReceipt: (Claim, Span<UInt8>) -> Void, onFault: (Claim, InputFault) -> Void
    ) {
        for entry in block.entries {
            switch entry.receipt {
            case .bytes(let range):
                let bytes = block.bytes.span.extracting(range)
                if ReceiptForm.decode(bytes, into: &scratch) {
                    onReceipt(entry.claim, scratch.span)
                } else {
                    onReceipt(entry.claim, bytes)
                }
            case .fault(let fault): onFault(entry.claim, fault)
            case .file: onFault(entry.claim, InputFault(.receiptUnreadable, "was not read"))
            }
        }
    }
}
