/// The members of a token's header: exactly two in a genuine one (RFC 7515, sections 4.1.1 and 4.1.6).
public struct TokenHeaderContent: Sendable, Changeable {
    /// The name of the signature's algorithm, usually `ES256`.
    public var algorithm: String
    /// The certificates in DER, the leaf first.
    public var certificates: [[UInt8]]
    /// Changes of the members `alg` and `x5c`.
    public var edits: [MemberEdit] = []

    public init(algorithm: String, certificates: [[UInt8]]) {
        self.algorithm = algorithm
        self.certificates = certificates
    }

    /// The object.
    public var json: SampleJSON {
        .object([("alg", .text(algorithm)), ("x5c", .list(certificates.map(SampleJSON.base64)))]).edited(edits)
    }
}

/// The form of a token, by default as written by the App Store. Changes here are signed; changes in a ``TokenContent``
/// are not.
public struct TokenForm: Sendable, Changeable {
    /// The certificates in `x5c`; `nil` for those of the authority.
    public var certificates: [[UInt8]]?
    /// Changes of the header's members, applied in order: `.replace("alg", with: .text("none"))`.
    public var headerEdits: [MemberEdit] = []
    /// White space around every bracket, colon and comma of the header.
    public var headerSpace = ""
    /// The bytes of the header, which replace all of the above.
    public var header: [UInt8]?
    /// Changes of the base64 of the header.
    public var headerPart: @Sendable (inout TokenSegment) -> Void = { _ in }
    /// Changes of the base64 of the payload.
    public var payloadPart: @Sendable (inout TokenSegment) -> Void = { _ in }
    /// The digest for signing; `nil` for that of the key's algorithm.
    public var digest: SampleDigest?
    public var signature = TokenSignature.issued

    public init() {}
}

/// The ways to make the bytes in a token's signature.
public enum TokenSignature: Sendable {
    /// By the leaf's key, as in RFC 7518: the concatenation of r and s, or RSASSA-PKCS1-v1_5.
    case issued
    /// By the leaf's key on a curve, with its two numbers written in another form: `.numbers { $0.withLowS.octets }`.
    case numbers(@Sendable (ECDSASignature) -> [UInt8])
    /// HMAC with this key (RFC 7518, section 3.2).
    case hmac(key: [UInt8])
    /// Given bytes.
    case octets([UInt8])
}

/// A payload that can be signed as a token.
public protocol TokenPayload: Sendable {
    /// The payload's object.
    var json: SampleJSON { get }
}

extension TokenAuthority {
    /// Signs a payload: the same bytes each time.
    public func token(_ payload: some TokenPayload, as form: TokenForm? = nil) throws(SigningError) -> TokenContent {
        try token(octets: payload.json.octets, as: form)
    }

    /// Signs the bytes of any payload.
    public func token(octets: [UInt8], as form: TokenForm? = nil) throws(SigningError) -> TokenContent {
        var (header, payload) = (TokenSegment(form.map(headerOctets) ?? self.header), TokenSegment(octets))
        form?.headerPart(&header)
        form?.payloadPart(&payload)
        let signed = TokenContent.signingInput(header, payload)
        let signature = try signature(over: signed, form?.signature ?? .issued, digest: form?.digest)
        return TokenContent(header: header, payload: payload, signature: TokenSegment(signature))
    }

    private func headerOctets(_ form: TokenForm) -> [UInt8] {
        if let header = form.header { return header }
        var members = TokenHeaderContent(
            algorithm: Self.algorithm(of: leaf.content.key), certificates: form.certificates ?? certificates)
        members.edits = form.headerEdits
        return members.json.octets(around: form.headerSpace)
    }

    private func signature(
        over message: [UInt8], _ signature: TokenSignature, digest: SampleDigest?
    ) throws(SigningError) -> [UInt8] {
        let key = leaf.key
        let digest = digest ?? key.curve?.digest ?? .sha256
        switch signature {
        case .issued:
            guard key.curve != nil else { return try key.signature(over: message, digest: digest) }
            return try key.curveSignature(over: message, digest: digest).octets
        case .numbers(let write): return write(try key.curveSignature(over: message, digest: digest))
        case .hmac(let secret): return digest.hmac(message, key: secret)
        case .octets(let octets): return octets
        }
    }
}
