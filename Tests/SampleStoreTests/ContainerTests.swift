import SampleStore
import Testing

struct `A signed container` {
    @Test(arguments: SampleDigest.allCases)
    func `is accepted by OpenSSL under our root at its creation date`(digest: SampleDigest) throws {
        let authority = try PrivateAuthority()
        let container = try authority.receipt(Samples.receipt, digest: digest)
        let answer = OpenSSLOracle.verify(container, root: authority.root.certificate, at: Samples.created)
        #expect(answer == .accepted(Samples.receipt.der))
    }

    @Test func `is the same whenever it is made`() throws {
        let first = try PrivateAuthority().receipt(Samples.receipt)
        let second = try PrivateAuthority().receipt(Samples.receipt)
        #expect(first == second)
    }

    @Test func `is refused under another root of the same name`() throws {
        let container = try PrivateAuthority().receipt(Samples.receipt)
        let stranger = try PrivateAuthority.rogue()
        let answer = OpenSSLOracle.verify(container, root: stranger.root.certificate, at: Samples.created)
        #expect(answer.isRefused)
    }

    @Test func `is refused when its content was changed after signing`() throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Samples.receipt)
        container.content = Samples.receipt.with { $0.bundleID = "com.example.motes" }.der
        let answer = OpenSSLOracle.verify(container.encoded, root: authority.root.certificate, at: Samples.created)
        #expect(answer.isRefused)
    }
}

struct `A departure from the strict form` {
    @Test(arguments: ContainerVariant.allCases)
    func `is accepted or refused by OpenSSL as expected`(deviation: ContainerVariant) throws {
        let authority = try PrivateAuthority()
        let content = Samples.receipt.der
        let container = try deviation.container(signing: content, by: authority)
        let answer = OpenSSLOracle.verify(container, root: authority.root.certificate, at: Samples.created)
        switch deviation {
        case .noDigestAlgorithm, .digestMismatch, .noCertificates, .noLeaf, .wrongIssuer, .wrongSerialNumber, .detached,
            .noSignerInfo:
            #expect(answer.isRefused, "\(answer)")
        case .leftOverInside, .leftOverBehind, .truncated: #expect(answer == .unreadable)
        case .dataKind, .envelopedKind: #expect(answer == .notSigned)
        default: #expect(answer == .accepted(content), "\(answer)")
        }
    }

    @Test(arguments: ContainerVariant.allCases)
    func `changes the bytes`(deviation: ContainerVariant) throws {
        let authority = try PrivateAuthority()
        let container = try deviation.container(signing: Samples.receipt.der, by: authority)
        #expect(try container != authority.receipt(Samples.receipt))
    }

    @Test func `is what Xcode writes`() throws {
        let receipt = try XcodeReceipt.bytes(Samples.receipt)
        #expect(receipt.starts(with: [0x30, 0x80]))
        let authority = try PrivateAuthority()
        let answer = OpenSSLOracle.verify(receipt, root: authority.root.certificate, at: Samples.created)
        #expect(answer.isRefused)
    }
}
