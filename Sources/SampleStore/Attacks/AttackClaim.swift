public import Encodings

/// What a case presents: a proof, and what the verifier is told with it.
public struct AttackClaim: Sendable {
    /// The octets that the device presents.
    public var proof: [UInt8]
    /// Whether the octets are text, such as base64 or PEM, that a verifier has to decode first.
    public var isText = false
    /// The claimed device, or alternatives separated by `|`.
    public var deviceID: String
    /// The bundle identifier of the app that the proof is presented to.
    public var bundleID: String
    /// The app version that the proof should carry; `nil` if any will do.
    public var appVersion: String?
    /// The environments (attribute 0) that are allowed; `nil` if any is.
    public var allowedEnvironments: [String]?
    /// The certificates in DER that are trusted, and no others.
    public var trustAnchors: [[UInt8]]
    /// The instant at which the proof is checked.
    public var asOf: Instant

    /// The same with other values.
    public func with(_ change: (inout AttackClaim) throws -> Void) rethrows -> AttackClaim {
        var claim = self
        try change(&claim)
        return claim
    }
}
