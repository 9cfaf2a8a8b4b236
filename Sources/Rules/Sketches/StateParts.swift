package import Checks
import Encodings
import Inputs
import Receipts

/// The devices of a group, and those with a matching device hash in at least one claim.
struct DeviceCount: Sendable {
    private(set) var all = DistinctSketch<Device>()
    private(set) var verified = DistinctSketch<Device>()

    mutating func add(_ observation: Observation) {
        if let device = observation.device { add(device, isVerified: observation.isMatching) }
    }

    mutating func add(_ device: Device, isVerified: Bool) {
        all.insert(device)
        if isVerified { verified.insert(device) }
    }

    /// `2 devices: … (verified), …`.
    var text: String {
        all.isMore(than: 0) ? "\(all.countText) \(all.isMore(than: 1) ? "devices" : "device"): \(list)" : "no device"
    }

    /// The first ten devices, each with whether its hash matches: `… (verified), … and 3 more`.
    var list: String {
        let verified = Set(verified.sorted)
        return all.sorted.listed(of: all.countText) { verified.contains($0) ? "\($0) (verified)" : "\($0)" }
    }

    mutating func add(_ other: DeviceCount) {
        all.add(other.all)
        verified.add(other.verified)
    }
}

/// The transaction of a group, and the original transaction that a finding about it names; the smallest if they differ.
struct TransactionSubject: Sendable {
    private var transaction: ExactText?
    private var original: ExactText?

    mutating func add(_ purchase: Purchase) {
        transaction.add(purchase.transactionID)
        original.add(purchase.original)
    }

    /// Returns a hit about the original transaction, with the transaction in its evidence.
    func hit(_ evidence: String) -> Hit {
        var hit = Hit("transaction \(transaction?.boundedID ?? ""): \(evidence)")
        hit.originalTransactionID = original
        return hit
    }
}

/// The claim that shows something: the one with the smallest id, if there are several.
package struct Witness: Hashable, Comparable, Mergeable, Sendable, CustomStringConvertible {
    package let id: ClaimID
    private let isEvidence: Bool

    init(_ observation: Observation) { (id, isEvidence) = (observation.id, observation.isEvidence) }

    package init(evidence id: ClaimID) { (self.id, isEvidence) = (id, true) }

    package static func < (a: Witness, b: Witness) -> Bool { a.id < b.id }

    /// The name in a finding's text: `claim 0123456789abcdef01234567`, or `evidence` with the beginning of the token's
    /// `payload_sha256`.
    package var description: String { "\(isEvidence ? "evidence" : "claim") \(id)" }
}
