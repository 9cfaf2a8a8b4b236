import Checks
import DER
import Proofs

/// The one encoding of a container, written again from what was read of it and from nothing else.
///
/// A valid container that differs from it holds bytes that nobody signed and nobody looked at.
enum CanonicalContainer {
    static func isCanonical(_ bytes: [UInt8], _ facts: Facts) -> Bool {
        guard let signature = facts.signature, let algorithm = signature.digestAlgorithm,
            let leaf = signature.chain.certificates.first, let name = issuerAndSerialNumber(of: leaf),
            let verifier = try? SignatureVerifier(trust: Settings.trust()),
            let contents = try? verifier.contents(of: bytes.span),
            Set(contents.certificates).isSubset(of: signature.chain.certificates)
        else { return false }
        let digest = algorithm == .sha1 ? sha1 : sha256
        for size in [128, 256, 384, 512] where size < bytes.count {
            for parameters in 0..<8 {
                let written = container(
                    contents, name, digest, signature: Array(bytes.suffix(size)),
                    hasNull: (0..<3).map { parameters >> $0 & 1 == 1 })
                if written == bytes { return true }
            }
        }
        return false
    }

    /// - Parameter hasNull: whether the parameters of the three AlgorithmIdentifiers are NULL, or absent.
    private static func container(
        _ contents: ContainerContents, _ name: [UInt8], _ digest: [UInt8], signature: [UInt8], hasNull: [Bool]
    ) -> [UInt8] {
        let algorithm = { (oid: [UInt8], null: Bool) in
            DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, oid), null ? DERWriter.null : [])
        }
        let encapsulated = DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, data),
            DERWriter.element(.context0, DERWriter.element(.octetString, contents.content)))
        let signerInfo = DERWriter.element(
            .sequence, DERWriter.integer(1), DERWriter.element(.sequence, name), algorithm(digest, hasNull[1]),
            algorithm(rsaEncryption, hasNull[2]), DERWriter.element(.octetString, signature))
        let signedData = DERWriter.element(
            .sequence, DERWriter.integer(1), DERWriter.element(.set, algorithm(digest, hasNull[0])), encapsulated,
            DERWriter.element(0xa0, contents.certificates), DERWriter.element(.set, signerInfo))
        return DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, signedDataType), DERWriter.element(.context0, signedData))
    }

    /// The Name and the INTEGER by which a SignerInfo names a certificate (RFC 5652, section 5.3). Read here and not by
    /// the product, whose mistakes it must not repeat.
    private static func issuerAndSerialNumber(of certificate: [UInt8]) -> [UInt8]? {
        guard let outermost = Element(certificate, at: 0), let signed = Element(certificate, at: outermost.contents),
            var serial = Element(certificate, at: signed.contents)
        else { return nil }
        if certificate[serial.start] == 0xa0 {
            guard let behindVersion = Element(certificate, at: serial.end) else { return nil }
            serial = behindVersion
        }
        guard let algorithm = Element(certificate, at: serial.end),
            let issuer = Element(certificate, at: algorithm.end)
        else { return nil }
        return Array(certificate[issuer.start..<issuer.end] + certificate[serial.start..<serial.end])
    }

    /// The position of an element of DER.
    private struct Element {
        let start: Int
        let contents: Int
        let end: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 1 < bytes.count else { return nil }
            let first = Int(bytes[start + 1])
            let octets = first < 0x80 ? 0 : first - 0x80
            guard octets <= 4, start + 2 + octets <= bytes.count else { return nil }
            self.start = start
            contents = start + 2 + octets
            end = contents + (octets == 0 ? first : bytes[start + 2..<contents].reduce(0) { $0 << 8 | Int($1) })
            guard end <= bytes.count else { return nil }
        }
    }

    // 1.2.840.113549.1.7.2, 1.2.840.113549.1.7.1, 1.2.840.113549.1.1.1, 1.3.14.3.2.26, 2.16.840.1.101.3.4.2.1
    private static let pkcs: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01]
    private static let signedDataType = pkcs + [0x07, 0x02]
    private static let data = pkcs + [0x07, 0x01]
    private static let rsaEncryption = pkcs + [0x01, 0x01]
    private static let sha1: [UInt8] = [0x2b, 0x0e, 0x03, 0x02, 0x1a]
    private static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
}
