import DER
import Encodings

/// One extension of a certificate (RFC 5280, section 4.1).
public struct ExtensionContent: Sendable, Equatable {
    /// The octets inside the OBJECT IDENTIFIER.
    public var type: [UInt8]
    public var isCritical: Bool
    /// The octets inside the OCTET STRING: DER.
    public var value: [UInt8]

    public init(_ type: [UInt8], critical isCritical: Bool = false, _ value: [UInt8]) {
        self.type = type
        self.isCritical = isCritical
        self.value = value
    }

    var der: [UInt8] {
        DERWriter.element(
            .sequence,
            DERWriter.element(.objectIdentifier, type),
            isCritical ? DERWriter.element(.boolean, [0xff]) : [],
            DERWriter.element(.octetString, value))
    }
}

/// One thing to be done differently with the extensions of a certificate.
public enum ExtensionEdit: Sendable, Equatable {
    /// Leaves out every extension of this type.
    case leaveOut([UInt8])
    /// Writes this one in the place of those of its type.
    case replace(ExtensionContent)
    /// Adds one more.
    case add(ExtensionContent)
}

extension CertificateContent {
    /// The `TBSCertificate` in DER: what the issuer signs (RFC 5280, section 4.1.2).
    func toBeSigned(by issuerName: DistinguishedName, issuerKey: [UInt8], subjectKey: [UInt8]) -> [UInt8] {
        let subjectKey = publicKeyInfo ?? subjectKey
        let extensions = extensions(issuerKey, subjectKey).map(\.der)
        return DERWriter.element(
            .sequence,
            version == 3 ? DERWriter.element(.context0, DERWriter.integer(2)) : [],
            DERWriter.integer(serialNumber),
            digest.signatureAlgorithm.der,
            (issuer ?? issuerName).der,
            DERWriter.element(.sequence, time(notBefore), time(notAfter)),
            subject.der,
            subjectKey,
            version == 3
                ? DERWriter.element(.context3, DERWriter.element(DERTag.sequence.rawValue, extensions)) : [])
    }

    private func extensions(_ issuerKey: [UInt8], _ subjectKey: [UInt8]) -> [ExtensionContent] {
        let constraints =
            isAuthority
            ? DERWriter.element(.boolean, [0xff]) + (pathLength.map { DERWriter.integer($0) } ?? []) : []
        var extensions = [
            ExtensionContent(
                SampleOID.subjectKeyIdentifier, DERWriter.element(.octetString, SampleDigest.sha1.hash(subjectKey))),
            ExtensionContent(
                SampleOID.basicConstraints, critical: true, DERWriter.element(.sequence, constraints)),
            ExtensionContent(
                SampleOID.authorityKeyIdentifier,
                DERWriter.element(.sequence, DERWriter.element(0x80, [SampleDigest.sha1.hash(issuerKey)]))),
            isAuthority ? .keyUsage([.certificateSign, .revocationListSign]) : .keyUsage([.digitalSignature]),
        ]
        extensions += markers.map { ExtensionContent($0, DERWriter.null) }
        for edit in extensionEdits {
            switch edit {
            case .leaveOut(let type): extensions.removeAll { $0.type == type }
            case .replace(let other):
                for index in extensions.indices where extensions[index].type == other.type { extensions[index] = other }
            case .add(let other): extensions.append(other)
            }
        }
        return extensions
    }

    /// UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280, section 4.1.2.5).
    private func time(_ instant: Instant) -> [UInt8] {
        let digits = instant.description.utf8.filter { (0x30...0x39).contains($0) }
        let zulu: [UInt8] = [0x5a]
        guard instant >= .utc(1950), instant < .utc(2050) else {
            return DERWriter.element(.generalizedTime, digits, zulu)
        }
        return DERWriter.element(.utcTime, Array(digits.dropFirst(2)), zulu)
    }
}

/// The bits of keyUsage (RFC 5280, section 4.2.1.3).
public enum KeyUsageBit: Int, Sendable {
    case digitalSignature = 0
    case keyEncipherment = 2
    case certificateSign = 5
    case revocationListSign = 6
}

extension ExtensionContent {
    /// keyUsage, critical, with these bits.
    public static func keyUsage(_ bits: [KeyUsageBit]) -> ExtensionContent {
        let octet = bits.reduce(0 as UInt8) { $0 | 0x80 >> UInt8($1.rawValue) }
        let unused = UInt8(truncatingIfNeeded: octet.trailingZeroBitCount)
        return ExtensionContent(
            SampleOID.keyUsage, critical: true, DERWriter.element(.bitString, [unused, octet]))
    }
}
