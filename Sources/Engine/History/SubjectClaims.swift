import Checks
public import Encodings
import Rules

/// The claims of earlier runs that belong to one or more subjects, and the findings that are about no other claims.
///
/// A finding belongs to the subjects alone if all claims under the keys of its own subject belong to them. A finding
/// that is also about claims of others does not: a decision about one account says nothing about another.
public struct SubjectClaims {
    private let subjects: Set<ExactText>
    /// The numbers of the claims.
    private var claims: Set<UInt64> = []
    /// The first 64 bits of the ids of their cases.
    private var cases: Set<UInt64> = []
    /// The hashes of keys that these claims share with findings.
    private var met: Set<UInt64> = []
    private let reader: any HistoryReader

    /// Reads every claim.
    ///
    /// - Parameters:
    ///   - findings: the subjects of all findings.
    ///   - isNamed: whether a claim that only names a device or a person belongs to it. Anybody can name any device; so
    ///     otherwise only a matching claim belongs to it.
    public init(
        of subjects: Set<ExactText>, among findings: some Sequence<ExactText>, isNamed: Bool = false,
        in reader: any HistoryReader
    ) throws {
        self.subjects = subjects
        self.reader = reader
        let groups = subjects.filter { $0.rest(behind: "claim:") == nil }
        let own = Set(groups.flatMap(ReportedSubjects.hashes(of:)))
        guard !own.isEmpty else { return }
        var wanted: Set<UInt64> = []
        for finding in findings where finding.rest(behind: "claim:") == nil {
            wanted.formUnion(ReportedSubjects.hashes(of: finding))
        }
        var (claims, cases, met): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
        try reader.forEachClaim { id, record in
            let claim = try ClaimRecord.observations(of: record)
            let isMatching = claim.presented.isMatching
            var (isOwn, keys): (Bool, Set<UInt64>) = (false, [])
            claim.forEachKey(.all, withPeriods: true) { kind, key, _, _ in
                let hash = ObservationRecord.prefix(of: kind, key)
                let counts = isNamed || isMatching || kind != .device && kind != .person
                isOwn = isOwn || counts && own.contains(hash)
                if wanted.contains(hash) { keys.insert(hash) }
            }
            guard isOwn else { return }
            claims.insert(id)
            cases.insert(claim.presented.caseID.high)
            met.formUnion(keys)
        }
        self.claims = claims
        self.cases = cases
        self.met = met
    }

    /// The part of a finding's claims that belong to the subjects.
    public enum Share {
        case all, some, none
    }

    /// - Parameter finding: the subject of the finding.
    public func share(in finding: ExactText) throws -> Share {
        if subjects.contains(finding) { return .all }
        if let id = finding.rest(behind: "claim:") {
            return CaseID(id).map { cases.contains($0.high) } ?? false ? .all : .none
        }
        let keys = ReportedSubjects.hashes(of: finding).filter(met.contains)
        guard !keys.isEmpty else { return .none }
        for key in keys.sorted() {
            try reader.seek(key)
            while let found = reader.key, found.hash == key {
                guard claims.contains(found.claim) else { return .some }
                try reader.next()
            }
        }
        return .all
    }
}
