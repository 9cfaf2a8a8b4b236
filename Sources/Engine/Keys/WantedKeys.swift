import Rules

/// Under which keys claims are to be brought together, and from how many claims on.
struct WantedKeys: Sendable {
    let kinds: KeyKinds
    /// Whether subscriptions are to be read, which takes every original transaction with periods.
    let isForSubscriptions: Bool
    /// Whether claims are compared with those of earlier runs, and kept for later ones.
    let remembers: Bool
    /// By the number of the key's kind: how many claims there must be for any rule to find anything.
    private let fewest: [Int]
    /// By the number of the key's kind: how many purchases of one claim may be enough by themselves.
    private let minSignificantPurchases: [Int]

    init(_ rules: RuleSet, isForSubscriptions: Bool, remembers: Bool = false) {
        self.remembers = remembers
        // Whoever asks for other keys another night finds them.
        kinds = remembers ? .all : rules.keyKinds
        self.isForSubscriptions = isForSubscriptions
        fewest = KeyKind.allCases.map { rules.minObservations($0) ?? .max }
        minSignificantPurchases = KeyKind.allCases.map { kind in
            kind == .originalTransaction && isForSubscriptions ? 1 : rules.minSignificantPurchases(kind) ?? .max
        }
    }

    func fewest(_ kind: KeyKind) -> Int { fewest[Int(kind.rawValue)] }

    /// Whether one claim is enough that shows so many purchases which tell something.
    func areEnough(_ significantPurchases: Int, under kind: KeyKind) -> Bool {
        significantPurchases >= max(1, minSignificantPurchases[Int(kind.rawValue)])
    }
}

/// Which worker judged a claim, and as which of its claims: in the order in which it was judged, which is not that of
/// claims where files had to be waited for.
struct WorkerClaimID: Sendable {
    let rawValue: UInt64

    init(_ number: UInt64, worker: Int) {
        rawValue = UInt64(UInt8(truncatingIfNeeded: worker)) << 56 | number & Self.numberBits
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let numberBits: UInt64 = 1 << 56 - 1
}
