/// Two ledgers held against each other: one that was just made from the inputs, and one that earlier runs kept.
///
/// What both have must be the same. It finds what was changed in the kept one, by whomever, checksums and all. What only one
/// of them has says nothing: inputs change.
public struct LedgerComparison: Sendable {
    /// How much of one kind both ledgers have.
    public struct Count: Sendable, Equatable {
        public internal(set) var compared = 0
        public internal(set) var differing = 0
        /// What only the new ledger has.
        public internal(set) var unknown = 0

        mutating func count(isSame: Bool?) {
            guard let isSame else { return unknown += 1 }
            compared += 1
            if !isSame { differing += 1 }
        }
    }

    public private(set) var blocks = Count()
    /// The same blocks, found by the status of their files.
    public private(set) var blocksByStatus = Count()
    public private(set) var signatures = Count()

    public var differing: Int { blocks.differing + blocksByStatus.differing + signatures.differing }
    public var compared: Int { blocks.compared + blocksByStatus.compared + signatures.compared }

    /// - Parameters:
    ///   - new: the path of the ledger that was just made.
    ///   - kept: the path of the other one. Somebody may be writing it.
    ///   - isSame: whether the outputs of two blocks with a key say the same, the new one's first. `nil` if they are not to
    ///     be compared.
    ///   - onSignature: called for each signature on which they differ: its digest, and whether it holds by the new one.
    public init(
        of new: String, with kept: String, isSame: (_ key: [UInt8], _ new: [UInt8], _ kept: [UInt8]) -> Bool?,
        onSignature: (_ digest: [UInt8], _ holds: Bool) -> Void
    ) throws(LedgerError) {
        let connection = try LedgerVersion.connection(reading: new)
        let reader = try LedgerReader(kept)
        let rows = try Statement(
            connection,
            """
            SELECT key, status_key, output FROM block JOIN block_output ON block_output.id=block.id ORDER BY block.id
            """)
        while try rows.step() {
            let (key, statusKey, output) = (rows.bytes(0), rows.bytes(1), rows.bytes(2))
            let found = try reader.block(key: key.span)
            blocks.count(isSame: found.flatMap { isSame(key, output, $0.output) })
            guard !statusKey.isEmpty, let byStatus = try reader.block(statusKey: statusKey.span) else { continue }
            // It is the same row, most often; then it is not looked at twice.
            blocksByStatus.count(isSame: byStatus.id == found?.id ? true : isSame(key, output, byStatus.output))
        }
        let signatures = try Statement(connection, "SELECT digest, verdict FROM signature")
        while try signatures.step() {
            let (digest, verdict) = (signatures.bytes(0), signatures.bytes(1))
            let known = try reader.verdict(ofSignature: digest.span)
            self.signatures.count(isSame: known.map { $0 == verdict })
            if let known, known != verdict { onSignature(digest, verdict == [1]) }
        }
    }
}
