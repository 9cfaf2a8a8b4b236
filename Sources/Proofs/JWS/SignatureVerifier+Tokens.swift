import DER
public import Encodings

/// A token in the compact serialization (RFC 7515, section 7.1), read from its bytes.
public struct SignedToken: ~Escapable {
    /// The decoded payload.
    public let payload: [UInt8]
    /// Header and payload as presented, with the dot between them: the signed bytes.
    let signingInput: Span<UInt8>
    let signature: [UInt8]
    let signer: TokenSigner
    /// The first deviation from the form that Apple writes.
    let deviation: TokenDeviation?

    @_lifetime(copy signingInput)
    init(
        payload: [UInt8], signingInput: Span<UInt8>, signature: [UInt8], signer: TokenSigner, deviation: TokenDeviation?
    ) {
        self.payload = payload
        self.signingInput = signingInput
        self.signature = signature
        self.signer = signer
        self.deviation = deviation
    }

    /// The algorithm that the header names; empty if it names none.
    public var algorithm: ExactText { signer.header.algorithm }

    /// The DER of the first certificates in `x5c`.
    var certificates: [[UInt8]] { signer.header.certificates.compactMap { $0?.encoding } }
}

/// The positions of a token's parts in its bytes.
public struct TokenParts: Sendable {
    fileprivate let header: Range<Int>
    fileprivate let payload: Range<Int>
    fileprivate let signature: Range<Int>

    /// Returns `nil` unless there are exactly two dots, as in no other form of a proof.
    public init?(_ text: Span<UInt8>) {
        guard let first = text.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = text.extracting((first + 1)...)
        guard let second = rest.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let start = first + 1 + second + 1
        guard text.extracting(start...).firstIndex(of: UInt8(ascii: ".")) == nil else { return nil }
        header = 0..<first
        payload = (first + 1)..<(start - 1)
        signature = start..<text.count
    }
}

extension SignatureVerifier {
    /// Reads a token, and finds its signer in the cache or examines its header.
    ///
    /// - Parameters:
    ///   - text: the token, without surrounding blanks.
    ///   - parts: the parts of the text.
    @_lifetime(copy text)
    public func token(_ text: Span<UInt8>, _ parts: TokenParts) throws(TokenFault) -> SignedToken {
        var deviation: TokenDeviation?
        let found = try tokenSigner(text.extracting(parts.header))
        deviation = found.form.deviation(.header) ?? found.signer.header.deviation
        var (payload, signature): ([UInt8], [UInt8]) = ([], [])
        guard let form = Base64URL.decode(text.extracting(parts.payload), into: &payload) else {
            throw .encoding(.payload)
        }
        deviation = deviation ?? form.deviation(.payload)
        guard let form = Base64URL.decode(text.extracting(parts.signature), into: &signature) else {
            throw .encoding(.signature)
        }
        deviation = deviation ?? form.deviation(.signature)
        guard !signature.isEmpty, found.signer.header.algorithm != "none" else { throw .notSigned }
        guard !payload.isEmpty else { throw .noContent }
        return SignedToken(
            payload: payload, signingInput: text.extracting(0..<parts.payload.upperBound), signature: signature,
            signer: found.signer, deviation: deviation)
    }

    /// Verifies a token's signature, and its signer's chain at `date`.
    public func verdict(on token: borrowing SignedToken, at date: Instant?) -> SignatureVerdict {
        let chain = token.signer.chain(at: date)
        let signature = ES256Signature(token.signature.span)
        var deviation = token.deviation
        if signature == nil { deviation = deviation ?? .signatureLength(token.signature.count) }
        if signature?.isInRange == false { deviation = deviation ?? .signatureRange }
        let digest = library.digest(.sha256, of: token.signingInput)
        return SignatureVerdict(
            signature: token.signer.signature(signature, over: digest), chain: chain,
            digestAlgorithm: token.algorithm == "ES256" ? .sha256 : nil,
            contentDigest: library.digest(.sha256, of: token.payload.span), deviation: deviation.map { .token($0) })
    }

