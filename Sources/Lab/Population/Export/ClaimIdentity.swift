import Encodings

/// The content of a claim from which its `claim_id` is made.
///
/// A separate implementation, so that the expectations of samples do not depend on the tested code.
struct ClaimIdentity {
    /// The bytes whose hash identifies the proof: a receipt's content if the store signed it, otherwise the file or
    /// cell.
    var proof: [UInt8]
    /// The alternatives in the order of the row.
    var devices: [String]
    var deviceVerificationID = ""
    var accountID = ""
    var accountToken = ""
    var bundleID = ""
    var appVersion = ""
    var productID = ""
    var presentedAt: Instant?

    /// The first 24 digits of a SHA-256 over all fields, each with its length.
    var id: String { Self.hash(common + [appVersion, productID, presentedAt.map { String($0.milliseconds) } ?? ""]) }

    /// The same without the version of the app and the date.
    var caseID: String { Self.hash(common + [productID]) }

    private var common: [String] {
        let devices = Set(devices.map(Self.canonical)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return [
            Hex.string(SampleDigest.sha256.hash(proof).span), devices.joined(separator: "|"),
            deviceVerificationID.lowercased(), accountID, accountToken.lowercased(), bundleID,
        ]
    }

    private static func hash(_ fields: [String]) -> String {
        let text = fields.map { "\($0.utf8.count):\($0)" }.joined()
        return String(Hex.string(SampleDigest.sha256.hash(Array(text.utf8)).span).prefix(24))
    }

    /// Returns a UUID or a network address as lower-case digits; anything else unchanged.
    private static func canonical(_ device: String) -> String {
        let digits = device.lowercased().filter { $0 != "-" && $0 != ":" }
        let isDevice = [12, 32].contains(digits.utf8.count) && digits.allSatisfy(\.isHexDigit)
        return isDevice ? digits : device
    }
}

extension SampleRow {
    /// The alternatives of the cell.
    var devices: [String] { deviceID.split(separator: "|").map(String.init) }

    /// Returns the `case_id` of a row that names a proof.
    func caseID(proof: [UInt8]) -> String {
        ClaimIdentity(
            proof: proof, devices: devices, deviceVerificationID: deviceVerificationID, accountID: accountID,
            accountToken: accountToken, bundleID: bundleID, productID: productID
        ).caseID
    }
}
