/// The reason why a completed run ends with 3: its inputs, or its history, are not as they must be.
public struct RunComplaint: Sendable, Equatable {
    /// Names the problem in metrics.
    public enum Kind: String, CaseIterable, Sendable {
        /// An INPUT has no claims.
        case empty
        /// There are fewer claims than `--min-claims`.
        case fewClaims = "few-claims"
        /// Most claims of an INPUT are unreadable.
        case unreadable
        /// Claims may be missing because an input is damaged or unreadable.
        case lostRows = "lost-rows"
        /// Most claims are later than the reference time.
        case afterAsOf = "after-as-of"
        /// Fewer claims have a device than in an earlier run, or than `--min-devices`.
        case fewDevices = "few-devices"
        /// A folder has no manifest, with `--require-manifest`.
        case noManifest = "no-manifest"
        /// Most rows of a manifest name no file, no row names most files, or it is not read.
        case manifest
        /// There are tokens of evidence, but none counts.
        case evidence
        /// The ledger was damaged, or is gone.
        case ledger
    }

    public let kind: Kind
    /// A sentence for an operator, with the remedy.
    public let text: String

    public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}
