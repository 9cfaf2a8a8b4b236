import Encodings
import Inputs

/// The claim that shows something. Of several, the first in the order of claims is named.
struct Witness: Hashable, Comparable, Codable, Sendable {
    private let claim: UInt64
    private let exactSource: ExactText

    init(_ sighting: Sighting) {
        claim = sighting.claim
        exactSource = ExactText(sighting.source)
    }

    var source: String { exactSource.text }

    static func < (a: Witness, b: Witness) -> Bool {
        (a.claim, a.exactSource) < (b.claim, b.exactSource)
    }
}
