import Checks
import Encodings
import Inputs
import Rules
import Sorting

/// Loads the observations of claims of earlier runs under keys of this run's claims. For one thread.
final class EarlierObservations {
    let reader: any HistoryReader
    /// The observations, by hash of the key.
    let said: RecordSorter
    /// The claims' facts for links; `nil` if links are not wanted.
    let facts: ValueSorter<Keyed<ClaimID, LinkFacts>>?
    private let rules: RuleSet
    private let placeholders: AccountPlaceholders
    /// The lookup for their purchases; `nil` without evidence.
    private let evidence: EvidenceLookup?
    private var record = RecordWriter()

    init(
        _ reader: any HistoryReader, _ rules: RuleSet, _ evidence: EvidenceLookup?,
        _ placeholders: AccountPlaceholders, withFacts: Bool, _ storage: Storage
    ) {
        self.placeholders = placeholders
        self.reader = reader
        self.rules = rules
        self.evidence = evidence
        said = RecordSorter(budget: storage.memory, folder: storage.folder)
        facts = withFacts ? ValueSorter(storage) : nil
    }

    /// Loads the observations of all claims under a key.
    func recall(under hash: UInt64) throws {
        try reader.seek(hash)
        while let key = reader.key, key.hash == hash {
            try recall(key.claim, under: hash)
            try reader.next()
        }
    }

    /// Loads the observations of a claim under a key.
    func recall(_ identity: UInt64, under hash: UInt64) throws {
        guard let found = try reader.record(ofClaim: identity) else { return }
        var said = try ClaimRecord.observations(of: found.record.span)
        said = said.renumbered(ClaimNumber(seenAt: found.seenAt, identity: identity), seenAt: found.seenAt)
        if let amended = evidence?.amended(said) { said = amended }
        said.remove(placeholders)
        if let failure = evidence?.failure { throw failure }
        try said.add(to: self.said, rules, by: &record) { $0 == hash }
        let link = LinkFacts(said)
        try facts?.add(Keyed(link.claim, link))
    }
}

extension ClaimObservations {
    /// Returns the same as a claim of an earlier run. Its source is the day of that run.
    fileprivate func renumbered(_ number: ClaimNumber, seenAt: Instant) -> ClaimObservations {
        var presented = presented
        presented.claim = number
        presented.source = "\(presented.source) (\(seenAt.description.prefix(10)))"
        return ClaimObservations(presented: presented, contentDigest: contentDigest, purchases: purchases)
    }
}
