public import DER

/// The first thing in a container that is not in the one strict form that Apple writes.
///
/// A container that deviates is never valid, even if a lenient decoder can read it: what Apple
/// does not write is a forger's freedom.
public enum ContainerDeviation: Error, Equatable, Sendable {
    /// Not DER, or another element than the one that belongs here.
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
    /// More certificates than any chain of Apple's has.
    case tooManyCertificates
    /// A certificate several times the size of any of Apple's.
    case oversizedCertificate
    /// The same certificate twice.
    case duplicateCertificate
    /// A certificate that is not part of the signer's chain.
    case unrelatedCertificate
    /// A certificate whose outer fields, which nothing signs, are not as its inner ones demand.
    case certificateShell

    /// What has no place in a container of Apple's.
    public enum ContainerExtra: String, Sendable {
        case revocationLists = "certificate revocation lists"
        case signedAttributes = "signed attributes"
        case unsignedAttributes = "unsigned attributes"
        case secondSigner = "a second SignerInfo"
    }
}

extension ContainerDeviation {
    /// The same deviation in bytes that stand behind so many others.
    func moved(by offset: Int) -> ContainerDeviation {
        guard case .encoding(let error) = self else { return self }
        return .encoding(error.moved(by: offset))
    }
}

extension ContainerDeviation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let error): error.description
        case .version(let version): "version \(version) where 1 belongs"
        case .contentType: "an unexpected content type"
        case .digestAlgorithm: "not exactly one digest algorithm, SHA-1 or SHA-256, the same for the signer"
        case .algorithmParameters: "algorithm parameters that are neither NULL nor absent"
        case .signatureAlgorithm: "a signature algorithm other than rsaEncryption"
        case .noCertificates: "no certificates"
        case .unexpected(let extra): extra.rawValue
        case .tooManyCertificates: "more than \(CertificateBag.limit) certificates"
        case .oversizedCertificate: "a certificate of more than \(CertificateBag.sizeLimit) bytes"
        case .duplicateCertificate: "the same certificate twice"
        case .unrelatedCertificate: "a certificate that is not part of the signer's chain"
        case .certificateShell: "a certificate whose unsigned fields were altered"
        }
    }
}
