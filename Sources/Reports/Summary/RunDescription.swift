public import Encodings
public import Inputs

/// What a run was made of, so that it can be repeated.
public struct RunDescription: Sendable {
    /// Our version.
    public var version: String
    /// The version of OpenSSL in use.
    public var openSSL: String
    public var asOf: Instant
    public var inputs: [String]
    /// The trust anchors' SHA-256 fingerprints.
    public var roots: [String]
    /// The files of trust anchors that were named; empty for Apple's.
    public var rootFiles: [String] = []
    /// The manifest that was named.
    public var manifest: String?
    /// The policy's file and the SHA-256 of its bytes; `nil` for the standard policy.
    public var policy: (file: String, sha256: String)?
    /// The earlier report that findings were compared with.
    public var baseline: String?
    /// The job file without its folders, to which the other paths are relative, and the SHA-256 of its bytes.
    public var job: (file: String, sha256: String)?
    /// What the inputs held that is no claim.
    public var omissions = Omissions()

    public init(version: String, openSSL: String, asOf: Instant, inputs: [String], roots: [String]) {
        self.version = version
        self.openSSL = openSSL
        self.asOf = asOf
        self.inputs = inputs
        self.roots = roots
    }
}
