import Checks
import Encodings
import Inputs
import Proofs
import Rules

/// A sample of the proofs that the claims of a run present, for a comparison with what earlier runs know of them.
///
/// It is the same in any order of claims. Memory: at most ``maxParts`` times some ``maxProofs`` proofs.
public struct PresentedProofs: Sendable {
    private static let maxParts = 64
    private static let maxProofs = 2048

    /// What is judged by itself: the receipts or tokens of an app in an INPUT.
    struct Part: Hashable, Comparable, Sendable {
        let app: ExactText
        let input: Int
        let isToken: Bool

        static func < (a: Part, b: Part) -> Bool {
            if a.app != b.app { return a.app < b.app }
            return (a.input, a.isToken ? 1 : 0) < (b.input, b.isToken ? 1 : 0)
        }
    }

    /// One claim of a proof.
    struct Presentation: Sendable {
        let identity: UInt64
        let device: Device?
        let account: ExactText
        let date: Instant?

        init(_ observation: Observation) {
            identity = observation.id.high
            device = observation.device
            account = observation.accountID
            date = observation.presentedAt
        }
    }

    /// The presentations of one proof: those with the smallest ids.
    struct Presentations: Mergeable, Sendable {
        private static let limit = 8
        private(set) var list: [Presentation] = []

        mutating func add(_ presentation: Presentation) {
            let place = list.firstIndex { $0.identity >= presentation.identity } ?? list.count
            if place < list.count, list[place].identity == presentation.identity { return }
            list.insert(presentation, at: place)
            if list.count > Self.limit { list.removeLast() }
        }

        mutating func add(_ other: Presentations) { for presentation in other.list { add(presentation) } }
    }

    struct Proofs: Mergeable, Sendable {
        /// By the hash of the key of the receipt.
        var sample = BottomMap<UInt64, Presentations>(limit: PresentedProofs.maxProofs)

        mutating func add(_ other: Proofs) { sample.add(other.sample) }
    }

    private var parts = BottomMap<Part, Proofs>(limit: maxParts)

    public init() {}

    /// Adds a claim, if Apple signed its proof.
    mutating func add(_ claim: borrowing ClaimObservations, ofInput input: Int) {
        guard claim.presented.isGenuine, !claim.presented.isEvidence, let digest = claim.contentDigest else { return }
        let part = Part(app: claim.presented.bundleID, input: input, isToken: claim.presented.kind != nil)
        let hash = ObservationRecord.prefix(of: .receipt, digest.octets)
        let presentation = Presentation(claim.presented)
        parts.update(part, from: Proofs()) { proofs in
            proofs.sample.update(hash, from: Presentations()) { $0.add(presentation) }
        }
    }

    mutating func add(_ other: PresentedProofs) { parts.add(other.parts) }

    var sorted: [(part: Part, proofs: Proofs)] { parts.sorted.map { ($0.key, $0.value) } }
}
