import DER
import Testing

@testable import Proofs

/// What is wrong with what a signature encodes, while all the arithmetic is right.
private enum Flaw: CaseIterable, CustomTestStringConvertible {
    case digestOfAnother, noNullParameters, otherAlgorithm, digestInfoWithMore, longerDigestInfo
    case shortPadding, noPadding, zeroInPadding, otherPaddingOctet, noZeroAfterPadding
    case encryptionBlock, zeroBlock, garbageBehind, garbageInParameters, allZero

    var testDescription: String { "\(self)" }

    /// An encoding of this digest of SHA-256 with the flaw, as long as the key's modulus.
    func encoding(of digest: [UInt8], for oracle: RSAOracle) -> [UInt8] {
        let info = DigestAlgorithm.sha256.digestInfoHead + digest
        let right = oracle.encoding(of: info)
        let zero = right.count - info.count - 1
        var flawed = right
        switch self {
        case .digestOfAnother: flawed[flawed.count - 1] ^= 1
        case .noNullParameters:
            return oracle.encoding(
                of: [0x30, 0x2f, 0x30, 0x0b, 0x06, 0x09] + ObjectIdentifier.sha256 + [0x04, 0x20] + digest)
        case .otherAlgorithm: flawed[zero + 15] ^= 3
        case .digestInfoWithMore:
            return oracle.encoding(
                of: [0x30, 0x33, 0x30, 0x0d, 0x06, 0x09] + ObjectIdentifier.sha256 + [0x05, 0x00, 0x04, 0x20] + digest
                    + [0x05, 0x00])
        case .longerDigestInfo: return oracle.encoding(of: [0x30, 0x81] + info.dropFirst())
        case .shortPadding: return Self.filled([0, 1] + Array(repeating: 0xff, count: 7) + [0] + info, right.count)
        case .noPadding: return Self.filled([0, 1, 0] + info, right.count)
        case .zeroInPadding: flawed[20] = 0
        case .otherPaddingOctet: flawed[20] = 0xfe
        case .noZeroAfterPadding: flawed[zero] = 0xff
        case .encryptionBlock: flawed[1] = 2
        case .zeroBlock: flawed[1] = 0
        case .garbageBehind: return Self.filled(Array(right[..<10]) + [0] + info, right.count)
        case .garbageInParameters:
            let parameters: [UInt8] = [0x04, 0x02, 0x2a, 0x2a]
            return oracle.encoding(
                of: [0x30, 0x33, 0x30, 0x0f, 0x06, 0x09] + ObjectIdentifier.sha256 + parameters + [0x04, 0x20] + digest)
        case .allZero: return Array(repeating: 0, count: right.count)
        }
        return flawed
    }

    private static func filled(_ octets: [UInt8], _ count: Int) -> [UInt8] {
        octets + Array(repeating: 0x2a, count: count - octets.count)
    }
}

/// Our verification of RSA's signatures answers as OpenSSL's.
struct `An RSA key` {
    private let library: OpenSSLLibrary

    init() throws { library = try OpenSSLLibrary() }

    private func digest(_ number: Int, _ algorithm: DigestAlgorithm) -> [UInt8] {
        library.digest(algorithm, of: [UInt8(truncatingIfNeeded: number), 42].span).bytes
    }

    private func accepts(
        _ key: RSAKey, _ signature: [UInt8], of digest: [UInt8], _ algorithm: DigestAlgorithm = .sha256
    ) -> Bool {
        key.verifies(signature.span, of: Digest(octets: digest), algorithm)
    }

    @Test(arguments: [
        (512, 3), (1000, 65537), (1024, 65537), (2048, 3), (2048, 17), (2048, 65537), (2048, 4_294_967_295),
        (3072, 65537), (4096, 65537),
    ])
    func `takes what was signed, and nothing that differs from it`(bits: Int, exponent: UInt) throws {
        let oracle = try #require(RSAOracle.key(bits: bits, exponent: exponent))
        for key in try keys(oracle.numbers) { try takes(oracle, key, exponent) }
    }

    /// The key with every arithmetic that this machine has for it.
    private func keys(_ numbers: RSANumbers) throws -> [RSAKey] {
        let vectors = VectorModulus(numbers.modulus, library: library)
        let plain = try #require(RSAKey(numbers, OpenSSLModulus(numbers.modulus, library: library)))
        return [plain] + [RSAKey(numbers, vectors)].compactMap(\.self)
    }

    private func takes(_ oracle: RSAOracle, _ key: RSAKey, _ exponent: UInt) throws {
        let bits = oracle.numbers.modulus.count * 8
        var mutations = Mutations(seed: UInt64(bits) + UInt64(exponent))
        for algorithm in [DigestAlgorithm.sha1, .sha256] {
            for number in 0..<8 {
                let digest = digest(number, algorithm)
                let signature = oracle.sign(digest, algorithm)
                #expect(accepts(key, signature, of: digest, algorithm))
                #expect(oracle.accepts(signature, of: digest, algorithm))
                #expect(!accepts(key, signature, of: digest, algorithm == .sha1 ? .sha256 : .sha1))
                #expect(!accepts(key, signature, of: self.digest(number + 1, algorithm), algorithm))
                for _ in 0..<20 {
                    let mutant = mutations.mutate(signature)
                    #expect(accepts(key, mutant, of: digest, algorithm) == (mutant == signature))
                }
            }
        }
    }

