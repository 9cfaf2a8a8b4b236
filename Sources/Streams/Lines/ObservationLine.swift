import Encodings
package import Engine
package import Inputs
import Receipts
package import Rules

/// A claim's observation under one key, as a line.
///
/// Under the key of a transaction it can hold two observations: the transaction's, and that of the original transaction
/// with the same id.
package struct ObservationLine {
    package private(set) var place: ClaimPlace
    package var observation: Observation
    private var name: SourceName
    /// Whether the purchases belong to the original transaction.
    package var isOriginal = false
    /// The index of the purchase that belongs to the transaction, if there is one.
    package var transaction: Int?

    package init(place: ClaimPlace, observation: Observation) {
        self.place = place
        self.observation = observation
        name = SourceName(observation.source, place)
    }

    /// Reads what follows the key.
    package init(
        _ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>, _ fields: inout RecordReader
    ) throws(RecordError) {
        self.init(place: ClaimPlace(input: 0, line: 0), observation: Observation(claim: 0, source: ""))
        try code(&fields, letter, octets)
        observation.claim = place.number
        observation.source = name.source(at: place)
        if let transaction, !observation.purchases.indices.contains(transaction) { throw .malformed }
    }

    /// Reads what follows the key, without the account if it is a placeholder of the run.
    ///
    /// - Returns: `nil` if the key is such an account.
    package init?(
        _ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>, _ fields: inout RecordReader,
        without placeholders: AccountPlaceholders
    ) throws(RecordError) {
        try self.init(letter, octets, &fields)
        let isNamed = !observation.accountID.isEmpty
        observation.remove(placeholders)
        if letter == .account, isNamed, observation.accountID.isEmpty { return nil }
    }

    package mutating func write(_ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>, to line: inout LineWriter) {
        line.write(letter, octets) { self.code(&$0, letter, octets) }
    }

    /// Codes what follows the key.
    package mutating func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, _ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>
    ) throws(Coder.Failure) {
        // First, where it is aligned to base64 in every line, so it compresses well.
        try coder.text(&name.text)
        var bits = try coder.beginBits()
        coder.flag(&isOriginal, &bits)
        coder.flag(&name.isNamedByLine, &bits)
        try coder.place(&place, &bits)
        try coder.number(&transaction, &bits)
        coder.end(bits)
        let kind = isOriginal && transaction == nil ? KeyKind.originalTransaction : letter.kind
        try observation.code(&coder, in: ObservationContext(kind, octets, isAlsoOriginal: isOriginal))
    }

    /// Returns the observation under the line's key, and for a transaction's key also the one under the original
    /// transaction with its id.
    package func observations(under letter: StreamKey.KeyLetter) -> (own: Observation?, original: Observation?) {
        guard letter == .transaction else { return (observation, nil) }
        let original = isOriginal ? observation : nil
        guard let transaction, observation.purchases.indices.contains(transaction) else { return (nil, original) }
        var own = observation
        own.purchases = [observation.purchases[transaction]]
        return (own, original)
    }
}

extension FieldCoder where Self: ~Escapable {
    /// Codes a claim's place; the first input is omitted.
    fileprivate mutating func place(_ place: inout ClaimPlace, _ bits: inout PresenceBits) throws(Failure) {
        var (input, line) = (place.input, place.line)
        if isPresent(input != 0, &bits) { try count(&input) } else { input = 0 }
        try count(&line)
        place = ClaimPlace(input: input, line: line)
    }
}
