import Corpus
import Testing

@testable import Proofs

/// What is refused before OpenSSL is asked is what OpenSSL would refuse.
struct `A screen of ECDSA signatures` {
    private let library: OpenSSLLibrary
    private let oracle: P384Oracle

    init() throws {
        library = try OpenSSLLibrary()
        oracle = try P384Oracle()
    }

    /// A public key, its screen, and a key that has one.
    private struct Subject {
        let point: [UInt8]
        let screen: ECDSAScreen
        let key: ECDSAKey
    }

    private func subject(_ point: [UInt8]) throws -> Subject {
        let screen = try #require(ECDSAScreen(p384: point, library: library))
        let key = try #require(ECDSAKey(.p384, point: point, library: library))
        let nothing: [UInt8] = []
        for _ in 0..<3 { #expect(!key.verifies(nothing, of: nothing)) }
        try #require(key.hasScreen)
        return Subject(point: point, screen: screen, key: key)
    }

    /// Compares the answers on numbers that are in range, and returns OpenSSL's.
    @discardableResult private func compare(
        _ subject: Subject, _ signature: P384Signature, of digest: [UInt8], _ note: String = ""
    ) -> Bool {
        let accepts = oracle.accepts(signature.der, of: digest, key: subject.point)
        #expect(subject.screen.refuses(signature.der, of: digest) == !accepts, "\(note)")
        #expect(subject.key.verifies(signature.der, of: digest) == accepts, "\(note)")
        return accepts
    }

    /// Compares the answers on signatures that only OpenSSL needs to refuse, which it does.
    private func compareRefused(_ subject: Subject, _ signature: [UInt8], of digest: [UInt8], _ note: String = "") {
        #expect(!oracle.accepts(signature, of: digest, key: subject.point), "\(note)")
        #expect(!subject.screen.refuses(signature, of: digest), "\(note)")
        #expect(!subject.key.verifies(signature, of: digest), "\(note)")
    }

    /// A number between 1 and the order − 1.
    private func number(_ random: inout Mutations) throws -> [UInt8] {
        try oracle.sum(random.octets(40), oracle.number(1))
    }

    /// A signature with one bit changed.
    private func altered(_ signature: P384Signature, _ random: inout Mutations) -> P384Signature {
        var altered = signature
        let bit = random.number(below: 300)
        if random.number(below: 2) == 0 {
            altered.r[47 - bit / 8] ^= 1 << UInt8(bit % 8)
        } else {
            altered.s[47 - bit / 8] ^= 1 << UInt8(bit % 8)
        }
        return altered
    }

    @Test(arguments: 0..<Exhaustive.count(200, sampled: 4))
    func `refuses what OpenSSL refuses, and nothing else, over digests of any length`(seed: Int) throws {
        var random = Mutations(seed: UInt64(seed))
        let privateKey = try number(&random)
        let subject = try subject(oracle.point(privateKey))
        for count in [0, 1, 20, 32, 47, 48, 49, 64, 100] {
            for digest in [
                random.octets(count), [UInt8](repeating: 0, count: count), Array(repeating: 0xff, count: count),
            ] {
                let signature = try oracle.sign(digest, privateKey: privateKey, once: number(&random))
                #expect(compare(subject, signature, of: digest))
                // The opposite of s is as good.
                let high = P384Signature(r: signature.r, s: try oracle.difference([0], signature.s))
                #expect(compare(subject, high, of: digest))
                let others = try [
                    altered(signature, &random), P384Signature(r: signature.s, s: signature.r),
                    P384Signature(r: number(&random), s: number(&random)),
                ]
                for other in others { #expect(!compare(subject, other, of: digest)) }
                let another = random.octets(48)
                #expect(!compare(subject, signature, of: another))
                // What follows the first 384 bits of a digest does not count.
                #expect(compare(subject, signature, of: digest + [1, 2]) == (count >= 48))
            }
        }
    }

    @Test func `leaves numbers that no signature has to OpenSSL, and refuses the least and the greatest`() throws {
        let subject = try subject(oracle.point(oracle.number(42)))
        let most = try oracle.number(-1)
        var next = oracle.order
        next[47] += 1
        let outside: [[UInt8]] = [
            [0], oracle.order, next, Array(repeating: 0xff, count: 48), [1] + Array(repeating: 0, count: 48),
        ]
        let inside = try [1, 2, -2].map(oracle.number) + [most]
        let digest = [UInt8](repeating: 7, count: 48)
        let right = try oracle.sign(digest, privateKey: oracle.number(42), once: oracle.number(43))
        for number in outside {
            for other in inside + outside + [right.r, right.s] {
                compareRefused(subject, P384Signature(r: number, s: other).der, of: digest)
                compareRefused(subject, P384Signature(r: other, s: number).der, of: digest)
            }
            compareRefused(subject, P384Signature(r: number, s: right.s).der, of: digest)
            compareRefused(subject, P384Signature(r: right.r, s: number).der, of: digest)
        }
        for number in inside {
            for other in inside { #expect(!compare(subject, P384Signature(r: number, s: other), of: digest)) }
        }
    }

    /// Private keys whose multiples meet those of the base point in the tables: the same points, opposite ones.
    @Test(arguments: [1, 2, 3, 1 << 24, (1 << 24) + 1, 1 << 48, -1, -2, -(1 << 24), -(1 << 48) - 1])
    func `adds equal and opposite points, and gets to infinity`(privateKey: Int) throws {
        let privateKey = try oracle.number(privateKey)
        let subject = try subject(oracle.point(privateKey))
        var random = Mutations(seed: 1)
        for once in try [1, 2, -1, 1 << 24, -(1 << 24)].map(oracle.number) + [number(&random)] {
            let r = try oracle.x(oracle.point(once))
            // z = 0, so that u1 = 0; z = rd, so that u1 · G = u2 · Q; any other.
            for digest in [[UInt8](repeating: 0, count: 48), try oracle.product(r, privateKey), random.octets(48)] {
                let signature = try oracle.sign(digest, privateKey: privateKey, once: once)
                #expect(compare(subject, signature, of: digest))
                let other = altered(signature, &random)
                #expect(!compare(subject, other, of: digest))
            }
            // z = −rd: the sum is the point at infinity, whatever s is.
            let opposite = try oracle.difference([0], oracle.product(r, privateKey))
            for s in try [number(&random), oracle.number(1), oracle.number(-1), r] {
                #expect(!compare(subject, P384Signature(r: r, s: s), of: opposite))
            }
        }
    }

    /// Factors of one bit, of all bits, and of none but the first or the last of a row.
    @Test func `multiplies by factors of few bits and of many`() throws {
        var random = Mutations(seed: 5)
        let privateKey = try number(&random)
        let subject = try subject(oracle.point(privateKey))
        var factors = try [1, -1, 0xff_ffff, 0x100_0000].map(oracle.number)
        factors += stride(from: 0, to: 384, by: 23).map(oracle.power) + [oracle.power(383), oracle.power(192)]
        for first in factors {
            let second = factors[random.number(below: factors.count)]
            // R = u1 · G + u2 · Q says r; s = r / u2 and z = u1 · s.
            let r = try oracle.x(oracle.point(first, plus: second, times: subject.point))
            let s = try oracle.quotient(r, second)
            let digest = try oracle.product(first, s)
            #expect(compare(subject, P384Signature(r: r, s: s), of: digest))
            let another = try oracle.sum(digest, [1])
            #expect(!compare(subject, P384Signature(r: r, s: s), of: another))
        }
    }

    @Test func `takes a coordinate above the order for what is left of it`() throws {
        var random = Mutations(seed: 3)
        var found = 0
        for above in 1..<40 {
            var x = oracle.order
            x[47] += UInt8(above)
            guard let point = oracle.point(x: x) else { continue }
            found += 1
            // The key is made for the signature: Q = (R − u1 · G) / u2.
            let (first, second) = (try number(&random), try number(&random))
            let inverse = try oracle.quotient([1], second)
            let key = try oracle.point(
                oracle.difference([0], oracle.product(first, inverse)), plus: inverse, times: point)
            let r = try oracle.number(above)
            let s = try oracle.quotient(r, second)
            let digest = try oracle.product(first, s)
            let subject = try subject(key)
            #expect(compare(subject, P384Signature(r: r, s: s), of: digest))
            let other = P384Signature(r: r, s: try oracle.sum(s, [1]))
            #expect(!compare(subject, other, of: digest))
            compareRefused(subject, P384Signature(r: x, s: s).der, of: digest)
        }
        #expect(found > 5)
    }

    @Test func `leaves signatures that are not in DER to OpenSSL`() throws {
        let privateKey = try oracle.number(99)
        let subject = try subject(oracle.point(privateKey))
        let digest = [UInt8](repeating: 1, count: 48)
        var random = Mutations(seed: 9)
        let right = try oracle.sign(digest, privateKey: privateKey, once: number(&random))
        let (r, s) = (P384Signature.integer(right.r), P384Signature.integer(right.s))
        let zero = { (number: [UInt8]) in [0x02, number[1] + 1, 0] + number.dropFirst(2) }
        let others: [(String, [UInt8])] = [
            ("nothing", []), ("an empty sequence", [0x30, 0]), ("one number", [0x30, UInt8(r.count)] + r),
            ("three numbers", [0x30, UInt8(r.count + s.count + 3)] + r + s + [2, 1, 1]),
            ("more behind it", right.der + [0]), ("the last octet missing", right.der.dropLast()),
            ("a long length", [0x30, 0x81, UInt8(r.count + s.count)] + r + s),
            ("an indefinite length", [0x30, 0x80] + r + s + [0, 0]),
            ("a zero before r", [0x30, UInt8(r.count + s.count + 1)] + zero(r) + s),
            ("a zero before s", [0x30, UInt8(r.count + s.count + 1)] + r + zero(s)),
            ("r without octets", [0x30, UInt8(s.count + 2), 2, 0] + s),
            ("a negative r", [0x30, UInt8(s.count + 3), 2, 1, 0xff] + s),
            ("a negative s", [0x30, UInt8(r.count + 3)] + r + [2, 1, 0x80]), ("a set", [0x31] + right.der.dropFirst()),
            ("both numbers without a form", right.r + right.s),
        ]
        for (name, signature) in others { compareRefused(subject, signature, of: digest, name) }
        for _ in 0..<Exhaustive.count(5000, sampled: 200) {
            let mutant = random.mutate(right.der)
            let accepts = oracle.accepts(mutant, of: digest, key: subject.point)
            #expect(subject.key.verifies(mutant, of: digest) == accepts)
            #expect(accepts == (mutant == right.der))
        }
    }

    @Test func `is made for a key on P-384 that three signatures in turn did not hold with`() throws {
        let privateKey = try oracle.number(7)
        let key = try #require(ECDSAKey(.p384, point: oracle.point(privateKey), library: library))
        let digest = [UInt8](repeating: 5, count: 48)
        let another = [UInt8](repeating: 6, count: 48)
        let right = try oracle.sign(digest, privateKey: privateKey, once: oracle.number(11)).der
        for failures in 0..<3 {
            for _ in 0..<4 { #expect(key.verifies(right, of: digest)) }
            #expect(!key.hasScreen, "\(failures)")
            #expect(!key.verifies(right, of: another))
        }
        #expect(key.hasScreen)
        #expect(key.verifies(right, of: digest))
    }

    @Test func `is none of what is no point of the curve`() throws {
        var point = try oracle.point(oracle.number(7))
        point[96] ^= 1
        for octets in [point, [], Array(repeating: 4, count: 97)] {
            #expect(ECDSAScreen(p384: octets, library: library) == nil)
            #expect(ECDSAKey(.p384, point: octets, library: library) == nil)
        }
        // The point at infinity.
        #expect(ECDSAKey(.p384, point: [0], library: library) == nil)
    }
}

extension ECDSAScreen {
    fileprivate func refuses(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        refuses(signature.span, of: digest.span)
    }
}

extension ECDSAKey {
    fileprivate func verifies(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        verifies(signature.span, of: digest.span)
    }
}
