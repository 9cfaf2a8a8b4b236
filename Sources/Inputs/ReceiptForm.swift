internal import Encodings

/// Turns a receipt as it was stored or sent into the bytes to judge.
///
/// What starts with the tag of a SEQUENCE is DER as it stands. Else, if it is base64 (see ``Base64``),
/// perhaps behind a byte order mark, perhaps in PEM armour, it is what that decodes to. Else it is handed
/// on unchanged, for the container's reader to say that it is no receipt. Nothing but blanks is no bytes.
///
/// It owns the memory into which it decodes; keep one for each worker.
public struct ReceiptForm: ~Copyable, Sendable {
    private var decoded: [UInt8] = []

    public init() {}

    /// Calls `body` with the bytes to judge, or with why there are none.
    public mutating func withBytes<Result, Failure: Error>(
        of stored: Span<UInt8>, _ body: (ClaimBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if stored.count > 0, stored[0] == 0x30 { return try body(Self.limited(stored)) }
        let text = stored.extracting(stored.byteOrderMark...).trimmed
        if text.count == 0 { return try body(.receipt(text)) }
        guard let encoded = Self.withoutArmour(text), let count = decode(encoded) else {
            return try body(Self.limited(stored))
        }
        return try body(Self.limited(decoded.span.extracting(first: count)))
    }

    private mutating func decode(_ text: Span<UInt8>) -> Int? {
        let missing = Base64.largestCount(of: text.count) - decoded.count
        if missing > 0 { decoded.append(contentsOf: repeatElement(0, count: missing)) }
        var output = decoded.mutableSpan
        return Base64.decode(text, into: &output)
    }

    @_lifetime(copy bytes)
    private static func limited(_ bytes: Span<UInt8>) -> ClaimBytes {
        bytes.count <= ReceiptLimit.bytes ? .receipt(bytes) : .fault(.receiptTooLong)
    }

    /// What stands between the lines `-----BEGIN …-----` and `-----END …-----`, or the whole text if there
    /// are none; `nil` if only one of them is there.
    @_lifetime(copy text)
    private static func withoutArmour(_ text: Span<UInt8>) -> Span<UInt8>? {
        guard text.count >= dashes.count + 5, text.starts(with: dashes, at: 0) else { return text }
        guard text.starts(with: begin, at: dashes.count) else { return nil }
        var start = dashes.count + begin.count
        while start < text.count, !text.starts(with: dashes, at: start) { start += 1 }
        start += dashes.count
        var finish = start
        while finish < text.count, !text.starts(with: dashes, at: finish) { finish += 1 }
        guard text.starts(with: end, at: finish + dashes.count) else { return nil }
        return text.extracting(start..<finish)
    }

    private static let dashes = Array("-----".utf8)
    private static let begin = Array("BEGIN ".utf8)
    private static let end = Array("END ".utf8)
}

extension ReceiptForm {
    /// Hands on a claim with the receipt that is stored in an arena.
    mutating func pass<Failure: Error>(
        _ claim: Claim, _ stored: Range<Int>, in arena: ByteArena,
        _ body: (Claim, ClaimBytes) throws(Failure) -> Void
    ) throws(Failure) {
        try withBytes(of: arena.span(stored)) { bytes throws(Failure) in try body(claim, bytes) }
    }
}

/// What there is to judge of a claim.
public enum ClaimBytes: ~Escapable {
    /// The receipt, decoded; perhaps no bytes at all.
    case receipt(Span<UInt8>)
    /// Why there is none.
    case fault(InputFault)
}
