/// What binds a token that comes from a device to it.
public struct DeviceVerification: Sendable, Equatable {
    /// The App Store's random UUID, `deviceVerificationNonce`.
    public var nonce: String
    /// What `AppStore.deviceVerificationID` is on the device: a UUID.
    public var deviceID: String

    public init(nonce: String, deviceID: String) {
        self.nonce = nonce
        self.deviceID = deviceID
    }

    /// SHA-384 of the two, in lower case, one after the other: `deviceVerification` before base64.
    public var hash: [UInt8] { SampleDigest.sha384.hash(Array((nonce.lowercased() + deviceID.lowercased()).utf8)) }
}
