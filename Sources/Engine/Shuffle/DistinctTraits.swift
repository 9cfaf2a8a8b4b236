import Rules

/// Counts the distinct claims under a key, until there are enough for a rule to find something.
struct DistinctTraits {
    private var presenters: [UInt64] = []
    private var contents: [UInt64] = []
    private var marked = 0
    private var minimum = ClaimTrait.Minimum()
    private(set) var areEnough = false

    mutating func removeAll() {
        presenters.removeAll(keepingCapacity: true)
        contents.removeAll(keepingCapacity: true)
        marked = 0
        minimum = ClaimTrait.Minimum()
        areEnough = false
    }

    /// Adds a claim that may be enough by itself.
    mutating func addSignificant() { areEnough = true }

    /// - Parameter minimum: the minimum of the key's kind. Two kinds of keys may have the same hash by accident.
    mutating func add(_ trait: ClaimTrait, _ minimum: ClaimTrait.Minimum) {
        guard !areEnough else { return }
        self.minimum = .either(self.minimum, minimum)
        if !presenters.contains(trait.presenterHash) {
            presenters.append(trait.presenterHash)
            if trait.isMarked { marked += 1 }
        }
        if !contents.contains(trait.contentHash) {
            let moment = ClaimTrait.Moment(rawValue: trait.contentHash)
            areEnough =
                self.minimum.isDisorder && contents.contains { ClaimTrait.Moment(rawValue: $0).contradicts(moment) }
            contents.append(trait.contentHash)
        }
        areEnough =
            areEnough || trait.isSignificant || presenters.count >= self.minimum.presenters
            || marked >= self.minimum.marked
            || contents.count >= self.minimum.contents
    }
}
