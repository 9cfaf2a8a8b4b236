import DER
import Encodings
import FoundationEssentials
import SampleStore
import Testing

struct `An authority of tokens` {
    let authority: TokenAuthority

    init() throws { authority = try TokenAuthority() }

    @Test func `has the keys, markers and signatures that Apple's has`() {
        let texts = authority.certificates.map { OpenSSLOracle.text(of: $0) }
        #expect(texts.count == 3)
        for text in texts { #expect(text.components(separatedBy: "ecdsa-with-SHA384").count == 3) }
        #expect(texts[0].contains("NIST CURVE: P-256") && texts[1].contains("NIST CURVE: P-256"))
        #expect(texts[2].contains("NIST CURVE: P-384"))
        #expect(texts[0].contains("1.2.840.113635.100.6.11.1") && texts[0].contains("Digital Signature"))
        #expect(texts[1].contains("1.2.840.113635.100.6.2.1") && texts[1].contains("CA:TRUE, pathlen:0"))
        #expect(texts[2].contains("CA:TRUE") && !texts[2].contains("pathlen"))
    }

    @Test func `is the same bytes each time`() throws {
        func octets(_ authority: TokenAuthority) throws -> [UInt8] {
            try authority.certificates.flatMap { $0 } + authority.token(octets: Array("{}".utf8)).encoded
        }
        #expect(try octets(authority) == octets(TokenAuthority()))
        let hash = try SampleDigest.sha256.hash(octets(authority))
        #expect(Hex.string(hash.span) == "53682116e61d3e5ed093f263470cb2f954230b19926d6ce2e3c0ea731616e974")
    }

    @Test func `issues chains that OpenSSL accepts, apart from those that are wrong`() throws {
        #expect(try answer(to: authority).isAccepted)
        #expect(try answer(to: .developer()).isAccepted)
        #expect(try answer(to: .chainOfTwo()).isAccepted)
        #expect(try answer(to: .chainOfFour()).isAccepted)
        #expect(try answer(to: .leaf(.tokenLeaf384)).isAccepted)
        #expect(try answer(to: .leaf(.leaf)).isAccepted)
        #expect(try answer(to: .expired(at: .utc(2018))).description == "refused: certificate has expired")
        #expect(try answer(to: .rogue()).isRefused)
    }

    @Test(arguments: [SampleKey.tokenLeaf, .tokenLeaf384, .leaf])
    func `signs tokens with the key of its leaf`(key: SampleKey) throws {
        let authority = try TokenAuthority.leaf(key)
        let token = try authority.token(octets: Array(#"{"transactionId":"1"}"#.utf8))
        let parts = token.text.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        var signature = token.signature.octets
        if let curve = key.curve {
            #expect(signature.count == 2 * curve.octetCount)
            signature = ECDSASignature(octets: signature, curve: curve).der
        }
        #expect(
            OpenSSLOracle.verify(
                signature, over: signed, key: authority.leaf.key.publicKeyInfo, digest: key.curve?.digest ?? .sha256))
    }

    @Test func `writes a header of exactly two members, and certificates in standard base64`() throws {
        let token = try authority.token(octets: [])
        let certificates = authority.certificates.map { "\"\(Data($0).base64EncodedString())\"" }
        #expect(
            String(decoding: token.header.octets, as: UTF8.self)
                == #"{"alg":"ES256","x5c":["# + certificates.joined(separator: ",") + "]}")
    }

    private func answer(to signer: TokenAuthority) throws -> OpenSSLOracle.Answer {
        OpenSSLOracle.verify(
            chain: signer.certificates.dropLast(), root: authority.root.certificate, at: Samples.created)
    }
}

struct `The form of a token` {
    let authority: TokenAuthority

    init() throws { authority = try TokenAuthority() }

    @Test func `is unpadded base64url, unless it is altered`() throws {
        let octets: [UInt8] = [0xfb, 0xff, 0xfe, 0xfb]
        let part = TokenSegment(octets)
        #expect(part.text == "-__--w")
        #expect(part.with { $0.isURLSafe = false }.text == "+//++w")
        #expect(part.with { $0.paddingCount = $0.fullPaddingCount }.text == "-__--w==")
        #expect(part.with { $0.hasStrayBits = true }.text == "-__--_")
        #expect(TokenSegment([0xfb, 0xff]).with { $0.hasStrayBits = true }.text == "-__")
        #expect(TokenSegment([1, 2, 3]).with { $0.hasStrayBits = true }.text == "AQID")
    }

    @Test func `is signed as it is written`() throws {
        let form = TokenForm().with {
            $0.headerPart = { $0.paddingCount = $0.fullPaddingCount }
            $0.payloadPart = { $0.hasStrayBits = true }
            $0.headerEdits = [.add("kid", .text("1"))]
            $0.headerSpace = " \t"
        }
        let token = try authority.token(octets: Array("{}".utf8), as: form)
        #expect(String(decoding: token.header.octets, as: UTF8.self).hasPrefix(" \t{ \t\"alg\" \t: \t\"ES256\" \t, \t"))
        let signature = ECDSASignature(octets: token.signature.octets, curve: .p256)
        let signed = Array("\(token.header.text).\(token.payload.text)".utf8)
        #expect(
            OpenSSLOracle.verify(signature.der, over: signed, key: authority.leaf.key.publicKeyInfo, digest: .sha256))
    }

    @Test func `can have a signature of every kind`() throws {
        let octets = Array("{}".utf8)
        func signature(_ signature: TokenSignature) throws -> [UInt8] {
            try authority.token(octets: octets, as: TokenForm().with { $0.signature = signature }).signature.octets
        }
        let issued = try signature(.issued)
        let low = try signature(.numbers { $0.withLowS.octets })
        let high = try signature(.numbers { $0.withHighS.octets })
        #expect(low != high && [low, high].contains(issued))
        #expect(try signature(.numbers(\.der)).first == 0x30)
        #expect(try signature(.octets([])).isEmpty)
        #expect(try signature(.hmac(key: authority.leaf.key.publicKeyInfo)).count == 32)
    }
}

struct `A device verification` {
    /// Python: hashlib.sha384(b"…").
    @Test func `is SHA-384 of nonce and id in lower case`() {
        let verification = DeviceVerification(
            nonce: "0B5EB5F1-8CB3-4C5C-8B7B-000000000001", deviceID: "7F3A9C1E-2D4B-4E6F-8A90-000000000002")
        #expect(
            Hex.string(verification.hash.span)
                == "ef38ff89182e38c1a9e82a4c4470a854ad97dee350e60779d32066ac41b1c6524da068dad704889ec8a8c9ffcc2fdf4d")
    }
}
