import DER
import Encodings

extension CertificateContent {
    /// The `TBSCertificate` in DER: what the issuer signs (RFC 5280, section 4.1.2).
    func toBeSigned(by issuerName: DistinguishedName, issuerKey: [UInt8], subjectKey: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence,
            DERWriter.element(.context0, DERWriter.integer(2)),  // version 3
            DERWriter.integer(serialNumber),
            digest.signatureAlgorithm.der,
            (issuer ?? issuerName).der,
            DERWriter.element(.sequence, time(notBefore), time(notAfter)),
            subject.der,
            subjectKey,
            DERWriter.element(.context3, DERWriter.element(DERTag.sequence.rawValue, extensions(issuerKey, subjectKey)))
        )
    }

    private func extensions(_ issuerKey: [UInt8], _ subjectKey: [UInt8]) -> [[UInt8]] {
        let constraints =
            isAuthority
            ? DERWriter.element(.boolean, [0xff]) + (pathLength.map { DERWriter.integer($0) } ?? []) : []
        // keyCertSign and cRLSign, or digitalSignature
        let usage: [UInt8] = isAuthority ? [0x01, 0x06] : [0x07, 0x80]
        return [
            extensionElement(
                SampleOID.subjectKeyIdentifier,
                DERWriter.element(.octetString, SampleDigest.sha1.hash(subjectKey))),
            extensionElement(
                SampleOID.basicConstraints, critical: true, DERWriter.element(.sequence, constraints)),
            extensionElement(
                SampleOID.authorityKeyIdentifier,
                DERWriter.element(.sequence, DERWriter.element(0x80, [SampleDigest.sha1.hash(issuerKey)]))),
            extensionElement(SampleOID.keyUsage, critical: true, DERWriter.element(.bitString, usage)),
        ] + markers.map { extensionElement($0, DERWriter.null) }
    }

    private func extensionElement(_ type: [UInt8], critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        DERWriter.element(
            .sequence,
            DERWriter.element(.objectIdentifier, type),
            critical ? DERWriter.element(.boolean, [0xff]) : [],
            DERWriter.element(.octetString, value))
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
