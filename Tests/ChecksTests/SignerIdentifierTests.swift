import DER
import SampleStore
import Testing

@testable import Checks

/// A genuine receipt whose SignerInfo names the signer in another way than by issuer and serial number.
struct `A signer identifier` {
    private let authority: PrivateAuthority

    init() throws { authority = try PrivateAuthority() }

    private var issuer: [UInt8] { authority.leaf.issuerName.der }
    private var serialNumber: [UInt8] { DERWriter.integer(authority.leaf.content.serialNumber) }
    private var keyIdentifier: [UInt8] {
        DERWriter.element(.keyIdentifier, SampleDigest.sha1.hash(authority.leaf.key.publicKeyInfo))
    }
    private var anything: [UInt8] { DERWriter.element(.octetString, Array(repeating: 0x5a, count: 1000)) }

    @Test func `of issuer and serial number is the canonical one`() throws {
        #expect(try codes(DERWriter.element(.sequence, issuer, serialNumber)) == "")
    }

    @Test func `in which a subjectKeyIdentifier stands for issuer and serial number is none`() throws {
        for rest in [[], anything, serialNumber, [0xff]] {
            #expect(try codes(DERWriter.element(.sequence, keyIdentifier, rest)) == "malformed-container")
        }
    }

    @Test func `of issuer, serial number and anything else is none`() throws {
        #expect(try codes(DERWriter.element(.sequence, issuer, serialNumber, anything)) == "malformed-container")
        #expect(try codes(DERWriter.element(.sequence, issuer, anything, serialNumber)) == "malformed-container")
        #expect(try codes(DERWriter.element(.sequence, issuer)) == "malformed-container")
    }

    @Test func `whose serial number is not in its shortest form is none`() throws {
        let long = DERWriter.element(.integer, [0] + serialNumber.dropFirst(2))
        #expect(try codes(DERWriter.element(.sequence, issuer, long)) == "malformed-container")
    }

    @Test func `that is a subjectKeyIdentifier, in one piece or several, is not canonical`() throws {
        #expect(try codes(keyIdentifier) == "noncanonical-container")
        let inPieces = DERWriter.element(.context0, [DERTag.octetString.rawValue] + keyIdentifier.dropFirst())
        #expect(try codes(inPieces) == "noncanonical-container")
    }

    @Test func `that is a subjectKeyIdentifier of nobody names nobody`() throws {
        let codes = try codes(DERWriter.element(.keyIdentifier, Array(repeating: 1, count: 20)))
        #expect(codes == "noncanonical-container;signer-not-found")
    }

    @Test func `that is a subjectKeyIdentifier is not the same octets as issuer and serial number`() throws {
        let codes = try codes(DERWriter.element(.keyIdentifier, issuer, serialNumber))
        #expect(codes == "noncanonical-container;signer-not-found")
    }

    /// The codes of the sample receipt with this SignerIdentifier.
    private func codes(_ identifier: [UInt8]) throws -> String {
        var container = try authority.sign(Samples.receipt)
        container.signerInfos[0].identifier = identifier
        return try Samples.checker(trusting: authority.root.certificate).codes(container.encoded)
    }
}
