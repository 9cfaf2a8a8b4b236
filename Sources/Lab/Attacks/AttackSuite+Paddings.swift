import DER

/// Encoded messages that nearly equal the one under a valid signature (RFC 8017, section 9.2).
extension AttackSuite {
    @AttackList static var paddings: [AttackCase] {
        AttackCase("padding-bleichenbacher-2006") { kit in
            let store = try kit.store(leaf: .leaf.with { $0.key = .exponent3 })
            var padding = PaddingContent(kit.richerReceipt.der)
            padding.paddingCount = 8
            // The cube of the next larger root has the same leading bytes; it differs only in the bytes after them.
            padding.rest = [UInt8](repeating: 0xff, count: 256 - 2 - 8 - 1 - padding.digestInfo.count)
            let signature = ForgedNumber(padding.encoded()).cubeRoot.octets(256) ?? []
            return try kit.signed(kit.richerReceipt.der, by: store, signature: signature)
        }
        AttackCase("padding-garbage-in-parameters-with-exponent-3") { kit in
            let store = try kit.store(leaf: .leaf.with { $0.key = .exponent3 })
            var padding = PaddingContent(kit.richerReceipt.der)
            padding.paddingCount = 8
            padding.digestInfo = Array(padding.digestInfo.prefix(15))
            padding.rest = [UInt8](repeating: 0xff, count: 256 - 2 - 8 - 1 - 15)
            let signature = ForgedNumber(padding.encoded()).cubeRoot.octets(256) ?? []
            return try kit.signed(kit.richerReceipt.der, by: store, signature: signature)
        }
        AttackCase("padding-garbage-behind-digest") { kit in
            try kit.signed(encoding: {
                $0.paddingCount = 8
                $0.rest = [UInt8](repeating: 0x5a, count: 256 - 2 - 8 - 1 - $0.digestInfo.count)
            })
        }
        AttackCase("padding-zeros-behind-digest") { kit in try kit.signed(encoding: { $0.paddingCount = 8 }) }
        AttackCase("padding-garbage-in-digest-info") { kit in
            try kit.signed(encoding: {
                var tree = try DERTree(parsing: $0.digestInfo)
                tree.children.append(DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32)))
                $0.digestInfo = tree.encoded
            })
        }
        AttackCase("padding-garbage-in-parameters") { kit in
            try kit.signed(encoding: {
                var algorithm = SampleDigest.sha256.algorithm
                algorithm.parameters = DERWriter.element(.octetString, [UInt8](repeating: 0x5a, count: 64))
                $0.digestInfo = PaddingContent.digestInfo(SampleDigest.sha256.hash(kit.receipt.der), algorithm)
            })
        }
        AttackCase("padding-long-lengths-in-digest-info") { kit in
            try kit.signed(encoding: {
                var tree = try DERTree(parsing: $0.digestInfo)
                tree.length = .long(100)
                $0.digestInfo = tree.encoded
            })
        }
        AttackCase("padding-without-null") { kit in
            try kit.signed(encoding: {
                var algorithm = SampleDigest.sha256.algorithm
                algorithm.parameters = nil
                $0.digestInfo = PaddingContent.digestInfo(SampleDigest.sha256.hash(kit.receipt.der), algorithm)
            })
        }
        AttackCase("padding-other-digest") { kit in
            try kit.signed(encoding: { $0 = PaddingContent(kit.receipt.der, digest: .sha1) })
        }
        AttackCase("padding-mislabelled-digest") { kit in
            try kit.signed(encoding: {
                $0.digestInfo = PaddingContent.digestInfo(
                    SampleDigest.sha256.hash(kit.receipt.der), SampleDigest.sha1.algorithm)
            })
        }
        AttackCase("padding-bare-digest") { kit in
            try kit.signed(encoding: { $0.digestInfo = SampleDigest.sha256.hash(kit.receipt.der) })
        }
        AttackCase("padding-truncated-digest") { kit in
            try kit.signed(encoding: {
                $0.digestInfo = PaddingContent.digestInfo(
                    Array(SampleDigest.sha256.hash(kit.receipt.der).prefix(20)), SampleDigest.sha256.algorithm)
            })
        }
        AttackCase("padding-not-all-ones") { kit in try kit.signed(encoding: { $0.padding = 0xfe }) }
        AttackCase("padding-empty") { kit in
            try kit.signed(encoding: {
                $0.paddingCount = 0
                $0.separator = [UInt8](repeating: 0, count: 256 - 2 - $0.digestInfo.count)
            })
        }
        AttackCase("padding-two-separators") { kit in try kit.signed(encoding: { $0.separator = [0, 0] }) }
        AttackCase("padding-without-separator") { kit in try kit.signed(encoding: { $0.separator = [] }) }
        AttackCase("padding-block-type-2") { kit in try kit.signed(encoding: { $0.start = [0, 2] }) }
        AttackCase("padding-block-type-0") { kit in
            try kit.signed(encoding: {
                $0.start = [0, 0]
                $0.padding = 0
            })
        }
        AttackCase("padding-first-octet") { kit in try kit.signed(encoding: { $0.start = [1, 1] }) }
    }

    /// Signatures that are out of range as numbers, or have the wrong length.
    @AttackList static var numbers: [AttackCase] {
        AttackCase("signature-plus-modulus") { kit in
            let modulus = try AttackKit.modulus(of: kit.store.leaf.key.publicKeyInfo)
            let (content, signature) = try kit.firstSignature { (ForgedNumber($0) + modulus).octets(256) != nil }
            return try kit.signed(
                content, by: kit.store, signature: (ForgedNumber(signature) + modulus).octets(256) ?? [])
        }
        AttackCase(container: "signature-leading-zero") { $0.signerInfos[0].signature.insert(0, at: 0) }
        AttackCase("signature-without-leading-zero") { kit in
            let (content, signature) = try kit.firstSignature { $0[0] == 0 }
            return try kit.signed(content, by: kit.store, signature: Array(signature.dropFirst()))
        }
        AttackCase(container: "signature-reversed") { $0.signerInfos[0].signature.reverse() }
        AttackCase("signature-zero") { kit in try kit.signed(withSignature: [UInt8](repeating: 0, count: 256)) }
        AttackCase("signature-one") { kit in try kit.signed(withSignature: [UInt8](repeating: 0, count: 255) + [1]) }
        AttackCase("signature-empty") { kit in try kit.signed(withSignature: []) }
        AttackCase("signature-exponent-one") { kit in
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
