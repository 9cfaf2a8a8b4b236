import DER

/// The fields of the encoded message under a signature (RFC 8017, section 9.2), each of which a verifier may forget to check.
struct PaddingContent {
    /// 00, then the block type: 01.
    var start: [UInt8] = [0, 1]
    /// The number of octets of padding; `nil` for as many as fill the modulus.
    var paddingCount: Int?
    var padding: UInt8 = 0xff
    var separator: [UInt8] = [0]
    /// The DigestInfo.
    var digestInfo: [UInt8]
    /// The octets behind the DigestInfo.
    var rest: [UInt8] = []

    /// The valid encoding of a message's digest.
    init(_ message: [UInt8], digest: SampleDigest = .sha256) {
        digestInfo = Self.digestInfo(digest.hash(message), digest.algorithm)
    }

    /// Returns a DigestInfo (section 9.2).
    static func digestInfo(_ hash: [UInt8], _ algorithm: AlgorithmContent) -> [UInt8] {
        DERWriter.element(.sequence, algorithm.der, DERWriter.element(.octetString, hash))
    }

    /// Returns all octets, for a modulus of this size, filled up with zeros.
    func encoded(_ size: Int = 256) -> [UInt8] {
        let free = size - start.count - separator.count - digestInfo.count - rest.count
        var octets = start + [UInt8](repeating: padding, count: max(0, paddingCount ?? free))
        octets += separator + digestInfo + rest
        return Array(octets.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - octets.count))
    }
}

extension AttackKit {
    /// Returns a container whose signature the store's own key made over an encoding that is not quite the right one.
    ///
    /// A forger has no such key, but needs none where the exponent is 3; and a verifier that accepts such an encoding accepts
    /// it for every key.
    func signed(encoding change: (inout PaddingContent) throws -> Void) throws -> [UInt8] {
        var padding = PaddingContent(receipt.der)
        try change(&padding)
        return try signed(withSignature: store.leaf.key.signature(ofEncoded: padding.encoded()))
    }

    /// Returns the modulus of a key: the first INTEGER inside its BIT STRING (RFC 8017, appendix A.1.1).
    static func modulus(of publicKeyInfo: [UInt8]) throws -> BigNumber {
        let tree = try DERTree(parsing: publicKeyInfo, openingStrings: true)
        return BigNumber(tree[[1, 0, 0]]?.octets ?? [])
    }

    /// Returns the first of many receipts, all alike but for their download id, whose signature has some property.
    func firstSignature(
        where isWanted: ([UInt8]) throws -> Bool
    ) throws -> (content: [UInt8], signature: [UInt8]) {
        var content: [UInt8] = []
        var signature: [UInt8] = []
        for number in 0..<4096 {
            content = receipt { $0.downloadID += number }.der
            signature = try store.leaf.key.signature(over: content, digest: .sha256)
            if try isWanted(signature) { break }
        }
        return (content, signature)
    }

    /// An RSASSA-PSS signature with a fixed salt (RFC 8017, section 9.1.1): SHA-256, MGF1 with SHA-256, a salt of 32.
    func probabilisticSignature(over message: [UInt8]) throws(SigningError) -> [UInt8] {
        let salt = [UInt8](0..<32)
        let hash = SampleDigest.sha256.hash([UInt8](repeating: 0, count: 8) + SampleDigest.sha256.hash(message) + salt)
        let block = [UInt8](repeating: 0, count: 256 - 32 - 1 - 32 - 1) + [1] + salt
        var mask: [UInt8] = []
        for counter in 0..<UInt8(8) { mask += SampleDigest.sha256.hash(hash + [0, 0, 0, counter]) }
        var masked = zip(block, mask).map { $0 ^ $1 }
        masked[0] &= 0x7f
        return try store.leaf.key.signature(ofEncoded: masked + hash + [0xbc])
    }
}

/// A natural number, to forge signatures without a private key. It is slow, and never used to verify anything.
struct BigNumber: Comparable {
    /// 32 bits each, the lowest first, without zeros at the end.
    private var limbs: [UInt32]

    /// Reads octets, the highest first.
    init(_ octets: some Sequence<UInt8>) {
        limbs = []
        for (index, octet) in octets.reversed().enumerated() {
            if index.isMultiple(of: 4) { limbs.append(0) }
            limbs[index / 4] |= UInt32(octet) << UInt32(8 * (index % 4))
        }
        normalize()
    }

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        normalize()
    }

    private mutating func normalize() { while limbs.last == 0 { limbs.removeLast() } }

    /// Returns the octets, the highest first, with zeros in front up to this count; `nil` if there are more.
    func octets(_ count: Int) -> [UInt8]? {
        var octets = limbs.reversed().flatMap { limb in
            (0..<4).map { UInt8(truncatingIfNeeded: limb >> UInt32(24 - 8 * $0)) }
        }
        while octets.first == 0 { octets.removeFirst() }
        guard octets.count <= count else { return nil }
        return [UInt8](repeating: 0, count: count - octets.count) + octets
    }

    static func < (a: BigNumber, b: BigNumber) -> Bool {
        guard a.limbs.count == b.limbs.count else { return a.limbs.count < b.limbs.count }
        return a.limbs.reversed().lexicographicallyPrecedes(b.limbs.reversed())
    }

    static func + (a: BigNumber, b: BigNumber) -> BigNumber {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(a.limbs.count, b.limbs.count) {
            carry += UInt64(index < a.limbs.count ? a.limbs[index] : 0)
            carry += UInt64(index < b.limbs.count ? b.limbs[index] : 0)
            sum.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        sum.append(UInt32(truncatingIfNeeded: carry))
        return BigNumber(limbs: sum)
    }

    static func * (a: BigNumber, b: BigNumber) -> BigNumber {
        var product = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
        for (i, limb) in a.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, other) in b.limbs.enumerated() {
                carry += UInt64(limb) * UInt64(other) + UInt64(product[i + j])
                product[i + j] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            product[i + b.limbs.count] = UInt32(truncatingIfNeeded: carry)
        }
        return BigNumber(limbs: product)
    }

    /// The largest number whose third power is not larger than this one.
    var cubeRoot: BigNumber {
        var root = BigNumber(limbs: [UInt32](repeating: 0, count: limbs.count / 3 + 1))
        for bit in (0..<(32 * (limbs.count / 3 + 1))).reversed() {
            var larger = root.limbs + [UInt32](repeating: 0, count: limbs.count / 3 + 1 - root.limbs.count)
            larger[bit / 32] |= 1 << UInt32(bit % 32)
            let candidate = BigNumber(limbs: larger)
            if candidate * candidate * candidate <= self { root = candidate }
        }
        return root
    }
}
