public import DER
import Encodings

/// The first deviation in a container from the one strict form that Apple writes.
///
/// A container that deviates is never valid, even if a lenient decoder can read it: a forger could vary everything that
/// Apple does not write. Positions count from the container's first byte.
public enum ContainerDeviation: Error, Equatable, Sendable {
    /// Bytes that are not DER, or an unexpected element.
    case encoding(DERError)
    /// A version number of SignedData or SignerInfo other than 1.
    case version(Int)
    /// A content type other than signedData outside, or data inside.
    case contentType
    /// Other than exactly one digest algorithm, SHA-1 or SHA-256, the same in SignedData and SignerInfo.
    case digestAlgorithm
    /// Algorithm parameters other than NULL or none.
    case algorithmParameters
    /// A signature algorithm other than rsaEncryption.
    case signatureAlgorithm
    /// No certificates at all.
    case noCertificates
    /// Certificate revocation lists, signed or unsigned attributes, or a second SignerInfo.
    case unexpected(ContainerExtra)
    /// More certificates than in any of Apple's chains.
    case tooManyCertificates
    /// A certificate several times the size of any of Apple's.
    case oversizedCertificate
    /// The same certificate twice.
    case duplicateCertificate
    /// Certificates other than those of the signer's trusted chain, signer first and root last: one too many, a missing
    /// one, or another order.
    case otherThanChain
    /// A certificate whose unsigned outer fields differ from those that the inner ones require (RFC 5280, section
    /// 4.1.1.2).
    case certificateShell

    /// Elements that no container of Apple's has.
    public enum ContainerExtra: String, Sendable {
        case revocationLists = "certificate revocation lists"
        case signedAttributes = "signed attributes"
        case unsignedAttributes = "unsigned attributes"
        case secondSigner = "a second SignerInfo"
    }
}

extension ContainerDeviation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let error): error.description
        case .version(let version): "version \(version) instead of 1"
        case .contentType: "an unexpected content type"
        case .digestAlgorithm: "not exactly one digest algorithm, SHA-1 or SHA-256, the same for the signer"
        case .algorithmParameters: "algorithm parameters that are neither NULL nor absent"
        case .signatureAlgorithm: "a signature algorithm other than rsaEncryption"
        case .noCertificates: "no certificates"
        case .unexpected(let extra): extra.rawValue
        case .tooManyCertificates: "more than \(CertificateBag.limit) certificates"
        case .oversizedCertificate: "a certificate of more than \(CertificateBag.sizeLimit) bytes"
        case .duplicateCertificate: "the same certificate twice"
        case .otherThanChain: "certificates other than the signer's chain, or in another order"
        case .certificateShell: "a certificate whose unsigned fields were altered"
        }
    }
}

/// The reason why there is no content to check: the bytes are not a container, or not one with a receipt.
public enum ContainerFault: Error, Equatable, Sendable {
    /// Not a PKCS #7 container (RFC 2315) at all.
    case notPKCS7
    /// PKCS #7, but the structure is not even BER.
    case encoding(DERError)
    /// PKCS #7, but the structure is broken; the reason is a decoder's.
    case malformed(String)
    /// PKCS #7 of a kind other than signedData.
    case notSigned
    /// signedData without an embedded content of type `data`.
    case noContent

    /// Finds the fault in the header of a ContentInfo, in any form that BER allows.
    ///
    /// - Returns: `nil` if the content type is signedData.
    init?(header bytes: Span<UInt8>) {
        guard let contentType = Self.contentType(of: bytes), contentType.count == ObjectIdentifier.signedData.count,
            contentType.extracting(first: ObjectIdentifier.pkcs7.count).isSame(as: ObjectIdentifier.pkcs7)
        else {
            self = .notPKCS7
            return
        }
        switch contentType[contentType.count - 1] {
        case 2: return nil
        case 1, 3, 4, 5, 6: self = .notSigned
        default: self = .notPKCS7
        }
    }

    /// Returns the bytes of the contentType, if the bytes begin like a ContentInfo.
    @_lifetime(copy bytes)
    private static func contentType(of bytes: Span<UInt8>) -> Span<UInt8>? {
        var reader = BERReader(bytes)
        do throws(DERError) {
            guard try reader.header(ofPrefix: true).tag == DERTag.sequence.rawValue else { return nil }
            let header = try reader.header()
            guard header.tag == DERTag.objectIdentifier.rawValue, let count = header.count else { return nil }
            return reader.next(count)
        } catch {
            return nil
        }
    }
}

extension ContainerFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPKCS7: "neither DER nor base64 of a PKCS #7 container"
        case .encoding(let error): ContainerFault.malformed(error.description).description
        case .malformed(let reason): "a malformed or truncated PKCS #7 container (\(reason))"
        case .notSigned: "a PKCS #7 container that is not signedData"
        case .noContent: "signedData without embedded content of type data"
        }
    }
}
