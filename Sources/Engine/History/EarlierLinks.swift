import Encodings
import Rules

/// The findings of earlier runs that may join rings, with the hashes of their keys and of what connects them.
///
/// A claim of this run that has such a key or such an account brings the finding back, and with it all findings that
/// are connected with it: they then count like findings of this run. Memory: at most ``limit`` hashes of each kind.
struct EarlierLinks {
    /// The maximum number of findings, and of hashes.
    private static let limit = 1_000_000
    /// The maximum number of claims that are read of one finding.
    private static let maxClaims = 4096

    /// The hash of a key of a finding, or of an account or a device of its claims, and the index of the finding.
    private typealias Link = (hash: UInt64, finding: Int)

    private var keys: [Link] = []
    private var accounts: [Link] = []
    /// The devices that match.
    private var devices: [Link] = []

    /// No findings.
    init() {}

    /// Reads the claims of all such findings.
    init(of rules: RuleSet, in history: RunHistory, isStopped: () -> Bool) throws {
        let ids = rules.joiningRules
        guard !ids.isEmpty, let reader = try history.reader() else { return }
        for (finding, subject) in try history.subjectsOfSevereFindings(by: ids, limit: Self.limit).enumerated() {
            if isStopped() { throw Interrupted() }
            for hash in ReportedSubjects.hashes(of: subject).sorted() {
                keys.append((hash, finding))
                try addClaims(under: hash, of: finding, reader)
            }
            guard keys.count + accounts.count + devices.count < Self.limit else { return }
        }
    }

    private mutating func addClaims(under hash: UInt64, of finding: Int, _ reader: any HistoryReader) throws {
        var (accounts, devices): (Set<UInt64>, Set<UInt64>) = ([], [])
        var claims = 0
        try reader.seek(hash)
        while let key = reader.key, key.hash == hash, claims < Self.maxClaims {
            claims += 1
            if let record = try reader.record(ofClaim: key.claim)?.record {
                let claim = try ClaimRecord.observations(of: record.span)
                let isMatching = claim.presented.isMatching
                claim.forEachKey(KeyKinds([.account, .device]), withPeriods: false) { kind, octets, _, _ in
                    let hash = ObservationRecord.prefix(of: kind, octets)
                    if kind == .account { accounts.insert(hash) }
                    if kind == .device, isMatching { devices.insert(hash) }
                }
            }
            try reader.next()
        }
        self.accounts += accounts.map { ($0, finding) }
        self.devices += devices.map { ($0, finding) }
    }

    /// The hashes to look for among the keys of this run's claims.
    var hashes: [UInt64] { (keys + accounts).map(\.hash) }

    /// Returns the hashes of the keys of findings that come back, except the keys that claims of this run have.
    ///
    /// - Parameter met: the hashes of keys that claims of this run have.
    func keys(connectedWith met: Set<UInt64>) -> [UInt64] {
        guard !met.isEmpty, !keys.isEmpty else { return [] }
        var waiting = (keys + accounts).filter { met.contains($0.hash) }.map(\.finding)
        let links = accounts + devices
        let findings = Dictionary(grouping: links, by: \.hash)
        let hashes = Dictionary(grouping: links, by: \.finding)
        var (found, followed): (Set<Int>, Set<UInt64>) = ([], [])
        while let finding = waiting.popLast() {
            guard found.insert(finding).inserted else { continue }
            for link in hashes[finding] ?? [] where followed.insert(link.hash).inserted {
                waiting += (findings[link.hash] ?? []).map(\.finding)
            }
        }
        return Set(keys.filter { found.contains($0.finding) }.map(\.hash)).subtracting(met).sorted()
    }
}
