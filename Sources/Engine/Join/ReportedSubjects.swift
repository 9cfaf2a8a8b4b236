import Checks
public import Encodings
import Inputs
import Rules

/// The subjects of earlier findings, of which a run records whether any of its claims has them.
///
/// A finding of an earlier report that a run does not make is resolved only if the run has a claim that it could be about:
/// an export of one day says nothing about the claims of another. Subjects are held as hashes of eight bytes, up to a
/// limit; beyond it nothing is said to be resolved.
public struct ReportedSubjects: Sendable {
    /// How many subjects are held.
    public static let limit = 1_000_000

    /// In ascending order.
    private var hashes: [UInt64] = []

    /// Whether they come from a report, or from an earlier run than the last: then a run must look at all of its claims,
    /// even if they are those of the last run.
    let mayBeOfOtherClaims: Bool

    public init() { mayBeOfOtherClaims = false }

    public init(_ subjects: some Sequence<ExactText>, mayBeOfOtherClaims: Bool) {
        self.mayBeOfOtherClaims = mayBeOfOtherClaims
        hashes = Array(subjects.lazy.compactMap(Self.hash(of:)).prefix(Self.limit))
        hashes.sort()
    }

    var isEmpty: Bool { hashes.isEmpty }

    func contains(_ hash: UInt64) -> Bool {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < hashes.count && hashes[low] == hash
    }

    /// The hash of what a claim has if a finding about the subject can be about it; `nil` if no claim ever has it.
    static func hash(of subject: ExactText) -> UInt64? {
        if let id = subject.rest(behind: "claim:") { return ClaimID(id).map { hash(ofClaim: $0.high) } }
        return GroupKey(subject: subject).map { ObservationRecord.prefix(of: $0.kind, $0.octets.span) }
    }

    /// - Parameter identity: the first 64 bits of a claim's id.
    static func hash(ofClaim identity: UInt64) -> UInt64 { stableMix(identity) }
}

extension GroupKey {
    /// The key of the claims that a finding about a subject is about; `nil` if it is about none or about one claim.
    fileprivate init?(subject: ExactText) {
        if let digits = subject.rest(behind: "receipt:") {
            guard let octets = Hex.octets(digits) else { return nil }
            self.init(.receipt, octets: octets)
        } else if let device = subject.rest(behind: "device:") {
            let devices = DeviceIdentifiers(device)
            guard !devices.isMalformed, let octets = devices.identifiers.first else { return nil }
            self.init(.device, octets: octets)
        } else if let id = subject.rest(behind: "transaction:") {
            self.init(.originalTransaction, octets: Array(id.utf8))
        } else if let id = subject.rest(behind: "account:") {
            self.init(.account, octets: Array(id.utf8))
        } else {
            return nil
        }
    }
}
