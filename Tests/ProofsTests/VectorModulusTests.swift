import COpenSSL
import Testing

@testable import Proofs

/// Our powers are OpenSSL's, digit for digit. (Nothing to see where the processor lacks the instructions.)
@Suite(.enabled(if: VectorModulus.isSupported, "this processor has no AVX-512 IFMA"))
struct `A modulus in vectors` {
    private let library: OpenSSLLibrary

    init() throws { library = try OpenSSLLibrary() }

    /// Moduli whose digits of 52 bits and words of 64 are as odd as they can be.
    static let moduli: [(String, [UInt8])] = [
        ("of ones", .ones),
        ("of 2,041 bits", [1] + [UInt8].ones.dropFirst()),
        ("of a one and zeros", [0x80] + [UInt8](repeating: 0, count: 254) + [1]),
        ("whose lower half is ones", .zeros(128, first: 0x80) + [UInt8](repeating: 0xff, count: 128)),
        ("whose upper half is ones", [UInt8](repeating: 0xff, count: 128) + .zeros(127) + [1]),
        ("whose lowest digit is 1", [UInt8](repeating: 0xff, count: 249) + .zeros(6) + [1]),
        ("whose lowest digit is all ones", [UInt8](repeating: 0xaa, count: 249) + [UInt8](repeating: 0xff, count: 7)),
    ]

    @Test(arguments: moduli)
    func `gives the powers of numbers at the edges`(name: String, modulus: [UInt8]) throws {
        let vectors = try #require(VectorModulus(modulus, library: library))
        let lastButOne: [UInt8] = modulus.dropLast() + [modulus[255] - 1]
        let bases: [[UInt8]] = [
            .zeros(256), .zeros(255) + [1], .zeros(255) + [2], lastButOne, [0] + modulus.dropFirst(),
            .zeros(128) + [UInt8](repeating: 0xff, count: 128), .zeros(249) + [UInt8](repeating: 0xff, count: 7),
        ]
        for base in bases {
            for exponent: UInt32 in [3, 5, 17, 65537, 0x8000_0001, 0xffff_ffff] {
                let power = power(of: base, to: exponent, modulo: modulus)
                #expect(says(vectors, base, exponent, power))
            }
        }
    }

    @Test(arguments: 0..<20)
    func `gives the powers of any numbers`(seed: Int) throws {
        var random = Mutations(seed: UInt64(seed))
        var modulus = random.octets(256)
        modulus[0] |= 0x80
        modulus[255] |= 1
        let vectors = try #require(VectorModulus(modulus, library: library))
        for _ in 0..<200 {
            let base = [modulus[0] & 0x7f] + random.octets(255)
            let power = power(of: base, to: 65537, modulo: modulus)
            #expect(says(vectors, base, 65537, power, power.suffix(20)))
        }
    }

    @Test func `compares every octet, also of the end`() throws {
        let vectors = try #require(VectorModulus(.ones, library: library))
        let base: [UInt8] = .zeros(254) + [3, 5]
        let power = power(of: base, to: 65537, modulo: .ones)
        for place in 0..<256 {
            var other = power
            other[place] ^= 1
            #expect(!says(vectors, base, 65537, other))
            let isBeforeEnd = place < 236
            #expect(says(vectors, base, 65537, other, power.suffix(20)) != isBeforeEnd)
            #expect(!says(vectors, base, 65537, power, other.suffix(20)) || isBeforeEnd)
        }
    }

    @Test func `takes no base that is not below it`() throws {
        let modulus = .zeros(255, first: 0x80) + [1]
        let vectors = try #require(VectorModulus(modulus, library: library))
        for base in [modulus, .ones, modulus.dropLast() + [2]] {
            let power = power(of: base, to: 3, modulo: modulus)
            #expect(!says(vectors, base, 3, power))
        }
    }

    @Test func `takes no base, number or exponent of another form`() throws {
        let vectors = try #require(VectorModulus(.ones, library: library))
        let one: [UInt8] = .zeros(255) + [1]
        #expect(says(vectors, one, 3, one))
        #expect(!says(vectors, [1], 3, one))
        #expect(!says(vectors, one, 3, [1]))
        #expect(!says(vectors, one, 3, one, [UInt8](repeating: 0, count: 257)[...]))
        for exponent: UInt32 in [0, 1, 2, 4] {
            #expect(!says(vectors, one, exponent, one))
        }
    }

    @Test(arguments: [
        ("even", [UInt8](repeating: 0xfe, count: 256)), ("of 2,040 bits", [UInt8](repeating: 0xff, count: 255)),
        ("of 2,056 bits", [UInt8](repeating: 0xff, count: 257)),
        ("of none", []),
    ])
    func `is none that is`(flaw: String, modulus: [UInt8]) {
        #expect(VectorModulus(modulus, library: library) == nil, "\(flaw)")
    }

    private func says(
        _ vectors: VectorModulus, _ base: [UInt8], _ exponent: UInt32, _ head: [UInt8], _ tail: ArraySlice<UInt8> = []
    ) -> Bool {
        let tail = Array(tail)
        return vectors.power(of: base.span, to: exponent, is: head, endingIn: tail.span)
    }

    /// By division, not by Montgomery's way.
    private func power(of base: [UInt8], to exponent: UInt32, modulo modulus: [UInt8]) -> [UInt8] {
        let arithmetic = unsafe BN_CTX_new()
        let number = unsafe BN_bin2bn(base, CInt(base.count), nil)
        let whole = unsafe BN_bin2bn(modulus, CInt(modulus.count), nil)
        let (times, power) = unsafe (BN_new(), BN_new())
        defer {
            unsafe [number, whole, times, power].forEach { unsafe BN_free($0) }
            unsafe BN_CTX_free(arithmetic)
        }
        var octets = [UInt8](repeating: 0, count: 256)
        unsafe BN_set_word(times, UInt(exponent))
        unsafe BN_mod_exp_recp(power, number, times, whole, arithmetic)
        unsafe BN_bn2binpad(power, &octets, 256)
        return octets
    }
}

extension [UInt8] {
    fileprivate static let ones = [UInt8](repeating: 0xff, count: 256)

    fileprivate static func zeros(_ count: Int, first: UInt8 = 0) -> [UInt8] {
        [first] + [UInt8](repeating: 0, count: count - 1)
    }
}
