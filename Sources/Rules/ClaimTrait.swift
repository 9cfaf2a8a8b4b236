import Encodings
import Inputs
import Receipts

/// What distinguishes a claim from the others under a key, as a number.
///
/// Most claims under a key say the same: one device presents one receipt again and again. However many they are, no rule
/// finds anything in them, so the shuffle drops them before it writes what they say.
///
/// It is a keyed hash with a secret that each process chooses (`Hasher`), so nobody can choose identifiers that have the
/// same one. It decides only what is compared, and is never stored.
public struct ClaimTrait: Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Of a claim that may be enough for a rule, whatever the others say: all claims with the key are compared.
    public static let significant = ClaimTrait(rawValue: 0)

    /// Whether the claim names an account.
    public var namesAccount: Bool { rawValue & 1 != 0 }

    public var isSignificant: Bool { rawValue == 0 }

    /// How many distinct traits there must be for a rule to find anything, unless one is significant. Either number is
    /// enough. More than ``max`` are not counted.
    public struct Minimum: Sendable {
        public static let max = 16

        /// Of all claims.
        public private(set) var all: Int
        /// Of the claims that name an account.
        public private(set) var withAccount: Int

        /// Without a number it takes a significant claim, or more than are counted.
        public init(all: Int = Self.max, withAccount: Int = Self.max) {
            self.all = min(all, Self.max)
            self.withAccount = min(withAccount, Self.max)
        }

        /// The rule may find something in any claims.
        public static let none = Minimum(all: 0, withAccount: 0)

        /// What is enough for either.
        public static func either(_ one: Minimum, _ other: Minimum) -> Minimum {
            Minimum(all: min(one.all, other.all), withAccount: min(one.withAccount, other.withAccount))
        }
    }
}

extension ClaimTrait {
    /// Who presents the claim: its device, account and person.
    init(presenting observation: borrowing Observation) {
        var hasher = Hasher()
        hasher.combine(observation.device)
        hasher.combine(observation.accountID)
        hasher.combine(observation.appTransactionID)
        self.init(hasher, namesAccount: !observation.accountID.isEmpty)
    }

    /// What a proof says of a transaction, as far as proofs must agree.
    init(of purchase: borrowing Purchase, in environment: EnvironmentClass) {
        // What becomes of a consumable depends on who asks for it, and on what days.
        guard purchase.kind != .consumable else {
            self = .significant
            return
        }
        var hasher = Hasher()
        hasher.combine(environment)
        hasher.combine(purchase.productID)
        hasher.combine(purchase.originalTransactionID ?? purchase.transactionID)
        hasher.combine(purchase.purchaseDate)
        hasher.combine(purchase.details?.previousOriginalTransactionID)
        self.init(hasher, namesAccount: false)
    }

    private init(_ hasher: Hasher, namesAccount: Bool) {
        // Two is never significant, and nobody's account.
        let hash = max(2, UInt64(truncatingIfNeeded: hasher.finalize()) & ~1)
        self.init(rawValue: hash | (namesAccount ? 1 : 0))
    }
}
