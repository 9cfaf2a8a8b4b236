import Checks
import Encodings
import Receipts

/// The instants for which some claims are judged alike, the first and the last among them.
///
/// What a claim's checks say depends on the date of the audit in two ways: a receipt from the future is malformed, and one
/// past its date has expired.
struct AsOfWindow: Equatable {
    private(set) var first = Instant(milliseconds: .min)
    private(set) var last = Instant(milliseconds: .max)

    init() {}

    init(first: Instant, last: Instant) {
        self.first = first
        self.last = last
    }

    func contains(_ asOf: Instant) -> Bool { first <= asOf && asOf <= last }

    /// Leaves the instants for which this claim is judged as it is for `asOf`.
    mutating func narrow(to facts: Facts, asOf: Instant) {
        // An incomplete receipt is malformed whatever its date.
        if let createdAt = facts.receipt?.createdAt {
            let believable = createdAt.adding(seconds: -Expectations.creationTolerance)
            if createdAt > asOf.adding(seconds: Expectations.creationTolerance) {
                last = min(last, believable.adding(milliseconds: -1))
            } else {
                first = max(first, believable)
            }
        }
        guard let expiresAt = facts.expiresAt else { return }
        if expiresAt < asOf {
            first = max(first, expiresAt.adding(milliseconds: 1))
        } else {
            last = min(last, expiresAt)
        }
    }
}

extension Instant {
    fileprivate func adding(milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }
}
