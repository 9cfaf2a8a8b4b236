import Rules

/// Counts the distinct claims under a key, until there are enough for a rule to find something.
struct DistinctTraits {
    private var who: [UInt64] = []
    private var what: [UInt64] = []
    private var marked = 0
    private var minimum = ClaimTrait.Minimum()
    private(set) var areEnough = false

    mutating func removeAll() {
        who.removeAll(keepingCapacity: true)
        what.removeAll(keepingCapacity: true)
        (marked, minimum, areEnough) = (0, ClaimTrait.Minimum(), false)
    }

    /// Adds a claim that may be enough by itself.
    mutating func addSignificant() { areEnough = true }

    /// - Parameter minimum: the minimum of the key's kind. Two kinds of keys may have the same hash by accident.
    mutating func add(_ trait: ClaimTrait, _ minimum: ClaimTrait.Minimum) {
        guard !areEnough else { return }
        self.minimum = .either(self.minimum, minimum)
        if !who.contains(trait.who) {
            who.append(trait.who)
            if trait.isMarked { marked += 1 }
        }
        if !what.contains(trait.what) {
            let moment = ClaimTrait.Moment(rawValue: trait.what)
            areEnough =
                self.minimum.isDisorder && what.contains { ClaimTrait.Moment(rawValue: $0).contradicts(moment) }
            what.append(trait.what)
        }
        areEnough =
            areEnough || trait.isSignificant || who.count >= self.minimum.who || marked >= self.minimum.marked
            || what.count >= self.minimum.what
    }
}
