import DER
import Encodings

/// The contents of a container or a token for display, even if its signature is not valid.
public struct ContainerContents: Sendable {
    /// The signed content: the receipt's attributes, or the token's payload.
    public let content: [UInt8]
    /// The DER of each certificate, in order; for a token at most the first three.
    public let certificates: [[UInt8]]
}

extension SignatureVerifier {
    /// Reads the contents of a container: in the strict form, or in any form of BER.
    public func contents(of bytes: Span<UInt8>) throws(ContainerFault) -> ContainerContents {
        do throws(ContainerDeviation) {
            let signedData = try SignedData(strict: bytes)
            let references = signedData.references
            let certificates = try StrictReader.read(references.certificates) { bag throws(ContainerDeviation) in
                var certificates: [[UInt8]] = []
                while !bag.isAtEnd { certificates.append(try bag.element(of: .sequence).copy()) }
                return certificates
            }
            return ContainerContents(content: signedData.content.copy(), certificates: certificates)
        } catch {
            let signedData = try LenientSignedData(bytes, deviation: error)
            return ContainerContents(content: signedData.content.copy(), certificates: signedData.certificateEncodings)
        }
    }

    /// Reads the contents of a token.
    public func contents(of text: Span<UInt8>, _ parts: TokenParts) throws(TokenFault) -> ContainerContents {
        let token = try token(text, parts)
        return ContainerContents(content: token.payload, certificates: token.certificates)
    }

    /// Decodes a certificate and describes it.
    public func description(ofCertificate der: Span<UInt8>) throws(OpenSSLError) -> CertificateDescription {
        CertificateDescription(of: try Certificate(der: der, library: library), der: der, library: library)
    }
}
