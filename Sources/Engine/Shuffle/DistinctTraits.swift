import Rules

/// Counts how many of the claims under a key differ, until they are enough for a rule to find something.
struct DistinctTraits {
    private var traits: [UInt64] = []
    private var withAccount = 0
    private var minimum = ClaimTrait.Minimum()
    private(set) var areEnough = false

    mutating func removeAll() {
        traits.removeAll(keepingCapacity: true)
        (withAccount, minimum, areEnough) = (0, ClaimTrait.Minimum(), false)
    }

    /// Adds a claim that may be enough, whatever the others say.
    mutating func addSignificant() { areEnough = true }

    /// - Parameter minimum: that of the key's kind. Two kinds of keys may have the same hash, if only by accident.
    mutating func add(_ trait: ClaimTrait, _ minimum: ClaimTrait.Minimum) {
        guard !areEnough else { return }
        self.minimum = .either(self.minimum, minimum)
        if !traits.contains(trait.rawValue) {
            traits.append(trait.rawValue)
            if trait.namesAccount { withAccount += 1 }
        }
        areEnough =
            trait.isSignificant || traits.count >= self.minimum.all || withAccount >= self.minimum.withAccount
    }
}
