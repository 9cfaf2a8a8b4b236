import Checks
import Encodings
import Receipts
import Rules
import Sorting

/// The record of a statement about one item. Sorts by the item.
extension EvidenceStatement: SortedRecord {
    /// Returns the sort prefix of records, so that those about one item are together.
    static func prefix(of item: ExactText, in environment: ExactText) -> UInt64 {
        stableMix(item.utf8.span.stableHash ^ stableMix(environment.utf8.span.stableHash))
    }

    package var prefix: UInt64 { Self.prefix(of: item, in: environment) }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&environment)
        try coder.text(&item)
        try coder.instant(&signedAt)
        var token = witness.id
        try coder.identity(&token)
        witness = Witness(evidence: token)
        var bits = try coder.beginBits()
        try coder.instant(&cancellationDate, &bits)
        try coder.value(&details, &bits)
        try coder.wideNumber(&millionths, &bits)
        try coder.text(&currency, &bits)
        coder.end(bits)
    }

    /// Whether both are about one item.
    func isAboutSame(as other: EvidenceStatement) -> Bool {
        item == other.item && environment == other.environment
    }
}
