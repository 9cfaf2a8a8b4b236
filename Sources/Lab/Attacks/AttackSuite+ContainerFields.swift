import DER

/// Fields of the container that Apple never fills, or fills with one value.
extension AttackSuite {
    @AttackList static var containerFields: [AttackCase] {
        AttackCase(container: "container-version-3") { $0.version = 3 }
        AttackCase(container: "container-version-negative") { $0.version = -1 }
        AttackCase(container: "container-signer-info-version-3") { $0.signerInfos[0].version = 3 }
        AttackCase(container: "container-two-digest-algorithms") {
            $0.digestAlgorithms.append(SampleDigest.sha1.algorithm)
        }
        AttackCase(container: "container-other-digest-algorithm") {
            $0.digestAlgorithms = [SampleDigest.sha1.algorithm]
        }
        AttackCase(container: "container-no-digest-algorithm") { $0.digestAlgorithms = [] }
        AttackCase(container: "container-many-digest-algorithms") {
            $0.digestAlgorithms = Array(repeating: SampleDigest.sha256.algorithm, count: 100)
        }
        AttackCase(container: "container-digest-parameters") {
            $0.signerInfos[0].digestAlgorithm.parameters = DERWriter.element(
                .octetString, [UInt8](repeating: 0x5a, count: 64))
        }
        AttackCase(container: "container-signature-parameters") {
            $0.signerInfos[0].signatureAlgorithm.parameters = DERWriter.integer(65537)
        }
        AttackCase(container: "container-null-with-contents") {
            $0.digestAlgorithms[0].parameters = [0x05, 0x01, 0x00]
        }
        AttackCase(container: "container-named-signature-algorithm") {
            $0.signerInfos[0].signatureAlgorithm = SampleDigest.sha256.signatureAlgorithm
        }
        AttackCase(encoding: "container-revocation-lists") {
            $0.insert(DERTree(identifier: [0xa1], children: [DERTree(.sequence, [.null])]), at: Place.signerInfos)
        }
        AttackCase(encoding: "container-attribute-certificate") {
            $0.append(
                DERTree(identifier: [0xa2], children: [DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32))]),
                in: Place.certificates)
        }
        AttackCase("container-signed-attributes") { kit in
            try kit.signed { $0.signerInfos = [try kit.signerInfo(withAttributesOver: kit.receipt.der)] }
        }
        AttackCase("container-signed-attributes-of-another-receipt") { kit in
            try kit.signed {
                $0.content = kit.richerReceipt.der
                $0.signerInfos = [try kit.signerInfo(withAttributesOver: kit.receipt.der)]
            }
        }
        AttackCase(container: "container-signed-attributes-empty") { $0.signerInfos[0].signedAttributes = [] }
        AttackCase(container: "container-unsigned-attributes") {
            $0.signerInfos[0].unsignedAttributes = [
                SignerInfoContent.attribute(SampleOID.signingDescription, DERWriter.utf8String("a note"))
            ]
        }
    }

    /// Containers of another kind, or with another kind of content.
    @AttackList static var containerKinds: [AttackCase] {
        AttackCase("container-kind-data") { kit in SignedDataContent.data(kit.receipt.der) }
        AttackCase("container-kind-digested-data") { kit in
            let content = kit.receipt.der
            let digested = DERWriter.element(
                .sequence, DERWriter.integer(0), SampleDigest.sha256.algorithm.der,
                DERWriter.element(
                    .sequence, DERWriter.element(.objectIdentifier, ObjectIdentifier.data),
                    DERWriter.element(.context0, DERWriter.element(.octetString, content))),
                DERWriter.element(.octetString, SampleDigest.sha256.hash(content)))
            return SignedDataContent.other(ObjectIdentifier.pkcs7 + [0x05], digested)
        }
        AttackCase("container-kind-authenticated-data") { kit in
            let authData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x02]
            return SignedDataContent.other(authData, DERWriter.element(.sequence, kit.receipt.der))
        }
        AttackCase(container: "container-content-type-timestamp") { $0.contentType = SampleOID.timestampInfo }
        AttackCase(container: "container-content-type-signed-data") { $0.contentType = ObjectIdentifier.signedData }
        AttackCase(container: "container-detached") { $0.content = nil }
        AttackCase("container-empty-content") { kit in try kit.signed([]).encoded }
        AttackCase(container: "container-no-signer-info") { $0.signerInfos = [] }
        AttackCase(container: "container-no-certificates") { $0.certificates = [] }
    }
}

extension AttackKit {
    /// Returns a SignerInfo of the store with signed attributes over some content, and a valid signature over them.
    func signerInfo(withAttributesOver content: [UInt8]) throws(SigningError) -> SignerInfoContent {
        try .withSignedAttributes(over: content, by: store.leaf, digest: .sha256)
    }
}
