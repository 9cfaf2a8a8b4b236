import DER
import Encodings

/// The signer of an object that a trusted authority signed, whatever it is for.
public struct SignedObject: Sendable {
    /// The signer's certificate in DER, or the object itself if it is a certificate.
    public let signer: [UInt8]
    /// Whether the object is the signature alone, without what it is over.
    public let isDetached: Bool

    /// Whether the signer's certificate has an extension of this type.
    public func hasMarker(_ type: [UInt8]) -> Bool {
        do throws(ContainerDeviation) {
            return try StrictCertificate(signer.span).hasExtension(type)
        } catch {
            return false
        }
    }
}

/// Verifies what is not a receipt.
///
/// Unlike a receipt, such an object may have signed attributes (RFC 5652, section 5.4), an ECDSA signature, another
/// content than `data` or none. No date is known at which its chain should be valid.
extension SignatureVerifier {
    /// One invalid link, so that an object costs no more than a token: a signature on Apple's P-384 costs as much as
    /// many receipts.
    private static let objectBudget = LinkBudget(failures: 1)

    /// Verifies a PKCS #7 object; `nil` if none of its signatures holds with a trusted chain.
    public func signedObject(_ object: LenientSignedData) -> SignedObject? {
        let bag = CertificateBag(object.references)
        var search = ChainSearch(bag.entries, screen: tokenScreen, budget: Self.objectBudget)
        for (index, info) in zip(bag.signerIndexes, object.signers.infos) {
            guard let index, isTrusted(&search, index) else { continue }
            let signer = bag.entries[index].encoding
            guard isSigned(object, info, by: signer) else { continue }
            return SignedObject(signer: signer, isDetached: object.isDetached)
        }
        return nil
    }

    /// Verifies a certificate by itself; `nil` if no trust anchor signed it.
    public func signedCertificate(_ bytes: Span<UInt8>) -> SignedObject? {
        do throws(ContainerDeviation) {
            let certificate = EncodedCertificate(try StrictCertificate(bytes))
            var search = ChainSearch([certificate], screen: tokenScreen, budget: Self.objectBudget)
            guard isTrusted(&search, 0) else { return nil }
            return SignedObject(signer: certificate.encoding, isDetached: false)
        } catch {
            return nil
        }
    }

    private func isTrusted(_ search: inout ChainSearch, _ index: Int) -> Bool {
        guard let candidates = search.candidates(for: index) else { return false }
        do throws(ContainerFault) {
            return try chain(of: candidates, screen: tokenScreen).isTrustedForAnyPurpose
        } catch {
            return false
        }
    }

    /// Whether a signature over the content, or over attributes with its digest, is this signer's.
    private func isSigned(_ object: LenientSignedData, _ info: LenientSignerInfo, by signer: [UInt8]) -> Bool {
        guard let digest = info.objectDigest, let key = IssuerKey(certificate: signer, .rsaAndECDSA, library: library)
        else { return false }
        guard let attributes = object.signedAttributes(of: info) else {
            return !object.isDetached && key.signed(object.content, object.signature(of: info), digest)
        }
        // Nobody sees what a detached signature is over, but the attributes are signed all the same.
        guard object.isDetached || hasDigest(of: object, digest, in: attributes) else { return false }
        return key.signed(attributes.span, object.signature(of: info), digest)
    }

    /// Whether the attribute messageDigest is that of the content (RFC 5652, section 11.2).
    private func hasDigest(
        of object: LenientSignedData, _ algorithm: CertificateDigest, in attributes: [UInt8]
    ) -> Bool {
        do throws(ContainerDeviation) {
            let digest = library.certificateDigest(algorithm, of: object.content)
            return try StrictReader.read(attributes.span) { reader throws(ContainerDeviation) in
                try reader.inside(.set) { set throws(ContainerDeviation) in
                    var isFound = false
                    while !set.isAtEnd {
                        try set.inside(.sequence) { attribute throws(ContainerDeviation) in
                            let type = try attribute.contents(of: .objectIdentifier)
                            let values = try attribute.element(of: .set)
                            let expected = DERWriter.element(.set, DERWriter.element(.octetString, digest))
                            if type.isSame(as: ObjectIdentifier.messageDigest), values.isSame(as: expected) {
                                isFound = true
                            }
                        }
                    }
                    return isFound
                }
            }
        } catch {
            return false
        }
    }
}
