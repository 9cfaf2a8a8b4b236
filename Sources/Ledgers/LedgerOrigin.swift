/// What all of a ledger was judged with, as digests. What was judged with something else cannot be compared.
public struct LedgerOrigin: Sendable, Equatable {
    public var trustAnchors: [UInt8]
    /// `nil` if people and devices go by their own names.
    public var pseudonymKey: [UInt8]?

    public init(trustAnchors: [UInt8], pseudonymKey: [UInt8]?) {
        self.trustAnchors = trustAnchors
        self.pseudonymKey = pseudonymKey
    }

    /// What this ledger was made with that a run was not; `nil` if they go together.
    func difference(to run: LedgerOrigin) -> LedgerError.Difference? {
        if trustAnchors != run.trustAnchors { return .trustAnchors }
        guard pseudonymKey != run.pseudonymKey else { return nil }
        if pseudonymKey == nil { return .noPseudonyms }
        return run.pseudonymKey == nil ? .pseudonyms : .pseudonymKey
    }
}
