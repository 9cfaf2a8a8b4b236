import DER

/// Proofs that cost a verifier more than a genuine one.
extension AttackSuite {
    @AttackList static var cost: [AttackCase] {
        AttackCase("cost-over-8-mib") { kit in
            let size = 8 << 20 + 1
            let attribute = { (count: Int) in
                SignerInfoContent.attribute(
                    SampleOID.signingDescription,
                    DERWriter.element(.octetString, [UInt8](repeating: 0x5a, count: count)))
            }
            var container = try kit.signed()
            container.signerInfos[0].unsignedAttributes = [attribute(8 << 20 - 8192)]
            let missing = size - container.encoded.count
            container.signerInfos[0].unsignedAttributes = [attribute(8 << 20 - 8192 + missing)]
            return container.encoded
        }
        AttackCase(container: "cost-unsigned-megabytes") {
            $0.signerInfos[0].unsignedAttributes = [
                SignerInfoContent.attribute(
                    SampleOID.signingDescription,
                    DERWriter.element(.octetString, [UInt8](repeating: 0x5a, count: 4 << 20)))
            ]
        }
        AttackCase("cost-deep-nesting") { kit in
            var nested = DERWriter.null
            for _ in 0..<10_000 { nested = DERWriter.element(.sequence, nested) }
            let content = nested
            return try kit.edited { $0.replace(at: Place.content, with: DERTree(raw: content)) }
        }
        AttackCase(container: "cost-five-hundred-signer-infos") {
            $0.signerInfos = Array(repeating: $0.signerInfos[0], count: 500)
        }
        AttackCase("cost-key-of-16384-bits") { kit in
            try kit.signed(byKey: AttackKit.key(bits: 16384, exponent: [1, 0, 1]))
        }
        AttackCase("cost-exponent-of-2047-bits") { kit in
            try kit.signed(byKey: AttackKit.key(bits: 2048, exponent: [UInt8](repeating: 0x7f, count: 256)))
        }
        AttackCase("cost-key-of-16384-bits-with-sha512") { kit in
            try kit.signed(
                byKey: AttackKit.key(bits: 16384, exponent: [1, 0, 1]),
                algorithm: AlgorithmContent(SampleOID.sha512WithRSAEncryption))
        }
        AttackCase("cost-namesakes") { kit in
            let name = CertificateContent.intermediate.subject
            let keys: [SampleKey] = [.rogueRoot, .rogueIntermediate, .developer, .subordinate, .exponent3, .root]
            var issuers: [SampleIdentity] = []
            for (number, key) in keys.enumerated() {
                let content = CertificateContent.intermediate.with {
                    $0.key = key
                    $0.serialNumber += number + 1
                    $0.issuer = name
                    $0.pathLength = nil
                }
                issuers.append(try SampleIdentity(selfSigned: content))
            }
            let leaf = try issuers[0].issue(.leaf.with { $0.key = .rogueLeaf })
            return try kit.signed(by: leaf, [leaf] + issuers)
        }
    }
}

extension AttackKit {
    /// Returns an RSA key without a known private half, as a SubjectPublicKeyInfo.
    fileprivate static func key(bits: Int, exponent: [UInt8]) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(bits))
        var modulus = random.octets(bits / 8)
        modulus[0] |= 0x80
        modulus[modulus.count - 1] |= 1
        let numbers = DERWriter.element(
            .sequence, DERWriter.element(.integer, [0], modulus), DERWriter.element(.integer, exponent))
        return DERWriter.element(
            .sequence, AlgorithmContent.rsaEncryption.der, DERWriter.element(.bitString, [0], numbers))
    }

    /// Returns the receipt in a container of one certificate with this key, and an invalid signature of the key's
    /// length.
    fileprivate func signed(byKey key: [UInt8], algorithm: AlgorithmContent? = nil) throws -> [UInt8] {
        let leaf = try SampleIdentity(
            selfSigned: .leaf.with {
                $0.key = .rogueLeaf
                $0.publicKeyInfo = key
            })
        let size = (key.count > 2000 ? 16384 : 2048) / 8
        var signature = [UInt8](repeating: 0x5a, count: size)
        signature[0] = 0
        var container = SignedDataContent(receipt.der, signer: leaf, digest: .sha256, signature: signature)
        if let algorithm {
            var certificate = try DERTree(parsing: leaf.certificate)
            let tree = try DERTree(parsing: algorithm.der)
            certificate.replace(at: [0, 2], with: tree)
            certificate.replace(at: [1], with: tree)
            container.certificates = [certificate.encoded]
        }
        return container.encoded
    }
}
