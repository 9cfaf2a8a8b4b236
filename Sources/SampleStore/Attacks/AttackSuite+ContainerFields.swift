import DER

/// Fields of the container that Apple never fills, or fills with one value.
extension AttackSuite {
    @AttackList static var containerFields: [AttackCase] {
        AttackCase(
            container: "container-version-3", "The SignedData has version 3.",
            why: "Version 3 announces contents that receipts do not have; nothing signs the number.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { $0.version = 3 }
        AttackCase(
            container: "container-version-negative", "The SignedData has version -1.",
            why: "Nothing signs the number, and no version is negative.",
            reference: "RFC 5652, section 10.2.5", fails: .noncanonicalContainer
        ) { $0.version = -1 }
        AttackCase(
            container: "container-signer-info-version-3",
            "The SignerInfo has version 3, but names issuer and serial number.",
            why: "Version 3 is for a subjectKeyIdentifier; nothing signs the number.",
            reference: "RFC 5652, section 5.3", fails: .noncanonicalContainer
        ) { $0.signerInfos[0].version = 3 }
        AttackCase(
            container: "container-two-digest-algorithms",
            "The SignedData lists SHA-1 besides the SHA-256 that is used.",
            why: "The list is not signed. A receipt of Apple's lists the one digest that is used.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { $0.digestAlgorithms.append(SampleDigest.sha1.algorithm) }
        AttackCase(
            container: "container-other-digest-algorithm",
            "The SignedData lists SHA-1 alone, while the SignerInfo uses SHA-256.",
            why:
                "A verifier that goes by the list computes another digest than the one that was signed. The signature itself "
                + "still holds, so that the receipt stays genuine: a forger must not shed other findings this way.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { $0.digestAlgorithms = [SampleDigest.sha1.algorithm] }
        AttackCase(
            container: "container-no-digest-algorithm", "The SignedData lists no digest algorithm at all.",
            why: "The list is not signed, so that it can be emptied.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { $0.digestAlgorithms = [] }
        AttackCase(
            container: "container-many-digest-algorithms", "The SignedData lists SHA-256 a hundred times.",
            why: "A verifier that computes a digest for each entry does a hundred times the work.",
            reference: "RFC 5652, section 5.1; CWE-400", fails: .noncanonicalContainer
        ) { $0.digestAlgorithms = Array(repeating: SampleDigest.sha256.algorithm, count: 100) }
        AttackCase(
            container: "container-digest-parameters",
            "The SignerInfo's digest algorithm has an OCTET STRING of 64 octets as parameters.",
            why: "SHA-256 has no parameters; whatever stands there is free.",
            reference: "RFC 5754, section 2", fails: .noncanonicalContainer
        ) {
            $0.signerInfos[0].digestAlgorithm.parameters = DERWriter.element(
                .octetString, [UInt8](repeating: 0x5a, count: 64))
        }
        AttackCase(
            container: "container-signature-parameters",
            "The signature algorithm rsaEncryption has an INTEGER as parameters.",
            why: "rsaEncryption takes NULL; whatever else stands there is free.",
            reference: "RFC 3370, section 3.2", fails: .noncanonicalContainer
        ) { $0.signerInfos[0].signatureAlgorithm.parameters = DERWriter.integer(65537) }
        AttackCase(
            container: "container-null-with-contents", "The NULL of the digest algorithm has an octet of contents.",
            why: "A NULL has none; the octet is free.",
            reference: "X.690, section 8.8.2", fails: .noncanonicalContainer
        ) { $0.digestAlgorithms[0].parameters = [0x05, 0x01, 0x00] }
        AttackCase(
            container: "container-named-signature-algorithm",
            "The signature algorithm is sha256WithRSAEncryption, where Apple writes rsaEncryption.",
            why: "CMS allows both, Apple writes one; nothing signs which.",
            reference: "RFC 5754, section 3.2", fails: .noncanonicalContainer
        ) { $0.signerInfos[0].signatureAlgorithm = SampleDigest.sha256.signatureAlgorithm }
        AttackCase(
            encoding: "container-revocation-lists", "The SignedData carries a revocation list.",
            why:
                "The field is not signed, a receipt has none, and a verifier that uses it lets the forger say who is revoked.",
            reference: "RFC 5652, section 10.2.1", fails: .noncanonicalContainer
        ) { $0.insert(DERTree(identifier: [0xa1], children: [DERTree(.sequence, [.null])]), at: Place.signerInfos) }
        AttackCase(
            encoding: "container-attribute-certificate",
            "The certificates' field holds an attribute certificate of 32 free octets.",
            why: "Most readers skip the choices that they do not know; what they skip is free.",
            reference: "RFC 5652, section 10.2.2", fails: .noncanonicalContainer
        ) {
            $0.append(
                DERTree(identifier: [0xa2], children: [DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32))]),
                in: Place.certificates)
        }
        AttackCase(
            "container-signed-attributes",
            "The signature is over signed attributes, which hold the digest of the content.",
            why:
                "That is good CMS, but Apple signs the content itself. Who accepts both lets a signature over attributes be "
                + "presented as one over a content.",
            reference: "RFC 5652, section 5.4", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
            try kit.signed { $0.signerInfos = [try kit.signerInfo(withAttributesOver: kit.receipt.der)] }
        }
        AttackCase(
            "container-signed-attributes-of-another-receipt",
            "The signed attributes hold the digest of another receipt than the content.",
            why:
                "The signature holds over the attributes, but they vouch for something else. A verifier must compare the digest "
                + "in them with that of the content, too.",
            reference: "RFC 5652, section 5.6; CVE-2009-0591", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
            try kit.signed {
                $0.content = kit.richerReceipt.der
                $0.signerInfos = [try kit.signerInfo(withAttributesOver: kit.receipt.der)]
            }
        }
        AttackCase(
            container: "container-signed-attributes-empty",
            "Empty signed attributes stand in front of a signature over the content.",
            why:
                "With the field present the signature must be over it: a verifier that falls back to the content accepts what "
                + "no signer made.",
            reference: "RFC 5652, section 5.4", fails: .noncanonicalContainer, .signatureInvalid
        ) { $0.signerInfos[0].signedAttributes = [] }
        AttackCase(
            container: "container-unsigned-attributes", "The SignerInfo carries an unsigned attribute.",
            why: "Nothing signs it: free octets inside a file whose signature holds.",
            reference: "RFC 5652, section 5.3", fails: .noncanonicalContainer
        ) {
            $0.signerInfos[0].unsignedAttributes = [
                SignerInfoContent.attribute(SampleOID.signingDescription, DERWriter.utf8String("a note"))
            ]
        }
    }

    /// Containers of another kind, or with another kind of content.
    @AttackList static var containerKinds: [AttackCase] {
        AttackCase(
            "container-kind-data", "The receipt stands in a ContentInfo of the type data, which nobody signs.",
            why: "There is no signature to check. A verifier that checks only those that are there accepts it.",
            reference: "RFC 5652, section 4", fails: .notSigned
        ) { kit in SignedDataContent.data(kit.receipt.der) }
        AttackCase(
            "container-kind-digested-data", "The receipt stands in a DigestedData, whose digest holds.",
            why: "A digest is no signature: everybody can compute it.",
            reference: "RFC 5652, section 7", fails: .notSigned
        ) { kit in
            let content = kit.receipt.der
            let digested = DERWriter.element(
                .sequence, DERWriter.integer(0), SampleDigest.sha256.algorithm.der,
                DERWriter.element(
                    .sequence, DERWriter.element(.objectIdentifier, ObjectIdentifier.data),
                    DERWriter.element(.context0, DERWriter.element(.octetString, content))),
                DERWriter.element(.octetString, SampleDigest.sha256.hash(content)))
            return SignedDataContent.other(ObjectIdentifier.pkcs7 + [0x05], digested)
        }
        AttackCase(
            "container-kind-authenticated-data", "The receipt stands in an AuthenticatedData.",
            why: "Its key is the recipient's own; nobody signed anything, and it is no PKCS #7.",
            reference: "RFC 5652, section 9", fails: .unknownFormat
        ) { kit in
            let authData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x02]
            return SignedDataContent.other(authData, DERWriter.element(.sequence, kit.receipt.der))
        }
        AttackCase(
            container: "container-content-type-timestamp",
            "The content type is that of a time stamp (id-ct-TSTInfo), not data.",
            why:
                "A signature over another type of content is no signature over a receipt. Nothing signs the type: the signer "
                + "must be held to it.",
            reference: "RFC 5652, section 5.2; RFC 3161, section 2.4.2", fails: .noContent
        ) { $0.contentType = SampleOID.timestampInfo }
        AttackCase(
            container: "container-content-type-signed-data",
            "The content type is signedData, while the content is the receipt.",
            why: "The type is not signed, and a reader that goes by it looks for a container in the receipt.",
            reference: "RFC 5652, section 5.2", fails: .noContent
        ) { $0.contentType = ObjectIdentifier.signedData }
        AttackCase(
            container: "container-detached", "The content is left out: a detached signature.",
            why:
                "There is no receipt in it. A verifier that gets the content from elsewhere lets the forger supply it.",
            reference: "RFC 5652, section 5.2", fails: .noContent
        ) { $0.content = nil }
        AttackCase(
            "container-empty-content", "The content is an OCTET STRING of no octets, which the store signs.",
            why:
                "The signature holds over nothing. No attribute is there to be checked, and none may be taken as passed.",
            reference: "RFC 5652, section 5.2", fails: .notAProof
        ) { kit in try kit.signed([]).encoded }
        AttackCase(
            container: "container-no-signer-info", "The SignedData has no SignerInfo.",
            why: "Certificates without a signature prove nothing. “All signatures are valid” is true of none.",
            reference: "RFC 5652, section 5.1; CWE-347", fails: .noncanonicalContainer, .signerNotFound
        ) { $0.signerInfos = [] }
        AttackCase(
            container: "container-no-certificates", "The SignedData has no certificates.",
            why:
                "The signer cannot be found. A verifier that keeps certificates of other receipts would have to be told so.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer, .signerNotFound
        ) { $0.certificates = [] }
    }
}

extension AttackKit {
    /// Returns a SignerInfo of the store with signed attributes over some content, and a valid signature over them.
    func signerInfo(withAttributesOver content: [UInt8]) throws(SigningError) -> SignerInfoContent {
        try .withSignedAttributes(over: content, by: store.leaf, digest: .sha256)
    }
}
