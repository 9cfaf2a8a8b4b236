import DER
import Encodings
import FoundationEssentials
import SampleStore
import Testing

struct `An authority of tokens` {
    let authority: TokenAuthority

    init() throws { authority = try TokenAuthority() }

    @Test func `is the same bytes each time`() throws {
        func octets(_ authority: TokenAuthority) throws -> [UInt8] {
            try authority.certificates.flatMap { $0 } + authority.token(octets: Array("{}".utf8)).encoded
        }
        #expect(try octets(authority) == octets(TokenAuthority()))
        let hash = try SampleDigest.sha256.hash(octets(authority))
        #expect(Hex.string(hash.span) == "53682116e61d3e5ed093f263470cb2f954230b19926d6ce2e3c0ea731616e974")
    }

    @Test func `writes a header of exactly two members, and certificates in standard base64`() throws {
        let token = try authority.token(octets: [])
        let certificates = authority.certificates.map { "\"\(Data($0).base64EncodedString())\"" }
        #expect(
            String(decoding: token.header.octets, as: UTF8.self)
                == #"{"alg":"ES256","x5c":["# + certificates.joined(separator: ",") + "]}")
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

    @Test func `may have white space in its header`() throws {
        let form = TokenForm().with {
            $0.headerEdits = [.add("kid", .text("1"))]
            $0.headerSpace = " \t"
        }
        let token = try authority.token(octets: Array("{}".utf8), as: form)
        #expect(String(decoding: token.header.octets, as: UTF8.self).hasPrefix(" \t{ \t\"alg\" \t: \t\"ES256\" \t, \t"))
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
