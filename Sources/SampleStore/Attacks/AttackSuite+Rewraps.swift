import DER

/// Genuine content in a forger's container, the reverse, and nested containers.
extension AttackSuite {
    @AttackList static var rewraps: [AttackCase] {
        AttackCase(
            "rewrap-own-signer", "The content of a genuine receipt, unchanged, is signed by the forger's own store.",
            why:
                "That the content is genuine shows nowhere but in the signature. What is the forger's stays the forger's.",
            reference: "RFC 5652, section 5.6", fails: .chainUntrusted
        ) { kit in
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
        AttackCase(
            "rewrap-genuine-then-forged-signer",
            "Two SignerInfos: the store's, whose signature holds, and the forger's, whose signature holds, too.",
            why:
                "Apple writes one. With two, “one holds” and “all are trusted” are different questions; a forger who adds one must "
                + "not shed what is known of the receipt either.",
            reference: "RFC 5652, section 5.1; CWE-347", fails: .noncanonicalContainer
        ) { kit in
            try kit.signed {
                let forger = try kit.nobody()
                let signature = try forger.key.signature(over: kit.receipt.der, digest: .sha256)
                $0.certificates.append(forger.certificate)
                $0.signerInfos.append(SignerInfoContent(signer: forger, digest: .sha256, signature: signature))
            }
        }
        AttackCase(
            container: "rewrap-forged-then-genuine-signer",
            "Two SignerInfos: the forger's, whose signature does not hold, then the store's, whose signature does.",
            why: "As before, in the other order.",
            reference: "RFC 5652, section 5.1; CWE-347", fails: .noncanonicalContainer
        ) {
            var forged = $0.signerInfos[0]
            forged.signature = [UInt8](repeating: 0x5a, count: 256)
            $0.signerInfos.insert(forged, at: 0)
        }
        AttackCase(
            container: "rewrap-same-signer-twice", "The store's SignerInfo stands there twice.",
            why: "Apple writes one; the second copy is free to be left out or repeated.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { $0.signerInfos += $0.signerInfos }
        AttackCase(
            "rewrap-forged-content-two-signers",
            "The content is the forger's. His SignerInfo holds; the second one has a genuine signature over a genuine receipt.",
            why: "One signature holds, and one names a trusted signer. They are not the same one.",
            reference: "RFC 5652, section 5.6; CWE-347", fails: .noncanonicalContainer, .chainUntrusted
        ) { kit in
            let genuine = try kit.signed().signerInfos
            var container = try kit.signed(kit.richerReceipt.der, by: kit.rogue)
            container.certificates += kit.store.certificates
            container.signerInfos += genuine
            return container.encoded
        }
        AttackCase(
            container: "rewrap-fifth-signer", "Four SignerInfos do not hold; the fifth is the store's, and does.",
            why: "A bounded verifier looks at so many and no more: at four, here.",
            reference: "RFC 5652, section 5.1; CWE-400", fails: .noncanonicalContainer, .signatureInvalid
        ) {
            var forged = $0.signerInfos[0]
            forged.signature = [UInt8](repeating: 0x5a, count: 256)
            $0.signerInfos = Array(repeating: forged, count: 4) + $0.signerInfos
        }
        AttackCase(
            "rewrap-in-octet-string", "The whole container stands inside an OCTET STRING.",
            why: "A receipt begins with a ContentInfo. Unwrapping what looks like DER makes two forms of one receipt.",
            reference: "RFC 5652, section 3", fails: .unknownFormat
        ) { kit in DERWriter.element(.octetString, try kit.signed().encoded) }
        AttackCase(
            "rewrap-in-sequence", "The whole container stands inside one more SEQUENCE.",
            why: "A receipt begins with a ContentInfo.",
            reference: "RFC 5652, section 3", fails: .unknownFormat
        ) { kit in DERWriter.element(.sequence, try kit.signed().encoded) }
        AttackCase(
            "rewrap-in-signed-data",
            "The whole container is the content of another SignedData, which the forger signed.",
            why:
                "The outer signature is the forger's; the inner one is over something else than what the outer one shows.",
            reference: "RFC 5652, section 5", fails: .unknownFormat
        ) { kit in try kit.signed(kit.signed().encoded, by: kit.rogue).encoded }
        AttackCase(
            "rewrap-in-trusted-signed-data",
            "The forger's container is the content of another SignedData, which the store signed.",
            why: "The outer signature holds, but over a container, not over a receipt.",
            reference: "RFC 5652, section 5", fails: .notAProof
        ) { kit in try kit.signed(kit.signed(kit.richerReceipt.der, by: kit.rogue).encoded).encoded }
        AttackCase(
            "rewrap-in-signed-data-by-type", "As before, and the content type says signedData.",
            why: "A verifier that descends by the type checks the inner signature, and shows the outer signer.",
            reference: "RFC 5652, section 5.2", fails: .noContent
        ) { kit in
            var container = try kit.signed(kit.signed().encoded, by: kit.rogue)
            container.contentType = ObjectIdentifier.signedData
            return container.encoded
        }
        AttackCase(
            "rewrap-in-enveloped-data", "The container stands in an EnvelopedData, to which nobody has a key.",
            why: "There is no signature to be seen from outside.",
            reference: "RFC 5652, section 6", fails: .notSigned
        ) { kit in
            try ContainerVariant.envelopedKind.container(signing: kit.signed().encoded, by: kit.store)
        }
        AttackCase(
            "rewrap-in-compressed-data", "The container stands in a CompressedData.",
            why: "Apple compresses nothing. Whoever unpacks it for the sender can be sent a bomb.",
            reference: "RFC 3274; CWE-409", fails: .unknownFormat
        ) { kit in
            let content = DERWriter.element(.octetString, try kit.signed().encoded)
            let zlib: [UInt8] = SampleOID.timestampInfo.dropLast(2) + [0x03, 0x08]
            let compressed = DERWriter.element(
                .sequence, DERWriter.integer(0), AlgorithmContent(zlib, parameters: nil).der,
                DERWriter.element(
                    .sequence, DERWriter.element(.objectIdentifier, ObjectIdentifier.data),
                    DERWriter.element(.context0, content)))
            return SignedDataContent.other(SampleOID.timestampInfo.dropLast(2) + [0x01, 0x09], compressed)
        }
        AttackCase(
            "rewrap-signature-of-certificate",
            "The content is the leaf's tbsCertificate, and the signature is the intermediate's on that certificate.",
            why:
                "One signature scheme serves certificates and contents: without a key the forger presents one as the other.",
            reference: "RFC 5280, section 4.1.1.3; RFC 5652, section 5.4",
            fails: .notAProof
        ) { kit in
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
