import DER

/// The fields of the encoded message under a signature (RFC 8017, section 9.2). A verifier may forget to check any of
/// them.
struct PaddingContent {
    /// 00, then the block type: 01.
    var start: [UInt8] = [0, 1]
    /// The number of bytes of padding; `nil` for as many as fill the modulus.
    var paddingCount: Int?
    var padding: UInt8 = 0xff
    var separator: [UInt8] = [0]
    /// The DigestInfo.
    var digestInfo: [UInt8]
    /// The bytes after the DigestInfo.
    var rest: [UInt8] = []

    /// The valid encoding of a message's digest.
    init(_ message: [UInt8], digest: SampleDigest = .sha256) {
        digestInfo = Self.digestInfo(digest.hash(message), digest.algorithm)
    }

    /// Returns a DigestInfo (section 9.2).
    static func digestInfo(_ hash: [UInt8], _ algorithm: AlgorithmContent) -> [UInt8] {
        DERWriter.element(.sequence, algorithm.der, DERWriter.element(.octetString, hash))
    }

    /// Returns all bytes, for a modulus of this size, padded with zeros.
    func encoded(_ size: Int = 256) -> [UInt8] {
        let free = size - start.count - separator.count - digestInfo.count - rest.count
        var octets = start + [UInt8](repeating: padding, count: max(0, paddingCount ?? free))
        octets += separator + digestInfo + rest
        return Array(octets.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - octets.count))
    }
}

extension AttackKit {
    /// Returns a container with a signature by the store's own key over a slightly wrong encoding.
    ///
    /// A forger does not have such a key, but does not need one if the exponent is 3; and a verifier that accepts such
    /// an encoding accepts it for every key.
    func signed(encoding change: (inout PaddingContent) throws -> Void) throws -> [UInt8] {
        var padding = PaddingContent(receipt.der)
        try change(&padding)
        return try signed(withSignature: store.leaf.key.signature(ofEncoded: padding.encoded()))
    }

    /// Returns the modulus of a key: the first INTEGER inside its BIT STRING (RFC 8017, appendix A.1.1).
    static func modulus(of publicKeyInfo: [UInt8]) throws -> ForgedNumber {
        let tree = try DERTree(parsing: publicKeyInfo, openingStrings: true)
        return ForgedNumber(tree[[1, 0, 0]]?.octets ?? [])
    }

    /// Returns the first of many receipts, identical except for their download id, whose signature has some property.
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

    /// Returns an RSASSA-PSS signature with a fixed salt (RFC 8017, section 9.1.1): SHA-256, MGF1 with SHA-256, a salt
    /// of 32 bytes.
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
