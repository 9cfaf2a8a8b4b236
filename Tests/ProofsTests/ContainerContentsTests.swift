import SampleStore
import Testing

@testable import Proofs

struct `The contents of a container` {
    @Test(arguments: [ContainerEncoding.der, .indefinite(pieces: 100)])
    func `are read in any encoding`(encoding: ContainerEncoding) throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(receipt)
        container.encoding = encoding
        let contents = try verifier().contents(of: container.encoded.span)
        #expect(contents.content == receipt.der)
        #expect(contents.certificates == authority.certificates)
    }

    @Test func `are none where there is no container`() throws {
        let verifier = try verifier()
        #expect(throws: ContainerFault.notPKCS7) { try verifier.contents(of: [0x30, 0x00].span) }
    }

    private var receipt: ReceiptContent {
        ReceiptContent(
            bundleID: "com.example.notes", device: .vendorIdentifier(Array(0...15)), createdAt: .utc(2024, 3, 1))
    }

    private func verifier() throws -> SignatureVerifier { try SignatureVerifier(trust: .apple()) }
}

struct `The description of a certificate` {
    @Test func `says what a person wants to know of it`() throws {
        let root = try PrivateAuthority().root.certificate
        let verifier = try SignatureVerifier(trust: .apple())
        let description = try verifier.description(ofCertificate: root.span)
        #expect(description.subjectName == "Sample Store Root CA")
        #expect(description.issuerName == "Sample Store Root CA")
        #expect(description.isSelfIssued)
        #expect(description.publicKey == "RSA-2048")
        #expect(description.signatureAlgorithm == "sha256WithRSAEncryption")
        #expect(description.fingerprint.utf8.count == 64)
    }

    @Test(arguments: [
        ("CN=Apple Root CA,OU=Apple Certification Authority,O=Apple Inc.,C=US", "Apple Root CA"),
        ("C=US,O=Apple Inc.,CN=Receipt Signing", "Receipt Signing"),
        ("CN=Notes\\, and more,O=Example", "Notes, and more"),
        ("O=CN=not this,CN=this", "this"),
        ("O=Example", "O=Example"),
        ("CN=backslash\\\\,O=Example", "backslash\\"),
        ("", ""),
    ])
    func `knows the common name`(name: String, commonName: String) {
        #expect(CertificateDescription.commonName(of: name) == commonName)
    }
}
