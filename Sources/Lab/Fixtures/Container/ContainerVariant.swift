import DER

/// One deviation of a container from the strict form, with the content signed unchanged.
///
/// Each is the smallest change with this effect. ``verdict`` is the expected result of an audit.
public enum ContainerVariant: String, CaseIterable, Sendable {
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

    /// The expected result of an audit.
    public enum Verdict: Sendable, Equatable {
        /// No check fails: this is also the strict form.
        case canonical
        /// This check fails; others may be impossible to run.
        case fails(Forgery)
        /// The container is not valid, because of its form, its signature or its structure.
        case notValid
    }

    public var verdict: Verdict {
        switch self {
        case .parametersAbsent: .canonical
        case .otherVersion, .otherSignerVersion, .twoDigestAlgorithms, .indefiniteLengths, .constructedContent,
            .longLengths, .revocationLists, .certificateTwice, .twoSignerInfos, .unsignedAttributes,
            .leftOverBehind, .namedSignatureAlgorithm, .noDigestAlgorithm:
            .fails(.noncanonicalContainer)
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

extension ContainerVariant {
    /// Makes a container that signs `content` with only this deviation from the strict form.
    public func container(
        signing content: [UInt8], by authority: PrivateAuthority, digest: SampleDigest = .sha256
    ) throws(SigningError) -> [UInt8] {
        switch self {
        case .dataKind: return SignedDataContent.data(content)
        case .envelopedKind: return Self.enveloped(content)
        default: break
        }
        var container = try SignedDataContent(signing: content, by: authority, digest: digest)
        if case .signedAttributes = self {
            container.signerInfos = [try .withSignedAttributes(over: content, by: authority.leaf, digest: digest)]
        } else if case .unrelatedCertificate = self {
            container.certificates.append(try authority.root.issue(.subordinate).certificate)
        } else {
            change(&container, of: authority, digest)
            for index in container.signerInfos.indices { change(&container.signerInfos[index], digest) }
        }
        switch self {
        case .leftOverBehind: return container.encoded + [0x2a]
        case .truncated: return container.encoded.dropLast()
        default: return container.encoded
        }
    }

    /// Changes the SignedData.
    private func change(
        _ container: inout SignedDataContent, of authority: PrivateAuthority, _ digest: SampleDigest
    ) {
        switch self {
        case .parametersAbsent: container.digestAlgorithms[0].parameters = nil
        case .otherVersion: container.version = 3
        case .twoDigestAlgorithms: container.digestAlgorithms.append(digest.other.algorithm)
        case .noDigestAlgorithm: container.digestAlgorithms = []
        case .indefiniteLengths: container.encoding = .indefinite(pieces: 1000)
        case .constructedContent: container.encoding = .constructed(pieces: 1000)
        case .longLengths: container.encoding = .longLengths
        case .revocationLists: container.crls = [Self.emptyRevocationList(of: authority)]
        case .certificateTwice: container.certificates.append(authority.root.certificate)
        case .twoSignerInfos: container.signerInfos += container.signerInfos
        case .leftOverInside: container.leftOver = DERWriter.null
        case .alteredRoot: container.certificates = Self.flippingLastBit(of: container.certificates)
        case .noCertificates: container.certificates = []
        case .noLeaf: container.certificates.removeFirst()
        case .detached: container.content = nil
        case .otherContentType: container.contentType = SampleOID.timestampInfo
        case .noSignerInfo: container.signerInfos = []
        default: break
        }
    }

    /// Changes a SignerInfo.
    private func change(_ info: inout SignerInfoContent, _ digest: SampleDigest) {
        switch self {
        case .parametersAbsent:
            info.digestAlgorithm.parameters = nil
            info.signatureAlgorithm.parameters = nil
        case .otherSignerVersion: info.version = 3
        case .unsignedAttributes:
            info.unsignedAttributes = [
                SignerInfoContent.attribute(SampleOID.signingDescription, DERWriter.utf8String("a note"))
            ]
        case .namedSignatureAlgorithm: info.signatureAlgorithm = digest.signatureAlgorithm
        case .otherSignatureAlgorithm: info.signatureAlgorithm = AlgorithmContent(SampleOID.rsassaPSS)
        case .digestMismatch: info.digestAlgorithm = digest.other.algorithm
        case .wrongIssuer: info.issuer = DistinguishedName("Nobody").der
        case .wrongSerialNumber: info.serialNumber &+= 1
        default: break
        }
    }

    private static func flippingLastBit(of certificates: [[UInt8]]) -> [[UInt8]] {
        guard var root = certificates.last, let last = root.indices.last else { return certificates }
        root[last] ^= 1
        return certificates.dropLast() + [root]
    }

    /// Returns an `EnvelopedData` without recipients (RFC 2315, section 10.1), which OpenSSL reads.
    private static func enveloped(_ content: [UInt8]) -> [UInt8] {
        // 2.16.840.1.101.3.4.1.2, id-aes128-CBC (RFC 3565), with its initialization vector.
        let aes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02]
        let vector = DERWriter.element(.octetString, [UInt8](repeating: 0, count: 16))
        return SignedDataContent.other(
            SampleOID.envelopedData,
            DERWriter.element(
                .sequence,
                DERWriter.integer(0),
                DERWriter.element(.set),
                DERWriter.element(
                    .sequence,
                    DERWriter.element(.objectIdentifier, ObjectIdentifier.data),
                    AlgorithmContent(aes, parameters: vector).der,
                    DERWriter.element(0x80, [content]))))
    }

    /// Returns a `CertificateList` without entries (RFC 5280, section 5.1), with an unchecked signature.
    private static func emptyRevocationList(of authority: PrivateAuthority) -> [UInt8] {
        let algorithm = SampleDigest.sha256.signatureAlgorithm.der
        let toBeSigned = DERWriter.element(
            .sequence, DERWriter.integer(1), algorithm, authority.root.content.subject.der,
            DERWriter.element(.utcTime, Array("190101000000Z".utf8)))
        return DERWriter.element(
            .sequence, toBeSigned, algorithm,
            DERWriter.element(.bitString, [0], [UInt8](repeating: 0x5a, count: 256)))
    }
}

extension SampleDigest {
    /// SHA-256 for SHA-1, SHA-1 for the others.
    var other: SampleDigest { self == .sha1 ? .sha256 : .sha1 }
}
