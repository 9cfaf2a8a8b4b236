import DER

/// Genuine content in a forger's container, the reverse, and nested containers.
extension AttackSuite {
    @AttackList static var rewraps: [AttackCase] {
        AttackCase("rewrap-own-signer") { kit in
            let signer = try kit.nobody()
            var container = try kit.signed()
            container.certificates = [signer.certificate] + container.certificates
            container.signerInfos = [
                SignerInfoContent(
                    signer: signer, digest: .sha256,
                    signature: try signer.key.signature(over: kit.receipt.der, digest: .sha256))
            ]
            return container.encoded
        }
        AttackCase("rewrap-genuine-then-forged-signer") { kit in
            try kit.signed {
                let forger = try kit.nobody()
                let signature = try forger.key.signature(over: kit.receipt.der, digest: .sha256)
                $0.certificates.append(forger.certificate)
                $0.signerInfos.append(SignerInfoContent(signer: forger, digest: .sha256, signature: signature))
            }
        }
        AttackCase(container: "rewrap-forged-then-genuine-signer") {
            var forged = $0.signerInfos[0]
            forged.signature = [UInt8](repeating: 0x5a, count: 256)
            $0.signerInfos.insert(forged, at: 0)
        }
        AttackCase(container: "rewrap-same-signer-twice") { $0.signerInfos += $0.signerInfos }
        AttackCase("rewrap-forged-content-two-signers") { kit in
            let genuine = try kit.signed().signerInfos
            var container = try kit.signed(kit.richerReceipt.der, by: kit.rogue)
            container.certificates += kit.store.certificates
            container.signerInfos += genuine
            return container.encoded
        }
        AttackCase(container: "rewrap-fifth-signer") {
            var forged = $0.signerInfos[0]
            forged.signature = [UInt8](repeating: 0x5a, count: 256)
            $0.signerInfos = Array(repeating: forged, count: 4) + $0.signerInfos
        }
        AttackCase("rewrap-in-octet-string") { kit in DERWriter.element(.octetString, try kit.signed().encoded) }
        AttackCase("rewrap-in-sequence") { kit in DERWriter.element(.sequence, try kit.signed().encoded) }
        AttackCase("rewrap-in-signed-data") { kit in try kit.signed(kit.signed().encoded, by: kit.rogue).encoded }
        AttackCase("rewrap-in-trusted-signed-data") { kit in
            try kit.signed(kit.signed(kit.richerReceipt.der, by: kit.rogue).encoded).encoded
        }
        AttackCase("rewrap-in-signed-data-by-type") { kit in
            var container = try kit.signed(kit.signed().encoded, by: kit.rogue)
            container.contentType = ObjectIdentifier.signedData
            return container.encoded
        }
        AttackCase("rewrap-in-enveloped-data") { kit in
            try ContainerVariant.envelopedKind.container(signing: kit.signed().encoded, by: kit.store)
        }
        AttackCase("rewrap-in-compressed-data") { kit in
            let content = DERWriter.element(.octetString, try kit.signed().encoded)
            let zlib: [UInt8] = SampleOID.timestampInfo.dropLast(2) + [0x03, 0x08]
            let compressed = DERWriter.element(
                .sequence, DERWriter.integer(0), AlgorithmContent(zlib, parameters: nil).der,
                DERWriter.element(
                    .sequence, DERWriter.element(.objectIdentifier, ObjectIdentifier.data),
                    DERWriter.element(.context0, content)))
            return SignedDataContent.other(SampleOID.timestampInfo.dropLast(2) + [0x01, 0x09], compressed)
        }
        AttackCase("rewrap-signature-of-certificate") { kit in
            let leaf = try DERTree(parsing: kit.store.leaf.certificate, openingStrings: true)
            return try kit.signed {
                $0.content = leaf[[0]]?.encoded
                $0.signerInfos[0].issuer = kit.store.root.content.subject.der
                $0.signerInfos[0].serialNumber = CertificateContent.intermediate.serialNumber
                $0.signerInfos[0].signature = Array((leaf[[2]]?.contents ?? []).dropFirst())
            }
        }
    }
}

extension AttackKit {
    /// Returns an identity with a separate certificate, which names nobody else.
    fileprivate func nobody() throws(SigningError) -> SampleIdentity {
        try SampleIdentity(
            selfSigned: CertificateContent(
                DistinguishedName("Nobody", organization: "Nobody"), serialNumber: 1, notBefore: .utc(2015),
                notAfter: .utc(2033), key: .rogueLeaf))
    }
}
