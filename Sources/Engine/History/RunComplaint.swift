public import Encodings

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
        /// Fewer claims have a device than `--min-devices`, or none has a device or an account.
        case fewDevices = "few-devices"
        /// Known proofs came back without devices, accounts or dates, or with others.
        case changedClaims = "changed-claims"
        /// The reference time is more than a year after the last run's.
        case farAsOf = "far-as-of"
        /// A folder has no manifest, with `--require-manifest`.
        case noManifest = "no-manifest"
        /// Most rows of a manifest name no file, no row names most files, or it is not read.
        case manifest
        /// There are tokens of evidence, but none counts.
        case evidence
        /// Sales reports cannot be read.
        case sales
        /// More sold units than `--max-missing` are shown by nothing.
        case missing
        /// The ledger was damaged, or is gone.
        case ledger
    }

    public let kind: Kind
    /// A sentence for an operator, with the remedy.
    public let text: String
    /// What the run is doubtful about; nothing for most reasons.
    public let doubt: RunDoubt

    public init(_ kind: Kind, _ text: String, _ doubt: RunDoubt = RunDoubt()) {
        self.kind = kind
        self.text = text
        self.doubt = doubt
    }
}

/// The apps whose claims and findings of a run count for nothing in later runs until somebody accepts the run.
public struct RunDoubt: Sendable, Equatable {
    /// Whether it is about the whole run.
    public var isAboutAll = false
    public var apps: Set<ExactText> = []

    public init(isAboutAll: Bool = false, apps: Set<ExactText> = []) {
        self.isAboutAll = isAboutAll
        self.apps = apps
    }

    public var exists: Bool { isAboutAll || !apps.isEmpty }

    /// Whether it is about a claim or a finding.
    ///
    /// - Parameter app: its app; empty if none or several are known, so that it may be one of these.
    public func covers(_ app: ExactText) -> Bool { isAboutAll || !apps.isEmpty && (app.isEmpty || apps.contains(app)) }

    public mutating func add(_ other: RunDoubt) {
        isAboutAll = isAboutAll || other.isAboutAll
        apps.formUnion(other.apps)
    }
}
