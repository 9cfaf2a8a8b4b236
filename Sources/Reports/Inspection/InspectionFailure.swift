/// The reason why nothing was inspected. It is the operator's error, and says nothing about a proof.
public enum InspectionFailure: String, CaseIterable, Sendable {
    /// There is no such file, or no such claim in the export.
    case notFound = "not-found"
    /// The policy, a root, the key or an INPUT cannot be read, or PROOF is a whole export.
    case badOption = "bad-option"
}
