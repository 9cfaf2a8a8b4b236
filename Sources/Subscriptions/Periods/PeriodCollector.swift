import Encodings
import Receipts
import Rules

/// The distinct periods of a subscription, of which the latest are kept if there are too many.
///
/// Which ones are kept depends on the observations and not on their order: those with the greatest expiry in
/// any receipt, which no observation can make smaller. What receipts say of a period that was left out and
/// comes back is known only in part; then the observations must be gone through once more, with the periods
/// to keep known from the start.
struct PeriodCollector: Codable, Sendable {
    private let limit: Int
    private(set) var periods: [PeriodID: PeriodEvidence] = [:]
    /// Whether something was forgotten, so that a second look is needed.
    private(set) var hasForgotten = false
    /// The periods to keep, on the second look.
    private var wanted: Set<PeriodID>?
    private var all = DistinctSketch<PeriodID>()

    init(limit: Int) { self.limit = max(limit, 1) }

    /// For the second look.
    init(again first: PeriodCollector) {
        limit = first.limit
        wanted = Set(first.periods.keys)
    }

    mutating func take(_ purchase: Purchase, createdAt: Instant) {
        guard purchase.mayBeAutoRenewable, let expiry = purchase.expiresDate else { return }
        let id = PeriodID(purchase)
        if let wanted {
            all.insert(id)
            guard wanted.contains(id) else { return }
        }
        periods[id, default: PeriodEvidence(purchase, expiring: expiry, createdAt: createdAt)]
            .take(purchase, expiring: expiry, createdAt: createdAt)
        if periods.count / 2 >= limit {
            hasForgotten = true
            shrink()
        }
    }

    /// Adds what another has collected, both at the first look or both at the second.
    mutating func add(_ other: PeriodCollector) {
        hasForgotten = hasForgotten || other.hasForgotten
        all.add(other.all)
        for (id, evidence) in other.periods {
            var sum = periods[id] ?? evidence
            sum.add(evidence)
            periods[id] = sum
        }
        if periods.count / 2 >= limit {
            hasForgotten = true
            shrink()
        }
    }

    /// Leaves out what is too much; answers how many periods those are, or about how many.
    mutating func finish() -> Int {
        let found = wanted == nil ? periods.count : max(all.count, periods.count)
        shrink()
        return found - periods.count
    }

    private mutating func shrink() {
        guard periods.count > limit else { return }
        let kept = periods.sorted { ($0.value.greatestExpiry, $0.key) > ($1.value.greatestExpiry, $1.key) }
            .prefix(limit)
        periods = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
