import Checks
import Encodings
import Receipts
import Rules
import Sorting

/// The record of a statement about one item. Sorts by the item.
extension EvidenceStatement {
    /// Returns the sort prefix of records, so that those about one item are together.
    static func prefix(of item: ExactText, in environment: ExactText) -> UInt64 {
        stableMix(item.utf8.span.stableHash ^ stableMix(environment.utf8.span.stableHash))
    }

    var prefix: UInt64 { Self.prefix(of: item, in: environment) }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&environment)
        try coder.text(&item)
        try coder.instant(&signedAt)
        var token = witness.id
        try coder.identity(&token)
        witness = Witness(evidence: token)
        var bits = try coder.beginBits()
        try coder.instant(&cancellationDate, &bits)
        try coder.value(&details, TransactionDetails(), &bits) { (details, coder) throws(Coder.Failure) in
            try details.code(&coder)
        }
        try coder.wideNumber(&millionths, &bits)
        try coder.text(&currency, &bits)
        coder.end(bits)
    }

    /// - Returns: `nil` if the bytes are not such a record.
    init?(stored record: Span<UInt8>) {
        var fields = RecordReader(record)
        var statement = EvidenceStatement.unread
        do throws(RecordError) {
            try statement.code(&fields)
            try fields.end()
        } catch {
            return nil
        }
        self = statement
    }

    /// Whether both are about one item.
    func isAboutSame(as other: EvidenceStatement) -> Bool {
        item == other.item && environment == other.environment
    }
}