    @Test(arguments: Flaw.allCases) fileprivate func `takes no encoding but the one of RFC 8017`(flaw: Flaw) throws {
        for exponent: UInt in [3, 65537] {
            let oracle = try #require(RSAOracle.key(bits: 2048, exponent: exponent))
            let digest = digest(1, .sha256)
            let signature = oracle.sign(encoded: flaw.encoding(of: digest, for: oracle))
            try #require(signature.count == 256)
            for key in try keys(oracle.numbers) { #expect(!accepts(key, signature, of: digest)) }
            #expect(!oracle.accepts(signature, of: digest, .sha256))
        }
    }

    @Test func `takes a signature in one form only, not with the modulus added, a zero before it or without its first`()
        throws
    {
        let oracle = try #require(RSAOracle.key(bits: 2048))
        for key in try keys(oracle.numbers) { try takesOneForm(oracle, key) }
    }

    private func takesOneForm(_ oracle: RSAOracle, _ key: RSAKey) throws {
        var met = (sums: 0, zeros: 0)
        // A sum has no more bytes than the modulus for about half of all signatures, and one in 256 begins with a zero.
        for number in 0..<2000 where met.sums < 3 || met.zeros < 1 {
            let digest = library.digest(.sha256, of: [UInt8(number & 0xff), UInt8(number >> 8)].span).bytes
            let signature = oracle.sign(digest, .sha256)
            #expect(accepts(key, signature, of: digest))
            #expect(!accepts(key, [0] + signature, of: digest))
            if signature.first == 0 {
                met.zeros += 1
                #expect(!accepts(key, Array(signature.dropFirst()), of: digest))
            }
            let sum = sum(signature, oracle.numbers.modulus)
            guard sum.count == signature.count else { continue }
            met.sums += 1
            #expect(!accepts(key, sum, of: digest))
            #expect(!oracle.accepts(sum, of: digest, .sha256))
        }
        #expect(met.sums > 0 && met.zeros > 0)
    }

    @Test func `does not take the numbers that no exponent changes`() throws {
        let oracle = try #require(RSAOracle.key(bits: 2048))
        var lastButOne = oracle.numbers.modulus
        lastButOne[255] &-= 1
        let zeros = [UInt8](repeating: 0, count: 256)
        let one: [UInt8] = zeros.dropLast() + [1]
        for signature: [UInt8] in [zeros, one, lastButOne, oracle.numbers.modulus, [], [0]] {
            for key in try keys(oracle.numbers) { #expect(!accepts(key, signature, of: digest(1, .sha256))) }
        }
    }

    @Test(arguments: [
        ("an even modulus", [UInt8](repeating: 0xfe, count: 256), [1, 0, 1]),
        ("no modulus", [], [1, 0, 1]),
        ("no exponent", [UInt8](repeating: 0xff, count: 256), []),
        ("the exponent 1", [UInt8](repeating: 0xff, count: 256), [1]),
        ("an even exponent", [UInt8](repeating: 0xff, count: 256), [1, 0, 0]),
        ("an exponent of 33 bits", [UInt8](repeating: 0xff, count: 256), [1, 0, 0, 0, 1]),
    ])
    func `is none with`(flaw: String, modulus: [UInt8], exponent: [UInt8]) {
        #expect(RSAKey(RSANumbers(modulus: modulus, exponent: exponent), library: library) == nil, "\(flaw)")
    }

    @Test(arguments: [[UInt8]([3]), [0x7f], Array(repeating: 0xff, count: 40), Array(repeating: 0xff, count: 45)])
    func `verifies nothing if its modulus has no room for an encoding`(modulus: [UInt8]) throws {
        let key = try #require(RSAKey(RSANumbers(modulus: modulus, exponent: [3]), library: library))
        for octet: UInt8 in [0, 1, 2] {
            let signature = Array(repeating: 0, count: modulus.count - 1) + [octet]
            #expect(!accepts(key, signature, of: digest(1, .sha1), .sha1))
            #expect(!accepts(key, signature, of: digest(1, .sha256)))
        }
    }

    @Test(arguments: [(4104, 65537), (2048, 4_294_967_297)])
    func `that is too large for us, or has too large an exponent, is left to OpenSSL`(bits: Int, exponent: UInt)
        throws
    {
        let oracle = try #require(RSAOracle.key(bits: bits, exponent: exponent))
        #expect(!oracle.numbers.isOfUsualSize)
        let key = try unsafe #require(
            oracle.withCertificate { unsafe UnusualKey(of: $0, algorithm: .sha256, library: library) } ?? nil)
        let accepts = { (signature: [UInt8], digest: [UInt8]) in
            key.verifies(signature.span, of: Digest(octets: digest))
        }
        let digest = digest(1, .sha256)
        let signature = oracle.sign(digest, .sha256)
        #expect(accepts(signature, digest))
        #expect(!accepts(signature, self.digest(2, .sha256)))
        #expect(!accepts(signature.reversed(), digest))
    }

    /// The sum of two numbers, most significant byte first.
    private func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var (digits, carry): ([UInt8], UInt16) = ([], 0)
        for (a, b) in zip(a.reversed(), b.reversed()) {
            carry += UInt16(a) + UInt16(b)
            digits.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        return (carry > 0 ? [UInt8(carry)] : []) + digits.reversed()
    }
}
