import DER

/// One way in which a container departs from the strict form, while its content stays signed as it was.
///
/// Each is the smallest change that makes the departure. ``verdict`` says what an auditor must find.
public enum ContainerDeviation: String, CaseIterable, Sendable {
    case parametersAbsent = "algorithm parameters absent instead of NULL"

    case otherVersion = "a SignedData version other than 1"
    case otherSignerVersion = "a SignerInfo version other than 1"
    case twoDigestAlgorithms = "one more digest algorithm"
    case indefiniteLengths = "indefinite lengths and the content in pieces, as Xcode writes"
    case constructedContent = "the content in pieces, with definite lengths"
    case longLengths = "lengths that are not the shortest"
    case revocationLists = "a field of revocation lists"
    case certificateTwice = "a certificate twice"
    case twoSignerInfos = "the same SignerInfo twice"
    case signedAttributes = "signed attributes, with a signature that holds over them"
    case unsignedAttributes = "an unsigned attribute"
    case leftOverBehind = "a byte behind the container"

    case namedSignatureAlgorithm = "sha256WithRSAEncryption where rsaEncryption stands"
    case otherSignatureAlgorithm = "another signature algorithm"
    case noDigestAlgorithm = "no digest algorithm"
    case digestMismatch = "another digest algorithm in the SignerInfo"
    case unrelatedCertificate = "one certificate more than the chain needs"
    case alteredRoot = "a bit flipped in the root that the container carries"

    case noCertificates = "no certificates"
    case noLeaf = "no certificate of the signer's"
    case wrongIssuer = "another issuer in the SignerInfo"
    case wrongSerialNumber = "another serial number in the SignerInfo"

    case detached = "no content"
    case otherContentType = "a content that is not data"
    case noSignerInfo = "no SignerInfo"
    case leftOverInside = "an element too many inside the SignedData"
    case truncated = "the last byte cut off"
    case dataKind = "PKCS #7 of the kind data"
    case envelopedKind = "PKCS #7 of the kind envelopedData"

    /// What an auditor must find.
    public enum Verdict: Sendable, Equatable {
        /// Nothing: this too is the strict form.
        case canonical
        /// This check fails; others may not be possible.
        case fails(Check)
        /// Never valid; whether for its form, its signature or its structure, is for the auditor to say.
        case notValid
    }

    /// The checks that can fail for a container's form alone.
    public enum Check: String, Sendable {
        case malformedContainer = "malformed-container"
        case notSigned = "not-signed"
        case noContent = "no-content"
        case noncanonical = "noncanonical-container"
        case signerNotFound = "signer-not-found"
    }

    public var verdict: Verdict {
        switch self {
        case .parametersAbsent: .canonical
        case .otherVersion, .otherSignerVersion, .twoDigestAlgorithms, .indefiniteLengths, .constructedContent,
            .longLengths, .revocationLists, .certificateTwice, .twoSignerInfos, .unsignedAttributes,
            .leftOverBehind, .namedSignatureAlgorithm, .noDigestAlgorithm:
            .fails(.noncanonical)
        case .signedAttributes, .otherSignatureAlgorithm, .digestMismatch, .unrelatedCertificate, .alteredRoot,
            .noSignerInfo, .leftOverInside:
            .notValid
        case .noCertificates, .noLeaf, .wrongIssuer, .wrongSerialNumber: .fails(.signerNotFound)
        case .detached, .otherContentType: .fails(.noContent)
        case .truncated: .fails(.malformedContainer)
        case .dataKind, .envelopedKind: .fails(.notSigned)
        }
    }
}
