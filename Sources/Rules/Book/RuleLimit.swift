public import Encodings

/// A number in a rule that a policy may change.
public struct RuleLimit: Hashable, Sendable {
    /// The key in a policy, unit included: `minutes`, `devices`.
    public let name: ExactText
    public let standard: Int
    /// The numbers that make sense.
    public let range: ClosedRange<Int>
    /// What the number does, as the end of “raised when …”.
    public let meaning: String

    public init(_ name: ExactText, standard: Int, in range: ClosedRange<Int> = 0...1_000_000, _ meaning: String) {
        self.name = name
        self.standard = standard
        self.range = range
        self.meaning = meaning
    }
}
