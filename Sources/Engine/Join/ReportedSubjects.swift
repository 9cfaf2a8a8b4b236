import Checks
public import Encodings
import Rules

/// The subjects of earlier findings, for a run to record whether any of its claims has them.
///
/// A finding of an earlier report that a run does not make is resolved only if the run has a claim that the finding
/// could be about: an export of one day says nothing about the claims of another. Subjects are held as hashes of their
/// claims' keys, at most four of eight bytes each, up to a limit; beyond it no finding is resolved.
public struct ReportedSubjects: Sendable {
    /// The maximum number of subjects.
    public static let limit = 1_000_000

    /// The hashes in ascending order.
    private var hashes: [UInt64] = []

    public init() {}

    public init(_ subjects: some Sequence<ExactText>) {
        hashes = Array(subjects.lazy.prefix(Self.limit).flatMap(Self.hashes(of:)))
        hashes.sort()
    }

    /// Returns these subjects, and other hashes to record.
    func with(_ others: [UInt64]) -> ReportedSubjects {
        var all = self
        all.hashes = (hashes + others).sorted()
        return all
    }

    var isEmpty: Bool { hashes.isEmpty }

    func contains(_ hash: UInt64) -> Bool { hashes.containsSorted(hash) }

    /// Records the subjects that a claim has.
    ///
    /// - Parameters:
    ///   - id: the claim's case.
    ///   - keys: the claim's keys.
    func add(of id: CaseID, _ keys: [ClaimKey], to met: inout Set<UInt64>) {
        guard !isEmpty else { return }
        let hash = Self.hash(of: id)
        if contains(hash) { met.insert(hash) }
        for key in keys where contains(key.hash) { met.insert(key.hash) }
    }

    /// Returns the hashes for a subject: every claim that a finding about the subject can be about has at least one of
    /// them.
    static func hashes(of subject: ExactText) -> [UInt64] {
        if let id = subject.rest(behind: "claim:") { return CaseID(id).map { [hash(of: $0)] } ?? [] }
        return GroupKey.all(of: subject).map { ObservationRecord.prefix(of: $0.kind, $0.octets.span) }
    }

    private static func hash(of id: CaseID) -> UInt64 { stableMix(id.high) }
}
