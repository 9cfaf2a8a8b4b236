import Dispatch
import Encodings
import SampleStore
import Synchronization
import Testing

struct `A private authority` {
    @Test func `marks its certificates as Apple does`() throws {
        let authority = try PrivateAuthority()
        let leaf = OpenSSLOracle.text(of: authority.leaf.certificate)
        let intermediate = OpenSSLOracle.text(of: authority.intermediates[0].certificate)
        #expect(leaf.contains("1.2.840.113635.100.6.11.1") && !leaf.contains("CA:TRUE"))
        #expect(intermediate.contains("1.2.840.113635.100.6.2.1") && intermediate.contains("CA:TRUE, pathlen:0"))
    }

    @Test func `says the dates that it was given, from either side of 2050`() throws {
        let identity = try SampleIdentity(
            selfSigned: .root.with {
                $0.notBefore = .utc(1999, 12, 31)
                $0.notAfter = .utc(2051, 2, 3)
            })
        let text = OpenSSLOracle.text(of: identity.certificate)
        #expect(text.contains("Not Before: Dec 31 00:00:00 1999 GMT"))
        #expect(text.contains("Not After : Feb  3 00:00:00 2051 GMT"))
    }

    @Test func `signs with the digest and the key that it was told`() throws {
        let identity = try SampleIdentity(
            selfSigned: .root.with {
                $0.key = .small
                $0.digest = .sha1
            })
        let text = OpenSSLOracle.text(of: identity.certificate)
        #expect(text.contains("Signature Algorithm: sha1WithRSAEncryption"))
        #expect(text.contains("(1024 bit)"))
    }

    @Test(arguments: SampleKey.allCases)
    func `has keys that can be read`(key: SampleKey) throws {
        let signing = try SigningKey(key)
        #expect(signing.curve == key.curve)
        if let curve = key.curve {
            #expect(try signing.curveSignature(over: [1], digest: .sha256).octets.count == 2 * curve.octetCount)
        } else {
            #expect(try signing.signature(over: [1], digest: .sha256).count == (key == .small ? 128 : 256))
        }
    }

    @Test func `signs the same on all threads at once`() throws {
        let key = try SigningKey(.leaf)
        let expected = try key.signature(over: Array("receipt".utf8), digest: .sha256)
        let equal = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if (try? key.signature(over: Array("receipt".utf8), digest: .sha256)) == expected {
                equal.add(1, ordering: .relaxed)
            }
        }
        #expect(equal.load(ordering: .relaxed) == 64)
    }
}

struct `OpenSSL, which knows no markers` {
    let authority: PrivateAuthority

    init() throws { authority = try PrivateAuthority() }

    @Test func `accepts a developer's certificate under the same root`() throws {
        #expect(try answer(to: .developer()).isAccepted)
    }

    @Test func `accepts a chain of four`() throws {
        #expect(try answer(to: .chainOfFour()).isAccepted)
    }

    @Test func `accepts a leaf without the marker`() throws {
        #expect(try answer(to: PrivateAuthority(leaf: .leaf.with { $0.markers = [] })).isAccepted)
    }

    @Test func `refuses a leaf that ended before the creation date`() throws {
        let expired = try PrivateAuthority(leaf: .leaf.with { $0.notAfter = .utc(2024, 2, 29) })
        #expect(try answer(to: expired).description.contains("certificate has expired"))
    }

    @Test func `refuses an intermediate that ended before the creation date`() throws {
        let expired = try PrivateAuthority(intermediates: [.intermediate.with { $0.notAfter = .utc(2024, 2, 29) }])
        #expect(try answer(to: expired).description.contains("certificate has expired"))
    }

    @Test func `refuses a certificate that names another issuer than it has`() throws {
        let misnamed = try PrivateAuthority(leaf: .leaf.with { $0.issuer = DistinguishedName("Nobody") })
        #expect(try answer(to: misnamed).isRefused)
    }

    private func answer(to signer: PrivateAuthority) throws -> OpenSSLOracle.Answer {
        OpenSSLOracle.verify(
            try signer.receipt(Samples.receipt), root: authority.root.certificate, at: Samples.created)
    }
}
