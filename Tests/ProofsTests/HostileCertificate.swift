import DER
import SampleStore

@testable import Proofs

/// A certificate that nobody signed, with anything in it that a forger may choose.
struct HostileCertificate {
    /// Names in DER.
    var issuer = name("Nobody")
    var subject = name("Nobody")
    var serialNumber = 7
    /// The SubjectPublicKeyInfo in DER.
    var publicKeyInfo = rsaKey(bits: 2048, exponent: [1, 0, 1])
    /// The AlgorithmIdentifier in DER, in both places.
    var algorithm = algorithm(ObjectIdentifier.sha256WithRSA)
    var signature = [UInt8](repeating: 0x5a, count: 256)

    var der: [UInt8] { with(signature) }

    /// The same, signed after all, with SHA-256 and RSA.
    func signed(by issuer: SampleIdentity) throws -> [UInt8] {
        with(try issuer.key.signature(over: toBeSigned, digest: .sha256))
    }

    private var toBeSigned: [UInt8] {
        let validity = ["200101000000Z", "400101000000Z"].map { DERWriter.element(.utcTime, Array($0.utf8)) }
        return DERWriter.element(
            .sequence, DERWriter.element(.context0, DERWriter.integer(2)), DERWriter.integer(serialNumber), algorithm,
            issuer, DERWriter.element(DERTag.sequence.rawValue, validity), subject, publicKeyInfo)
    }

    private func with(_ signature: [UInt8]) -> [UInt8] {
        DERWriter.element(.sequence, toBeSigned, algorithm, DERWriter.element(.bitString, [0], signature))
    }

    /// The SignerIdentifier that names it.
    var identifier: [UInt8] { DERWriter.element(.sequence, issuer, DERWriter.integer(serialNumber)) }

    static func name(_ commonName: String) -> [UInt8] {
        let attribute = DERWriter.element(
            .sequence, DERWriter.element(.objectIdentifier, [0x55, 0x04, 0x03]), DERWriter.utf8String(commonName))
        return DERWriter.element(.sequence, DERWriter.element(.set, attribute))
    }

    static func algorithm(_ identifier: [UInt8], parameters: [UInt8] = DERWriter.null) -> [UInt8] {
        DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, identifier), parameters)
    }

    /// An RSA public key whose private half nobody knows.
    static func rsaKey(bits: Int, exponent: [UInt8]) -> [UInt8] {
        let key = DERWriter.element(
            .sequence, DERWriter.element(.integer, [0] + Array(repeating: 0xfb, count: bits / 8)),
            DERWriter.element(.integer, (exponent[0] < 0x80 ? [] : [0]) + exponent))
        return DERWriter.element(
            .sequence, algorithm(ObjectIdentifier.rsaEncryption), DERWriter.element(.bitString, [0], key))
    }

    /// A key of ECDSA on P-256 (RFC 5480), which need not be on the curve.
    static var ecdsaKey: [UInt8] {
        let curve = DERWriter.element(.objectIdentifier, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
        return DERWriter.element(
            .sequence, algorithm([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], parameters: curve),
            DERWriter.element(.bitString, [0, 4], Array(repeating: 3, count: 64)))
    }
}
