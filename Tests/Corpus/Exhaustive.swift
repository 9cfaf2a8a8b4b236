import FoundationEssentials

/// Whether tests run all their cases (`AUDIT_EXHAUSTIVE=1`; `make release-test` sets it for verdicts), or a sample.
///
/// A sample is the same every time, and has at least one case of each kind.
public enum Exhaustive {
    public static let isOn = ProcessInfo.processInfo.environment["AUDIT_EXHAUSTIVE"] == "1"

    /// The cases to run: all, or else the first, every `step`th after it, and the last.
    public static func cases<Case>(_ all: [Case], every step: Int) -> [Case] {
        isOn ? all : all.indices.filter { $0 % step == 0 || $0 == all.count - 1 }.map { all[$0] }
    }

    /// How many cases to make up: all, or else fewer.
    public static func count(_ all: Int, sampled: Int) -> Int { isOn ? all : sampled }
}
