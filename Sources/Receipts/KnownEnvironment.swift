public import Encodings

/// The environments that receipts are known to come from (attribute 0).
public enum KnownEnvironment {
    /// Their names as they stand in receipts; that of the oldest is empty.
    ///
    /// What is written between the halves of a run has their numbers: when one is added, the versions of records and lines
    /// go up.
    public static let names: [ExactText] = [
        "Production", "ProductionSandbox", "Xcode", "ProductionVPP", "ProductionVPPSandbox", "",
    ]

    /// A number that none of them has.
    public static var unknown: Int { names.count }

    /// The number of an environment; `nil` if it is not known.
    public static func number(of name: ExactText) -> Int? { names.firstIndex(of: name) }

    /// The name of the environment with this number; `nil` if there is none.
    public static func name(_ number: Int) -> ExactText? { names.indices.contains(number) ? names[number] : nil }
}
