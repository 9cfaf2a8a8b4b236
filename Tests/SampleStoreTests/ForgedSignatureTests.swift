import DER
import Encodings
import Testing

@testable import SampleStore

/// That the forgeries are what they say: a test of the suite, not of the product.
struct `A signature of the attack suite` {
    private let kit: AttackKit

    init() throws { kit = try AttackKit() }

    @Test func `over the right encoding is the right one, so that the others differ in nothing but their encoding`()
        throws
    {
        let content = kit.receipt.der
        for digest in SampleDigest.allCases {
            let encoded = PaddingContent(content, digest: digest).encoded()
            let signature = try kit.store.leaf.key.signature(ofEncoded: encoded)
            #expect(try signature == kit.store.leaf.key.signature(over: content, digest: digest))
        }
    }

    @Test(arguments: ["padding-bleichenbacher-2006", "padding-garbage-in-parameters-with-exponent-3"])
    func `that is a cube root has the digest's algorithm where a careless reader looks`(id: String) throws {
        let test = try #require(AttackSuite.cases.first { $0.id == id })
        let tree = try DERTree(parsing: test.claim(kit).proof)
        let root = ForgedNumber(try #require(tree[Place.signature]?.octets))
        let cube = try #require((root * root * root).octets(256))
        let digestInfo = PaddingContent(try #require(tree[Place.content]?.octets)).digestInfo
        let head = [0, 1] + [UInt8](repeating: 0xff, count: 8) + [0] + digestInfo
        let count = id == "padding-bleichenbacher-2006" ? head.count : 26
        #expect(cube.prefix(count) == head.prefix(count))
        #expect(try ForgedNumber(cube) < AttackKit.modulus(of: SigningKey(.exponent3).publicKeyInfo))
    }

    @Test func `to which the modulus is added has as many octets, and is larger than the modulus`() throws {
        let test = try #require(AttackSuite.cases.first { $0.id == "signature-plus-modulus" })
        let signature = try #require(DERTree(parsing: test.claim(kit).proof)[Place.signature]?.octets)
        #expect(signature.count == 256)
        #expect(try AttackKit.modulus(of: kit.store.leaf.key.publicKeyInfo) < ForgedNumber(signature))
    }

    @Test func `is never made of numbers that lose a carry`() {
        for (a, b, sum, product) in [
            ([0xff], [0x01], [0x01, 0x00], [0xff]),
            ([0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff], [1, 0xff, 0xff, 0xff, 0xfe], nil),
            (
                [0xff, 0xff, 0xff, 0xff], [1, 0, 0, 0, 0], [1, 0xff, 0xff, 0xff, 0xff],
                [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
            ),
        ] as [([UInt8], [UInt8], [UInt8], [UInt8]?)] {
            #expect(ForgedNumber(a) + ForgedNumber(b) == ForgedNumber(sum))
            if let product { #expect(ForgedNumber(a) * ForgedNumber(b) == ForgedNumber(product)) }
        }
        let cube = ForgedNumber([1, 0, 0, 0, 0, 0, 0])
        #expect(cube.cubeRoot == ForgedNumber([1, 0, 0]))
        #expect(ForgedNumber([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).cubeRoot == ForgedNumber([0xff, 0xff]))
        #expect(cube.octets(6) == nil)
        #expect(ForgedNumber([0, 0]).octets(2) == [0, 0])
    }
}
