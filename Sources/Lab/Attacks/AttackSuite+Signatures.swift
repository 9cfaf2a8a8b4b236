import DER

/// Signatures over something other than the content.
extension AttackSuite {
    @AttackList static var signedOctets: [AttackCase] {
        AttackCase("signature-content-changed") { kit in try kit.signed { $0.content = kit.richerReceipt.der } }
        AttackCase("signature-of-another-receipt") { kit in
            try kit.signed(
                withSignature: kit.signed(kit.receipt { $0.downloadID += 1 }.der).signerInfos[0].signature)
        }
        AttackCase(container: "signature-bit-flipped") { $0.signerInfos[0].signature[255] ^= 1 }
        AttackCase("signature-over-set-contents") { kit in
            try kit.signed(withSignature: kit.signature(over: DERTree(parsing: kit.receipt.der).contents))
        }
        AttackCase("signature-over-octet-string") { kit in
            try kit.signed(withSignature: kit.signature(over: DERTree(.octetString, kit.receipt.der).encoded))
        }
        AttackCase("signature-over-encapsulated-content") { kit in
            let tree = try DERTree(parsing: kit.signed().encoded)
            return try kit.signed(
                withSignature: kit.signature(over: tree[Place.encapsulatedContent]?.encoded ?? []))
        }
        AttackCase("signature-over-sorted-set") { kit in
            let sorted = kit.receipt.der
            var tree = try DERTree(parsing: sorted)
            tree.children.reverse()
            var container = try kit.signed(sorted)
            container.content = tree.encoded
            return container.encoded
        }
        AttackCase("signature-attributes-as-content") { kit in
            let info = try kit.signerInfo(withAttributesOver: kit.receipt.der)
            let attributes = DERWriter.element(DERTag.set.rawValue, info.signedAttributes ?? [])
            return try kit.signed {
                $0.content = attributes
                $0.signerInfos[0].signature = info.signature
            }
        }
        AttackCase("signature-by-the-intermediate") { kit in
            let signature = try kit.store.intermediates[0].key.signature(over: kit.receipt.der, digest: .sha256)
            return try kit.signed(withSignature: signature)
        }
        AttackCase("signature-by-the-forger") { kit in
            let content = kit.richerReceipt.der
            let signature = try kit.rogue.leaf.key.signature(over: content, digest: .sha256)
            return try kit.signed {
                $0.content = content
                $0.signerInfos[0].signature = signature
            }
        }
    }

    /// Algorithms other than RSA with the padding of PKCS #1 version 1.5 and SHA-1 or SHA-256.
    @AttackList static var algorithms: [AttackCase] {
        AttackCase("signature-pss") { kit in
            try kit.signed(withSignature: kit.probabilisticSignature(over: kit.receipt.der))
        }
        AttackCase("signature-pss-named") { kit in
            let signature = try kit.probabilisticSignature(over: kit.receipt.der)
            let sha256 = SampleDigest.sha256.algorithm.der
            // MGF1 is 1.2.840.113549.1.1.8 (RFC 4055, section 2.2).
            let mgf1 = AlgorithmContent([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08], parameters: sha256)
            let parameters = DERWriter.element(
                .sequence, DERWriter.element(.context0, sha256), DERWriter.element(.context1, mgf1.der),
                DERWriter.element(0xa2, [DERWriter.integer(32)]))
            return try kit.signed {
                $0.signerInfos[0].signature = signature
                $0.signerInfos[0].signatureAlgorithm = AlgorithmContent(SampleOID.rsassaPSS, parameters: parameters)
            }
        }
        AttackCase("signature-md5") { kit in try kit.signed(digest: .md5).encoded }
        AttackCase(container: "signature-sha512-named") {
            $0.digestAlgorithms = [AlgorithmContent(SampleOID.sha512)]
            $0.signerInfos[0].digestAlgorithm = AlgorithmContent(SampleOID.sha512)
        }
        AttackCase(container: "signature-sha1-named-for-sha256") {
            $0.digestAlgorithms = [SampleDigest.sha1.algorithm]
            $0.signerInfos[0].digestAlgorithm = SampleDigest.sha1.algorithm
        }
        AttackCase("signature-ecdsa-of-zeros") { kit in
            let store = try kit.store(leaf: .leaf.with { $0.publicKeyInfo = AttackKit.ellipticKey })
            var container = try kit.signed(by: store)
            container.signerInfos[0].signatureAlgorithm = AlgorithmContent(SampleOID.ecdsaWithSHA256, parameters: nil)
            container.signerInfos[0].signature = DERWriter.element(
                .sequence, DERWriter.integer(0), DERWriter.integer(0))
            return container.encoded
        }
    }
}

extension AttackKit {
    /// Returns the store's signature over any bytes.
    func signature(over octets: [UInt8]) throws(SigningError) -> [UInt8] {
        try store.leaf.key.signature(over: octets, digest: .sha256)
    }

    /// A key on the curve P-256 with the private half 1: the generator (SEC 2, section 2.4.2).
    fileprivate static var ellipticKey: [UInt8] {
        let generator: [UInt8] = [
            0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
            0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
            0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
            0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
        ]
        let curve = DERWriter.element(.objectIdentifier, SampleOID.secp256r1)
        return DERWriter.element(
            .sequence, AlgorithmContent(SampleOID.ecPublicKey, parameters: curve).der,
            DERWriter.element(.bitString, [0, 4] + generator))
    }
}
