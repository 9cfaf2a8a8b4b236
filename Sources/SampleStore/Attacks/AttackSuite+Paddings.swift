import DER

/// Encoded messages that nearly equal the one under a valid signature (RFC 8017, section 9.2).
extension AttackSuite {
    @AttackList static var paddings: [AttackCase] {
        AttackCase(
            "padding-bleichenbacher-2006",
            "The leaf's exponent is 3, and the signature is the cube root of a short padding, the DigestInfo and garbage.",
            why:
                "Made without the private key. A verifier that does not look behind the DigestInfo accepts it for every content.",
            reference: "Bleichenbacher, CRYPTO 2006 rump session; CVE-2006-4339; CVE-2016-1494",
            fails: .signatureInvalid
        ) { kit in
            let store = try kit.store(leaf: .leaf.with { $0.key = .exponent3 })
            var padding = PaddingContent(kit.richerReceipt.der)
            padding.paddingCount = 8
            // The cube of the next larger root has the same leading bytes; it differs only in the bytes after them.
            padding.rest = [UInt8](repeating: 0xff, count: 256 - 2 - 8 - 1 - padding.digestInfo.count)
            let signature = ForgedNumber(padding.encoded()).cubeRoot.octets(256) ?? []
            return try kit.signed(kit.richerReceipt.der, by: store, signature: signature)
        }
        AttackCase(
            "padding-garbage-in-parameters-with-exponent-3",
            "The leaf's exponent is 3, and the signature is a cube root; the garbage stands in place of the DigestInfo's end.",
            why:
                "A verifier that reads the digest algorithm and then takes the digest from the right end has no octet between "
                + "the two that it checks.",
            reference:
                "Chau et al., “Analyzing Semantic Correctness with Symbolic Execution”, NDSS 2019; CVE-2018-16152",
            fails: .signatureInvalid
        ) { kit in
            let store = try kit.store(leaf: .leaf.with { $0.key = .exponent3 })
            var padding = PaddingContent(kit.richerReceipt.der)
            padding.paddingCount = 8
            padding.digestInfo = Array(padding.digestInfo.prefix(15))
            padding.rest = [UInt8](repeating: 0xff, count: 256 - 2 - 8 - 1 - 15)
            let signature = ForgedNumber(padding.encoded()).cubeRoot.octets(256) ?? []
            return try kit.signed(kit.richerReceipt.der, by: store, signature: signature)
        }
        AttackCase(
            "padding-garbage-behind-digest", "Eight octets of padding, the DigestInfo, and garbage up to the end.",
            why: "The padding must fill all of the modulus that the DigestInfo leaves.",
            reference: "RFC 8017, section 9.2; CVE-2006-4339; CVE-2018-16150", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                $0.paddingCount = 8
                $0.rest = [UInt8](repeating: 0x5a, count: 256 - 2 - 8 - 1 - $0.digestInfo.count)
            })
        }
        AttackCase(
            "padding-zeros-behind-digest", "Eight octets of padding, the DigestInfo, and zeros up to the end.",
            why: "As before; zeros are what a verifier that reads strings may not see.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.paddingCount = 8 }) }
        AttackCase(
            "padding-garbage-in-digest-info", "An OCTET STRING of 32 octets follows the digest inside the DigestInfo.",
            why: "A DigestInfo has two fields. A decoder that reads two and stops leaves room for a cube root.",
            reference: "RFC 8017, appendix A.2.4; CVE-2014-1568", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                var tree = try DERTree(parsing: $0.digestInfo)
                tree.children.append(DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32)))
                $0.digestInfo = tree.encoded
            })
        }
        AttackCase(
            "padding-garbage-in-parameters", "The digest algorithm's parameters are an OCTET STRING of 64 octets.",
            why: "SHA-256 has no parameters: the octets are free, and give room for a cube root.",
            reference: "RFC 8017, appendix B.1; CVE-2006-4340; CVE-2018-16152", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                var algorithm = SampleDigest.sha256.algorithm
                algorithm.parameters = DERWriter.element(.octetString, [UInt8](repeating: 0x5a, count: 64))
                $0.digestInfo = PaddingContent.digestInfo(SampleDigest.sha256.hash(kit.receipt.der), algorithm)
            })
        }
        AttackCase(
            "padding-long-lengths-in-digest-info", "The DigestInfo's length has a hundred leading octets of zero.",
            why: "BERserk: a decoder that skips the octets of long lengths leaves them free.",
            reference: "CVE-2014-1568; X.690, section 10.1", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                var tree = try DERTree(parsing: $0.digestInfo)
                tree.length = .long(100)
                $0.digestInfo = tree.encoded
            })
        }
        AttackCase(
            "padding-without-null", "The DigestInfo leaves out the NULL of the digest algorithm.",
            why: "The encoding has the NULL: who makes it and compares needs not parse what a forger wrote. Some "
                + "implementations accept both.",
            reference: "RFC 8017, section 9.2, note 1, and appendix A.2.4", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                var algorithm = SampleDigest.sha256.algorithm
                algorithm.parameters = nil
                $0.digestInfo = PaddingContent.digestInfo(SampleDigest.sha256.hash(kit.receipt.der), algorithm)
            })
        }
        AttackCase(
            "padding-other-digest", "The DigestInfo is SHA-1's, with the SHA-1 digest; the SignerInfo says SHA-256.",
            why:
                "The digest algorithm of the DigestInfo must be that of the SignerInfo, or a broken one can be brought in.",
            reference: "RFC 8017, section 8.2.2", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: { $0 = PaddingContent(kit.receipt.der, digest: .sha1) })
        }
        AttackCase(
            "padding-mislabelled-digest", "The DigestInfo says SHA-1, but holds the SHA-256 digest.",
            why: "A verifier that compares only as many octets as it expects, or only the digest, accepts it.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                $0.digestInfo = PaddingContent.digestInfo(
                    SampleDigest.sha256.hash(kit.receipt.der), SampleDigest.sha1.algorithm)
            })
        }
        AttackCase(
            "padding-bare-digest", "The digest stands behind the padding without a DigestInfo.",
            why:
                "Without the algorithm, a digest of one kind can be presented as one of another. TLS 1.1 signed like this, CMS "
                + "never did.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: { $0.digestInfo = SampleDigest.sha256.hash(kit.receipt.der) })
        }
        AttackCase(
            "padding-truncated-digest", "The DigestInfo holds the first 20 octets of the SHA-256 digest.",
            why: "A verifier that compares as many octets as it finds checks fewer; in the end none.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                $0.digestInfo = PaddingContent.digestInfo(
                    Array(SampleDigest.sha256.hash(kit.receipt.der).prefix(20)), SampleDigest.sha256.algorithm)
            })
        }
        AttackCase(
            "padding-not-all-ones", "The padding's octets are 0xfe.",
            why: "Every octet of the padding is fixed; those that are not compared are a forger's.",
            reference: "RFC 8017, section 9.2; CVE-2018-15836", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.padding = 0xfe }) }
        AttackCase(
            "padding-empty",
            "No padding stands between the block type and the separator; the DigestInfo stands at the end.",
            why: "At least eight octets of padding are required, and as many as there is room for.",
            reference: "RFC 8017, section 9.2, step 3", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                $0.paddingCount = 0
                $0.separator = [UInt8](repeating: 0, count: 256 - 2 - $0.digestInfo.count)
            })
        }
        AttackCase(
            "padding-two-separators", "Two octets of zero stand between the padding and the DigestInfo.",
            why: "A verifier that skips all zeros behind the padding leaves their number free.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.separator = [0, 0] }) }
        AttackCase(
            "padding-without-separator", "No octet of zero stands between the padding and the DigestInfo.",
            why: "The separator is part of the encoding.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.separator = [] }) }
        AttackCase(
            "padding-block-type-2", "The block type is 02, that of encryption.",
            why: "Its padding is random: two hundred free octets.",
            reference: "RFC 8017, sections 7.2.1 and 9.2; CVE-2018-15836", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.start = [0, 2] }) }
        AttackCase(
            "padding-block-type-0", "The block type is 00, whose padding is zeros.",
            why: "PKCS #1 version 1.5 allowed it for private-key operations; its end is ambiguous.",
            reference: "RFC 2313, section 8.1; RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in
            try kit.signed(encoding: {
                $0.start = [0, 0]
                $0.padding = 0
            })
        }
        AttackCase(
            "padding-first-octet", "The first octet is 01 in place of 00.",
            why: "The first octet is part of the encoding; a verifier that drops it leaves it free.",
            reference: "RFC 8017, section 9.2", fails: .signatureInvalid
        ) { kit in try kit.signed(encoding: { $0.start = [1, 1] }) }
    }

    /// Signatures that are out of range as numbers, or have the wrong length.
    @AttackList static var numbers: [AttackCase] {
        AttackCase(
            "signature-plus-modulus", "The modulus is added to the signature.",
            why:
                "Modulo the modulus it is the same number; its range must be checked, or every receipt has two signatures.",
            reference: "RFC 8017, section 5.2.2, step 1", fails: .signatureInvalid
        ) { kit in
            let modulus = try AttackKit.modulus(of: kit.store.leaf.key.publicKeyInfo)
            let (content, signature) = try kit.firstSignature { (ForgedNumber($0) + modulus).octets(256) != nil }
            return try kit.signed(
                content, by: kit.store, signature: (ForgedNumber(signature) + modulus).octets(256) ?? [])
        }
        AttackCase(
            container: "signature-leading-zero", "An octet of zero stands in front of the signature.",
            why: "A signature has exactly as many octets as the modulus; one more makes another file.",
            reference: "RFC 8017, section 8.2.2, step 1", fails: .signatureInvalid
        ) { $0.signerInfos[0].signature.insert(0, at: 0) }
        AttackCase(
            "signature-without-leading-zero", "The signature's first octet is zero, and is left out.",
            why: "The number is the same; the length is not. Verifiers differ here.",
            reference: "RFC 8017, section 8.2.2, step 1", fails: .signatureInvalid
        ) { kit in
            let (content, signature) = try kit.firstSignature { $0[0] == 0 }
            return try kit.signed(content, by: kit.store, signature: Array(signature.dropFirst()))
        }
        AttackCase(
            container: "signature-reversed", "The octets of the signature stand in reverse order.",
            why:
                "Some systems write the lowest octet first; a verifier that tries both has two signatures for each receipt.",
            reference: "RFC 8017, section 4.1", fails: .signatureInvalid
        ) { $0.signerInfos[0].signature.reverse() }
        AttackCase(
            "signature-zero", "The signature is 256 octets of zero.",
            why: "Zero to any power is zero, which is no encoding of anything.",
            reference: "RFC 8017, section 5.2.2", fails: .signatureInvalid
        ) { kit in try kit.signed(withSignature: [UInt8](repeating: 0, count: 256)) }
        AttackCase(
            "signature-one", "The signature is the number 1.",
            why: "One to any power is one, which is no encoding of anything.",
            reference: "RFC 8017, section 5.2.2", fails: .signatureInvalid
        ) { kit in try kit.signed(withSignature: [UInt8](repeating: 0, count: 255) + [1]) }
        AttackCase(
            "signature-empty", "The signature is an OCTET STRING of no octets.",
            why: "A comparison over the shorter of two lengths compares nothing.",
            reference: "RFC 8017, section 8.2.2, step 1; CWE-347", fails: .signatureInvalid
        ) { kit in try kit.signed(withSignature: []) }
        AttackCase(
            "signature-exponent-one", "The leaf's public exponent is 1, and the signature is the padded digest itself.",
            why: "To the power of one everything is its own signature: everybody can sign.",
            reference: "RFC 8017, section 3.1", fails: .signatureInvalid
        ) { kit in
            var key = try DERTree(parsing: kit.store.leaf.key.publicKeyInfo, openingStrings: true)
            key.replace(at: [1, 0, 1], with: DERTree(.integer, [1]))
            let encoded = key.encoded
            let store = try kit.store(leaf: .leaf.with { $0.publicKeyInfo = encoded })
            let content = kit.richerReceipt.der
            return try kit.signed(content, by: store, signature: PaddingContent(content).encoded())
        }
    }
}

extension AttackKit {
    /// Returns a container with some content, some store's certificates and this signature.
    fileprivate func signed(
        _ content: [UInt8], by authority: PrivateAuthority, signature: [UInt8]
    ) throws -> [UInt8] {
        var container = try signed(content, by: authority)
        container.signerInfos[0].signature = signature
        return container.encoded
    }
}
