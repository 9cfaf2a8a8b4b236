import Encodings

/// A token of Xcode's local test store: one self-signed certificate and a header that names its key.
///
/// Its signature is valid, but it is not valid under App Store roots.
public enum XcodeToken {
    /// Signs a payload like Xcode, with dates that have fractions of milliseconds.
    public static func token(_ payload: some TokenPayload) throws(SigningError) -> TokenContent {
        // A self-issued certificate: root and leaf are the same.
        let store = try TokenAuthority(root: certificate, intermediates: [], leaf: certificate)
        let form = TokenForm().with {
            $0.certificates = [store.leaf.certificate]
            $0.headerEdits = [.add("kid", .text("Apple_Xcode_Key")), .add("typ", .text("JWT"))]
        }
        return try store.token(octets: fractional(payload.json).octets, as: form)
    }

    /// Returns an object whose dates have fractions.
    private static func fractional(_ json: SampleJSON) -> SampleJSON {
        guard case .object(let members) = json else { return json }
        return .object(
            members.map { name, value in
                guard name.hasSuffix("Date"), case .number(let milliseconds) = value else { return (name, value) }
                return (name, .raw("\(milliseconds).375"))
            })
    }

    private static var certificate: CertificateContent {
        CertificateContent(
            DistinguishedName("Sample Test Store", organization: "Sample Test Store"), serialNumber: 1,
            notBefore: .utc(2020), notAfter: .utc(2040), key: .tokenDeveloper
        ).with { $0.isAuthority = true }
    }
}
