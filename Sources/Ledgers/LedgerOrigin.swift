import Engine

/// The origin of a ledger. Runs with another origin cannot be compared with it, except if only trust anchors were
/// added.
public struct LedgerOrigin: Sendable, Equatable {
    /// The fingerprints of the trust anchors.
    public var trustAnchors: Set<String>
    /// The digest of the key of pseudonyms; `nil` if the ledger is made without pseudonyms.
    public var pseudonymKey: [UInt8]?

    public init(trustAnchors: Set<String>, pseudonymKey: [UInt8]?) {
        self.trustAnchors = trustAnchors
        self.pseudonymKey = pseudonymKey
    }

    /// Returns the first difference between this ledger and a run; `nil` if there is none.
    func difference(to run: LedgerOrigin) -> LedgerError.Difference? {
        if !trustAnchors.isSubset(of: run.trustAnchors) { return .trustAnchors }
        guard pseudonymKey != run.pseudonymKey else { return nil }
        if pseudonymKey == nil { return .noPseudonyms }
        return run.pseudonymKey == nil ? .pseudonyms : .pseudonymKey
    }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var anchors = trustAnchors.sorted()
        try coder.strings(&anchors)
        trustAnchors = Set(anchors)
        var bits = try coder.beginBits()
        if coder.isPresent(pseudonymKey != nil, &bits) {
            var key = pseudonymKey ?? []
            try coder.octets(&key)
            pseudonymKey = key
        }
        coder.end(bits)
    }
}
