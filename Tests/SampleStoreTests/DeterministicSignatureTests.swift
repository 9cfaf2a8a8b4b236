import Encodings
import Testing

@testable import SampleStore

/// RFC 6979, appendices A.2.5 and A.2.6.
struct `A signature on a curve` {
    struct Vector: CustomTestStringConvertible {
        let curve: EllipticCurve
        let digest: SampleDigest
        let message: String
        let nonce: String
        let r: String
        let s: String

        var testDescription: String { "\(curve), \(digest), \(message)" }

        var privateKey: [UInt8] {
            switch curve {
            case .p256: octets("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
            case .p384:
                octets(
                    "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")
            }
        }
    }

    static let vectors = [
        Vector(
            curve: .p256, digest: .sha256, message: "sample",
            nonce: "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
        Vector(
            curve: .p256, digest: .sha256, message: "test",
            nonce: "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0",
            r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
        Vector(
            curve: .p256, digest: .sha384, message: "sample",
            nonce: "09F634B188CEFD98E7EC88B1AA9852D734D0BC272F7D2A47DECC6EBEB375AAD4",
            r: "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
            s: "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"),
        Vector(
            curve: .p256, digest: .sha384, message: "test",
            nonce: "16AEFFA357260B04B1DD199693960740066C1A8F3E8EDD79070AA914D361B3B8",
            r: "83910E8B48BB0C74244EBDF7F07A1C5413D61472BD941EF3920E623FBCCEBEB6",
            s: "8DDBEC54CF8CD5874883841D712142A56A8D0F218F5003CB0296B6B509619F2C"),
        Vector(
            curve: .p384, digest: .sha256, message: "sample",
            nonce: "180AE9F9AEC5438A44BC159A1FCB277C7BE54FA20E7CF404B490650A8ACC414E375572342863C899F9F2EDF9747A9B60",
            r: "21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33BDE1E888E63355D92FA2B3C36D8FB2CD",
            s: "F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEBEFDC63ECCD1AC42EC0CB8668A4FA0AB0"),
        Vector(
            curve: .p384, digest: .sha384, message: "sample",
            nonce: "94ED910D1A099DAD3254E9242AE85ABDE4BA15168EAF0CA87A555FD56D10FBCA2907E3E83BA95368623B8C4686915CF9",
            r: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
            s: "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"),
        Vector(
            curve: .p384, digest: .sha384, message: "test",
            nonce: "015EE46A5BF88773ED9123A5AB0807962D193719503C527B031B4C2D225092ADA71F4A459BC0DA98ADB95837DB8312EA",
            r: "8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB0542A7F0812998DA8F1DD3CA3CF023DB",
            s: "DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E06A739F040649A667BF3B828246BAA5A5"),
    ]

    @Test(arguments: vectors)
    func `is the one of the RFC`(vector: Vector) throws {
        let message = Array(vector.message.utf8)
        var nonces = DeterministicNonces(
            of: vector.digest.hash(message), privateKey: vector.privateKey, curve: vector.curve, digest: vector.digest)
        #expect(nonces.next() == octets(vector.nonce))
        let signature = try vector.curve.signature(over: message, privateKey: vector.privateKey, digest: vector.digest)
        #expect(signature.r == octets(vector.r))
        #expect(signature.s == octets(vector.s))
    }

    @Test(arguments: [SampleKey.tokenLeaf, .tokenLeaf384], [SampleDigest.sha256, .sha384])
    func `has a complement, and of the two one has a low s`(
        sample: SampleKey, digest: SampleDigest
    ) throws {
        let key = try SigningKey(sample)
        var highCount = 0
        for number in 0..<32 {
            let message = Array("token \(number)".utf8)
            let signature = try key.curveSignature(over: message, digest: digest)
            highCount += signature.hasHighS ? 1 : 0
            #expect(signature.withHighS.hasHighS && !signature.withLowS.hasHighS)
            #expect(signature.complement.complement == signature)
            #expect([signature, signature.complement].contains(signature.withLowS))
        }
        #expect((4...28).contains(highCount))
    }

    @Test func `is written in as few octets as DER demands`() {
        let signature = ECDSASignature(r: [0, 0, 0x7f], s: [0, 0x80, 0], curve: .p256)
        #expect(signature.der == [0x30, 0x08, 0x02, 0x01, 0x7f, 0x02, 0x03, 0x00, 0x80, 0x00])
        #expect(signature.with { $0.r = [0, 0] }.der.starts(with: [0x30, 0x08, 0x02, 0x01, 0x00]))
    }

    @Test func `is not made by an RSA key`() throws {
        let key = try SigningKey(.leaf)
        #expect(throws: SigningError.notSigned) { try key.curveSignature(over: [], digest: .sha256) }
    }

    /// RFC 4231, cases 2 and 6: the second key is longer than a block.
    @Test func `rests on the HMAC of the RFC`() {
        let text = Array("what do ya want for nothing?".utf8)
        #expect(
            SampleDigest.sha256.hmac(text, key: Array("Jefe".utf8))
                == octets("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        let long = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(
            SampleDigest.sha384.hmac(long, key: [UInt8](repeating: 0xaa, count: 131))
                == octets(
                    "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"))
    }
}

/// The bytes of hexadecimal digits.
private func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
