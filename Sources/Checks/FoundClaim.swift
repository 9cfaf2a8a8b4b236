import DER
public import Encodings
public import Inputs
import Proofs

/// Names a claim of an export.
public enum ClaimReference: Sendable {
    /// The line on which its row starts, or the number of its object in JSON that is not one object per line.
    case row(Int)
    /// Its `claim_id`.
    case id(ClaimID)
}

/// A claim found in an export.
public struct FoundClaim: Sendable {
    /// The inspection of the first row with the claim.
    public let inspection: Inspection
    /// The other rows with the same content, the first hundred of them.
    public fileprivate(set) var others: [ExactText] = []
    /// The number of the other rows.
    public fileprivate(set) var otherCount = 0
}

extension Checker {
    /// Looks for a claim in an export, and inspects it.
    ///
    /// A row is found without checking others. For an id all claims are checked, because the id depends on the content
    /// of proofs.
    ///
    /// - Parameter pseudonyms: those of the run that wrote the id, if it had a key.
    /// - Returns: `nil` if there is no such claim.
    /// - Throws: `InputError`, or `OpenSSLError` if a claim could not be checked.
    public func find(
        _ reference: ClaimReference, in source: any ClaimSource, pseudonyms: Pseudonyms? = nil
    ) throws -> FoundClaim? {
        let identities = try IdentityHasher()
        let decoder = ClaimDecoder()
        let loader = ClaimLoader(pool: BufferPool())
        var found: FoundClaim?

        func consider(_ facts: Facts, _ identity: Span<UInt8>, _ inspection: () -> Inspection) {
            let (id, caseID) = self.ids(of: facts, identity, identities, pseudonyms)
            if case .id(let wanted) = reference, id != wanted, caseID != wanted { return }
            if found == nil {
                var inspection = inspection()
                inspection.facts.id = id
                inspection.facts.caseID = caseID
                found = FoundClaim(inspection: inspection)
            } else {
                found?.otherCount += 1
                if let others = found?.others, others.count < 100 { found?.others.append(facts.claim.source) }
            }
        }
        while var block = try source.next() {
            _ = loader.load(&block)
            try decoder.forEachClaim(
                in: block,
                onReceipt: { claim, bytes, stored in
                    if case .row(let line) = reference, claim.line != line { return }
                    consider(self.facts(of: claim, receipt: bytes), stored) {
                        self.inspection(of: claim, receipt: stored.copy())
                    }
                },
                onFault: { claim, fault, identity in
                    if case .row(let line) = reference, claim.line != line { return }
                    consider(self.facts(of: claim, fault: fault), identity) {
                        self.inspection(of: claim, fault: fault)
                    }
                })
            if let failure = failure ?? identities.failure ?? pseudonyms?.failure { throw failure }
            if case .row = reference, found != nil { break }
        }
        return found
    }

    private func ids(
        of facts: Facts, _ identity: Span<UInt8>, _ identities: IdentityHasher, _ pseudonyms: Pseudonyms?
    ) -> (claim: ClaimID, case: CaseID) {
        var facts = facts
        pseudonyms?.replaceIdentities(in: &facts)
        identities.identify(&facts, raw: identity)
        return (facts.id, facts.caseID)
    }
}
