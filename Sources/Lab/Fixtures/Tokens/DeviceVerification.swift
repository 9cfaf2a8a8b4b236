/// The data that binds a token to the device it comes from.
public struct DeviceVerification: Sendable, Equatable {
    /// The App Store's random UUID, `deviceVerificationNonce`.
    public var nonce: String
    /// The device's `AppStore.deviceVerificationID`: a UUID.
    public var deviceID: String

    public init(nonce: String, deviceID: String) {
        self.nonce = nonce
        self.deviceID = deviceID
    }

    /// SHA-384 of the concatenation of both, in lower case: `deviceVerification` before base64.
    public var hash: [UInt8] { SampleDigest.sha384.hash(Array((nonce.lowercased() + deviceID.lowercased()).utf8)) }
}
