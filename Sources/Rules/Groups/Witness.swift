import Encodings
import Inputs

/// The claim that shows something. Of several, the first in the order of claims is named.
struct Witness: Hashable, Comparable, Codable, Sendable {
    private let claim: UInt64
    let source: ExactText

    init(_ observation: Observation) {
        claim = observation.claim
        source = observation.source
    }

    static func < (a: Witness, b: Witness) -> Bool {
        (a.claim, a.source) < (b.claim, b.source)
    }
}
