import Checks
import Encodings
import Inputs
import Receipts
import Rules

/// The reference times for which the checks of some claims have the same results, as a closed range.
///
/// The results of a claim's checks depend on the reference time in three ways: a receipt from the future is malformed,
/// a presentation in the future is left out, and a receipt past its date has expired.
struct AsOfWindow: Equatable {
    private(set) var first = Instant(milliseconds: .min)
    private(set) var last = Instant(milliseconds: .max)

    init() {}

    init(first: Instant, last: Instant) {
        self.first = first
        self.last = last
    }

    func contains(_ asOf: Instant) -> Bool { first <= asOf && asOf <= last }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.instant(&first)
        try coder.instant(&last)
    }

    /// Keeps the times for which this claim's checks have the same results as for `asOf`.
    mutating func narrow(to facts: Facts, asOf: Instant) {
        // An incomplete receipt is malformed at any time.
        if let createdAt = facts.receipt?.createdAt ?? facts.token?.signedAt {
            narrow(toBelieving: createdAt, asOf: asOf)
        }
        if let presentedAt = facts.claim.presentedAt, facts.impossiblePresentation?.dependsOnAsOf ?? true {
            narrow(toBelieving: presentedAt, asOf: asOf)
        }
        guard let expiresAt = facts.expiresAt else { return }
        if expiresAt < asOf {
            first = max(first, expiresAt.adding(milliseconds: 1))
        } else {
            last = min(last, expiresAt)
        }
    }

    /// Keeps the times for which a date is, or is not, more than a day in the future, as for `asOf`.
    private mutating func narrow(toBelieving date: Instant, asOf: Instant) {
        let believable = date.adding(seconds: -Expectations.creationTolerance)
        if date > asOf.adding(seconds: Expectations.creationTolerance) {
            last = min(last, believable.adding(milliseconds: -1))
        } else {
            first = max(first, believable)
        }
    }
}

extension Instant {
    fileprivate func adding(milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }
}
