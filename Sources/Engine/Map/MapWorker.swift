package import Checks
import Inputs
package import Proofs
import Receipts
package import Rules

/// Receives the results of the map stage on one worker's thread. `audit run` collects them for the local shuffle
/// (``LocalEmitter``), `audit map` writes them as lines.
package protocol ClaimEmitter: AnyObject {
    /// The output of a block of claims for the writing thread.
    associatedtype Output: Sendable

    func begin(_ block: NumberedBlock)
    /// Returns a number for a claim, which sorts in the order of claims.
    func number(of facts: Facts, at index: Int) -> ClaimNumber
    /// Receives a finding about the claim by itself.
    func emit(_ finding: Finding, onClaim number: ClaimNumber)
    /// Receives the results of the checks, after the findings about the claim.
    func emit(_ facts: Facts, claim number: ClaimNumber)
    /// Counts a token inside a claim's token. It is not a claim.
    func count(inside facts: Facts)
    /// Receives the claim's observations, after the facts.
    func emit(_ observations: ClaimObservations)
    /// Ends the block.
    ///
    /// - Throws: the first error of storing something.
    func end() throws -> Output
}

/// Checks claims one by one and applies the rules for single claims, on one thread.
package final class MapWorker<Emitter: ClaimEmitter> {
    private let checker: Checker
    private let decoder: ClaimDecoder
    private let rules: RuleSet
    private let emitter: Emitter
    private let pseudonyms: Pseudonyms?
    private let identities: IdentityHasher
    private let evidence: EvidenceLookup?
    private let formerAccounts: FormerAccounts?

    /// - Parameters:
    ///   - pseudonyms: replace ids of devices and accounts; `nil` to keep the ids.
    ///   - evidence: the lookup for purchases; `nil` without evidence.
    package convenience init(
        checker: Checker, rules: RuleSet, emitter: Emitter, pseudonyms: Pseudonyms? = nil, evidence: EvidenceIndex?
    ) throws(OpenSSLError) {
        try self.init(
            checker: checker, rules: rules, emitter: emitter, pseudonyms: pseudonyms,
            evidence: EvidenceLookup(evidence))
    }

    init(
        checker: Checker, rules: RuleSet, emitter: Emitter, pseudonyms: Pseudonyms? = nil, evidence: EvidenceLookup?,
        formerAccounts: FormerAccounts? = nil
    ) throws(OpenSSLError) {
        self.evidence = evidence
        self.formerAccounts = formerAccounts
        identities = try IdentityHasher()
        self.checker = checker
        self.rules = rules
        self.emitter = emitter
        self.pseudonyms = pseudonyms
        decoder = ClaimDecoder()
    }

    /// Checks the claims of a block.
    package func map(_ block: NumberedBlock) throws -> Emitter.Output {
        emitter.begin(block)
        var count = 0
        try decoder.forEachClaim(
            in: block.block,
            onReceipt: { claim, bytes, stored in
                var facts = Facts(claim: claim)
                self.checker.check(bytes, into: &facts)
                facts.recognise(stored: stored)
                self.emit(consume facts, stored, at: count)
                count += 1
            },
            onFault: { claim, fault, identity in
                var facts = self.checker.facts(of: claim, fault: fault)
                if fault.kind == .rowMalformed { facts.recognise(stored: identity) }
                self.emit(consume facts, identity, at: count)
                count += 1
            })
        if let failure = checker.failure { throw failure }
        if let failure = pseudonyms?.failure ?? identities.failure { throw failure }
        if let failure = evidence?.failure { throw failure }
        if let failure = formerAccounts?.failure { throw failure }
        return try emitter.end()
    }

    /// Emits a checked claim, what the rules for single claims find in it, and what it shows to the others.
    ///
    /// - Parameters:
    ///   - stored: the bytes that identify a claim without a signature.
    ///   - index: the index of the claim in its block.
    private func emit(_ facts: consuming Facts, _ stored: Span<UInt8>, at index: Int) {
        // No code after this line sees a true id.
        pseudonyms?.replaceIdentities(in: &facts)
        identities.identify(&facts, raw: stored, account: formerAccounts?.id(of: facts.claim))
        let number = emitter.number(of: facts, at: index)
        let observations = ClaimObservations(facts, claim: number)
        let amended = evidence?.amended(observations)
        rules.evaluate(facts) { finding in
            let priced = amended.flatMap { finding.priced(by: $0) }
            self.emitter.emit(priced ?? finding, onClaim: number)
        }
        emitter.emit(facts, claim: number)
        if let amended { emitter.emit(amended) } else { emitter.emit(observations) }
        if let forged = ClaimObservations(forged: facts, claim: number) { emitter.emit(forged) }
        if facts.token?.kind == .notification, facts.verdict == .valid { emitEvidence(of: facts, number) }
    }

    /// Emits what a notification among claims tells: it is also evidence.
    private func emitEvidence(of facts: Facts, _ number: ClaimNumber) {
        let inside = checker.tokens(inside: facts).map { found in
            var found = found
            pseudonyms?.replaceIdentities(in: &found)
            return found
        }
        for found in inside { emitter.count(inside: found) }
        for told in ClaimObservations.evidence(of: facts, inside: inside, number: { number }) { emitter.emit(told) }
    }
}