    /// Computes SHA-384 of two concatenated texts: the form of a token's device hash.
    public func sha384(of first: ExactText, _ second: ExactText) -> [UInt8] {
        let text = Array(first.utf8) + Array(second.utf8)
        return library.certificateDigest(.sha384, of: text.span)
    }
}

extension Base64URL.Form {
    fileprivate func deviation(_ part: TokenPart) -> TokenDeviation? {
        if isPadded { return .padding(part) }
        return hasStrayBits ? .strayBits(part) : nil
    }
}

/// The signers of tokens that a worker has seen.
final class TokenSigners {
    /// The size of each cache, and the maximum size of a header in bytes for a cached signer, so that untrusted ones
    /// cannot fill the memory. Apple's have some 5,500.
    private static let maxCached = 8
    private static let maxCachedOctets = 64 << 10

    struct Found {
        let text: [UInt8]
        let form: Base64URL.Form
        let signer: TokenSigner
    }

    private var trusted: [Found] = []
    /// Signers with an untrusted chain, in a separate cache: however many there are, they do not evict trusted ones.
    private var others: [Found] = []

    func find(_ text: Span<UInt8>) -> Found? {
        for index in trusted.indices where text.isSame(as: trusted[index].text) {
            if index > 0 { trusted.insert(trusted.remove(at: index), at: 0) }
            return trusted[0]
        }
        return others.first { text.isSame(as: $0.text) }
    }

    func insert(_ found: Found) {
        guard found.text.count <= Self.maxCachedOctets else { return }
        if found.signer.isTrusted { Self.insert(found, into: &trusted) } else { Self.insert(found, into: &others) }
    }

    private static func insert(_ found: Found, into cache: inout [Found]) {
        if cache.count == maxCached { cache.removeLast() }
        cache.insert(found, at: 0)
    }
}

extension SignatureVerifier {
    private func tokenSigner(_ text: Span<UInt8>) throws(TokenFault) -> TokenSigners.Found {
        if let found = tokenSigners.find(text) { return found }
        var octets: [UInt8] = []
        guard let form = Base64URL.decode(text, into: &octets) else { throw .encoding(.header) }
        let header = try TokenHeader(octets)
        let found = TokenSigners.Found(text: text.copy(), form: form, signer: try makeSigner(header))
        tokenSigners.insert(found)
        return found
    }

    private func makeSigner(_ header: TokenHeader) throws(TokenFault) -> TokenSigner {
        guard let leaf = header.leaf else { return TokenSigner(header, chain: nil, untrusted: "", library: library) }
        guard let issuer = header.issuer else {
            return TokenSigner(
                header, chain: nil, untrusted: "there is no second certificate for its issuer", library: library)
        }
        switch tokenChain(leaf, issuer) {
        case .success(let candidates):
            do throws(ContainerFault) {
                let chain = try chain(of: candidates, screen: tokenScreen)
                return TokenSigner(header, chain: chain, untrusted: "", library: library)
            } catch {
                return TokenSigner(header, chain: nil, untrusted: error.description, library: library)
            }
        case .failure(let reason):
            return TokenSigner(header, chain: nil, untrusted: reason.description, library: library)
        }
    }

    /// The reason why no trusted authority signed the signer's certificate.
    private enum BrokenLink: String, Error, CustomStringConvertible {
        case issuer = "no trust anchor signed the second certificate"
        case leaf = "the second certificate's key did not sign the first"

        var description: String { rawValue }
    }

    /// Links the signer to its issuer, and the issuer to a trust anchor. No other chain is tried.
    private func tokenChain(
        _ leaf: EncodedCertificate, _ issuer: EncodedCertificate
    ) -> Result<ChainCandidates, BrokenLink> {
        var budget = LinkBudget()
        var authority = tokenScreen.anchor(issuer)
        for anchor in authority == nil ? tokenScreen.issuers(of: issuer) : [] where authority == nil {
            guard let key = anchor.issuerKey else { continue }
            authority = tokenScreen.link(issuer, key, &budget)
        }
        guard let authority else { return .failure(.issuer) }
        guard leaf.names(issuer), let key = authority.issuerKey, let signer = tokenScreen.link(leaf, key, &budget)
        else { return .failure(.leaf) }
        return .success(ChainCandidates([signer, authority]))
    }
}
