public import Encodings
public import Inputs
public import Proofs
public import Receipts

/// Describes one proof for a person: every check with its reason, and the whole content of the proof.
public struct Inspection: Sendable {
    public internal(set) var facts: Facts
    /// The reference time of the checks.
    public let asOf: Instant
    /// The number of bytes that were read; `nil` if none could be.
    public let byteCount: Int?
    /// Whether the receipt had to be decoded from base64 first.
    public let isBase64: Bool
    /// The result of every check, in order.
    public let checks: [CheckResult]
    /// The first deviation from the strict form in the container, with its position.
    public let deviation: String?
    /// The structure of the container, if it is readable.
    public let contents: ContainerContents?
    /// The chain's certificates, signer first; for an untrusted chain those of the container.
    public let certificates: [Result<CertificateDescription, OpenSSLError>]
    /// Every attribute of a receipt; `nil` if there is no content.
    public let attributes: AttributeListing?
    /// Every member of a token's payload; `nil` if it is not JSON.
    public let payload: PayloadListing?
}

extension Checker {
    /// Inspects a claim and the proof's bytes as they were sent: DER, base64 of it, or a token.
    public func inspection(of claim: Claim, receipt bytes: [UInt8]) -> Inspection {
        var decoded: [UInt8] = []
        let isBase64 = ReceiptForm.decode(bytes.span, into: &decoded)
        let container = isBase64 ? decoded : bytes
        var claim = claim
        claim.isReceiptBase64 = isBase64 && ReceiptForm.isOther(decoded.span, of: bytes.span)
        verifier.asksForReasons = true
        defer { verifier.asksForReasons = false }
        return inspection(facts(of: claim, receipt: container.span), container, original: bytes)
    }

    /// Inspects a claim without bytes.
    public func inspection(of claim: Claim, fault: InputFault) -> Inspection {
        inspection(facts(of: claim, fault: fault), [], original: nil)
    }

    private func inspection(_ facts: Facts, _ container: [UInt8], original: [UInt8]?) -> Inspection {
        // The facts already have the reason why a container is unreadable.
        let contents = facts.otherObject == nil ? contents(of: container.span, facts) : nil
        let signer = facts.otherObject.map(\.signer) ?? []
        let certificates = describe(facts.signature?.chain.certificates ?? (signer.isEmpty ? [] : [signer]))
        let isToken = facts.format == .token
        let attributes = isToken ? nil : contents.map { AttributeListing(of: $0.content.span) }
        let explanation = Explanation(
            facts: facts, expectations: expectations, container: container, original: original ?? [],
            certificates: certificates.compactMap { try? $0.get() },
            attributes: attributes, deviceHashes: deviceHashes(facts))
        return Inspection(
            facts: facts, asOf: expectations.asOf, byteCount: original?.count,
            isBase64: original != nil && container != original, checks: explanation.results,
            deviation: explanation.deviation, contents: contents, certificates: certificates, attributes: attributes,
            payload: isToken ? contents.flatMap { PayloadListing(of: $0.content) } : nil)
    }

    private func contents(of bytes: Span<UInt8>, _ facts: Facts) -> ContainerContents? {
        guard facts.format == .token, let token = TokenText(bytes, wasBase64: false) else {
            return try? verifier.contents(of: bytes)
        }
        return try? verifier.contents(of: bytes.extracting(token.range), token.parts)
    }

    private func describe(_ certificates: [[UInt8]]) -> [Result<CertificateDescription, OpenSSLError>] {
        certificates.map { der in
            Result { () throws(OpenSSLError) in try verifier.description(ofCertificate: der.span) }
        }
    }

    /// Returns the hash for each alternative of the claimed device in this receipt.
    private func deviceHashes(_ facts: Facts) -> [Explanation.DeviceHash] {
        guard let input = facts.deviceHashInput else { return [] }
        return DeviceIdentifiers(facts.claim.deviceID).identifiers.map { octets in
            Explanation.DeviceHash(
                device: Device(octets: octets.span)?.description ?? "", octets: deviceHash(octets, input).bytes)
        }
    }
}
