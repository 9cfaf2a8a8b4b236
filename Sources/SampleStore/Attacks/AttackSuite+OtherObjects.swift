import DER

/// What Apple signs besides proofs of purchase, and forgeries that pose as it.
extension AttackSuite {
    @AttackList static var otherObjects: [AttackCase] {
        AttackCase(
            claim: "object-app-attest-receipt", "An App Attest receipt: its signer and root are not those of receipts.",
            why: "It is a SET of numbered attributes, too, but of no purchase. Honest apps send it by mistake.",
            reference: "Apple, “Assessing fraud risk” (App Attest)", fails: .notAProof
        ) { kit in try kit.object(.appAttest(), by: kit.appAttest()) }
        AttackCase(
            claim: "object-app-attest-receipt-without-attributes",
            "The same, and the signature is over the content itself.",
            why: "CMS allows both; whether it is a proof of purchase does not depend on it.",
            reference: "RFC 5652, section 5.4", fails: .notAProof
        ) { kit in try kit.object(.appAttest(), by: kit.appAttest(), hasAttributes: false) }
        AttackCase(
            claim: "object-provisioning-profile", "A provisioning profile: a property list, with signed attributes.",
            why: "It lies beside the receipt in every app's bundle, and somebody takes it for the receipt.",
            reference: "Apple, TN3125", fails: .notAProof
        ) { kit in try kit.object(.profile(), by: kit.profileSigner()) }
        AttackCase(
            claim: "object-pass-signature", "The signature of a pass, which is detached from its manifest.",
            why: "What it is over is elsewhere, but it is signed, and nobody takes it for a receipt.",
            reference: "Apple, Wallet Passes, “Building a pass”", fails: .notAProof
        ) { kit in try kit.object(.detached(), by: kit.pass()) }
        AttackCase(
            claim: "object-apple-pay-signature", "The signature in a payment token of Apple Pay, detached, on a curve.",
            why: "It is over the payment data, and says nothing about a purchase in an app.",
            reference: "Apple, PassKit, “Payment token format reference”", fails: .notAProof
        ) { kit in try kit.object(.detached(), by: kit.applePay()) }
        AttackCase(
            claim: "object-app-signature", "The signature of an app, detached, by a developer's certificate.",
            why: "Its certificate has critical extensions and a purpose that receipts do not have.",
            reference: "Apple, TN3126", fails: .notAProof
        ) { kit in try kit.object(.detached(), by: kit.appSigner()) }
        AttackCase(
            "object-intermediate-certificate", "The intermediate's certificate by itself.",
            why: "The root signed it, but a certificate proves no purchase.", reference: "RFC 5280, section 4.1",
            fails: .notAProof
        ) { kit in kit.store.intermediates[0].certificate }
        AttackCase(
            claim: "object-app-attest-receipt-of-forger", "An App Attest receipt that the forger's authority signed.",
            why: "It is untrusted, but nobody takes it for a proof of purchase: there is nothing to judge.",
            reference: "RFC 5280, section 6.1", fails: .unknownFormat
        ) { kit in try kit.object(.appAttest(), by: kit.rogueTokens.chain) }
        AttackCase(
            claim: "object-profile-with-other-content",
            "A provisioning profile whose content was changed after signing.",
            why: "The attributes are signed, and the digest in them is of other content.",
            reference: "RFC 5652, section 11.2", fails: .unknownFormat
        ) { kit in try kit.object(.profile().with { $0.content?.append(0x20) }, by: kit.profileSigner()) }
        AttackCase(
            claim: "object-pass-signature-of-forger", "The signature of a pass, by the forger's authority.",
            why: "There is neither content nor trust.", reference: "RFC 5652, section 5.2", fails: .noContent
        ) { kit in try kit.object(.detached(), by: kit.rogue) }
        AttackCase(
            "object-leaf-certificate-of-forger", "The certificate of the forger's leaf by itself.",
            why: "No trusted authority signed it, and it is no proof.", reference: "RFC 5280, section 4.1",
            fails: .unknownFormat
        ) { kit in kit.rogue.leaf.certificate }
        AttackCase(
            claim: "object-receipt-by-pass-certificate", "A receipt that a developer signed with the key of a pass.",
            why: "Developers have keys with Apple's certificates: a receipt under one of them is forged.",
            reference: "RFC 5280, section 4.2.1.12", fails: .signerNotAppStore
        ) { kit in try kit.claim(kit.signed(by: kit.pass()).encoded) }
        AttackCase(
            claim: "object-receipt-by-app-signer", "A receipt that a developer signed with the key for apps.",
            why: "The chain ends at the root, whatever the certificate is for; it is not for receipts.",
            reference: "RFC 5280, section 4.2.1.12", fails: .signerNotAppStore
        ) { kit in try kit.claim(kit.signed(by: kit.appSigner()).encoded) }
        AttackCase(
            claim: "object-receipt-in-form-of-app-attest",
            "A receipt with the form of an App Attest receipt and a signature by such a signer.",
            why: "Whoever looks like something else must not be judged less: a reader can read it as a receipt.",
            reference: "RFC 5652, section 5.4", fails: .noncanonicalContainer, .signatureInvalid, .chainUntrusted
        ) { kit in try kit.object(ObjectContent(kit.receipt.der), by: kit.appAttest()) }
        AttackCase(
            claim: "object-app-attest-receipt-with-bundle-id",
            "The attributes of an App Attest receipt, signed by the forger, and a bundle id as receipts have it.",
            why: "Readers that need the bundle id only take it for a receipt.",
            reference: "CWE-436", fails: .chainUntrusted, .malformedReceipt
        ) { kit in
            let content = ObjectContent.appAttest(bundleID: DERWriter.utf8String(AttackKit.bundleID))
            return try kit.claim(kit.signed(content.content, by: kit.rogue).encoded)
        }
        AttackCase(
            claim: "object-receipt-with-octets-behind",
            "A receipt that a developer signed, with two octets behind the SET.",
            why: "A strict reader finds no receipt in it, a lenient one does: it is judged as a receipt.",
            reference: "X.690, section 8.1.1; CWE-436", fails: .signerNotAppStore, .malformedReceipt
        ) { kit in try kit.claim(kit.signed(kit.receipt.der + [0, 0], by: .developer()).encoded) }
    }

    /// Tokens of no known kind, and one that poses as a developer's.
    @AttackList static var otherTokens: [AttackCase] {
        AttackCase(
            payload: "token-of-another-kind", "The payload is an object without a member of any known kind.",
            why: "The App Store signs further kinds of tokens, and more will come.",
            reference: "Apple, App Store Server API", fails: .notAProof
        ) { _ in Array(#"{"externalPurchaseId":"1","signedDate":1709251200000}"#.utf8) }
        AttackCase(
            token: "token-of-another-kind-by-forger", "A token of no known kind, signed by the forger's authority.",
            why: "It could be any service's token: nobody takes it for a proof of purchase.",
            reference: "RFC 7519, section 4", fails: .unknownFormat
        ) { kit in try kit.rogueTokens.token(octets: Array(#"{"sub":"001234.abcd","nonce_supported":true}"#.utf8)) }
        AttackCase(
            token: "token-of-known-kind-by-developer", "A transaction that a developer signed, with a purpose of apps.",
            why: "Developers have keys with Apple's certificates: a transaction under one of them is forged.",
            reference: "RFC 5280, section 4.2.1.12", fails: .signerNotAppStore
        ) { kit in
            try kit.token(kit.transaction, by: TokenAuthority(leaf: .tokenDeveloper.with { $0.signsApps() }))
        }
    }
}

/// What an object that is no receipt holds.
private struct ObjectContent: Changeable {
    /// `nil` for a detached signature.
    var content: [UInt8]?
    /// What is signed.
    let signed: [UInt8]

    init(_ content: [UInt8]) { (self.content, signed) = (content, content) }

    /// A signature without what it is over.
    static func detached() -> ObjectContent {
        ObjectContent(Array(#"{"pass.json":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}"#.utf8)).with {
            $0.content = nil
        }
    }

    /// The start of a provisioning profile.
    static func profile() -> ObjectContent {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>AppIDName</key><string>Notes</string><key>DeveloperCertificates</key>
            <array/><key>TeamIdentifier</key><array><string>A1B2C3D4E5</string></array></dict></plist>

            """
        return ObjectContent(Array(text.utf8))
    }

    /// An App Attest receipt, whose values are not DER.
    static func appAttest(bundleID: [UInt8] = Array("A1B2C3D4E5.com.example.notes".utf8)) -> ObjectContent {
        let attributes = [
            AttributeContent(2, value: bundleID), AttributeContent(3, value: [UInt8](repeating: 0x5a, count: 64)),
            AttributeContent(4, value: SampleDigest.sha256.hash([1])), AttributeContent(5, value: Array("b2s=".utf8)),
            AttributeContent(6, value: Array("ATTEST".utf8)),
            AttributeContent(12, value: Array("2024-03-01T00:00:00Z".utf8)),
        ]
        return ObjectContent(DERWriter.element(DERTag.set.rawValue, attributes.map(\.der)))
    }
}

extension AttackKit {
    /// Returns a claim with an object in CMS, with signed attributes or without, whose signer is the authority's leaf.
    fileprivate func object(
        _ object: ObjectContent, by authority: PrivateAuthority, hasAttributes: Bool = true
    ) throws -> AttackClaim {
        let leaf = authority.leaf
        var container = SignedDataContent(
            object.signed, signer: leaf, digest: .sha256,
            signature: try leaf.key.signature(over: object.signed, digest: .sha256))
        if hasAttributes {
            container.signerInfos = [try .withSignedAttributes(over: object.signed, by: leaf, digest: .sha256)]
        }
        if leaf.key.curve != nil { container.signerInfos[0].signatureAlgorithm = SampleDigest.sha256.ecdsaAlgorithm }
        container.content = object.content
        container.certificates = authority.certificates
        let isOnCurve = leaf.key.curve != nil
        return claim(container.encoded).with {
            $0.trustAnchors = [isOnCurve ? tokens.root.certificate : store.root.certificate]
        }
    }

    /// The signer of App Attest receipts, below the root of tokens.
    fileprivate func appAttest() throws(SigningError) -> PrivateAuthority {
        try integration("Application Attestation Fraud Receipt Signing", marker: SampleOID.appAttestReceipt)
    }

    /// The signer of payment tokens, below the root of tokens.
    fileprivate func applePay() throws(SigningError) -> PrivateAuthority {
        try integration("ecc-smp-broker-sign_UC4-SAMPLE", marker: SampleOID.paymentToken)
    }

    private func integration(_ name: String, marker: [UInt8]) throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(
            root: .tokenRoot,
            intermediates: [
                .tokenIntermediate.with {
                    $0.subject = DistinguishedName("Sample Store Application Integration CA - G3")
                    $0.markers = [SampleOID.applicationIntegration]
                }
            ],
            leaf: .tokenDeveloper.with {
                $0.subject = DistinguishedName(name)
                $0.markers = [marker]
            })
    }

    /// The signer of provisioning profiles.
    fileprivate func profileSigner() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(
            leaf: .developer.with {
                $0.subject = DistinguishedName("Sample Store Provisioning Profile Signing")
                $0.markers = []
            })
    }

    /// The owner of a pass type.
    fileprivate func pass() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(
            leaf: .developer.with {
                $0.subject = DistinguishedName("Pass Type ID: pass.com.example.coffee", organization: "A Developer")
                $0.markers = [SampleOID.pass]
                $0.purpose(SampleOID.passSigning)
            })
    }

    /// A developer who signs apps.
    fileprivate func appSigner() throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(leaf: .developer.with { $0.signsApps() })
    }
}

extension CertificateContent {
    /// Adds a critical extended key usage with one purpose (RFC 5280, section 4.2.1.12).
    fileprivate mutating func purpose(_ purpose: [UInt8]) {
        let value = DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, purpose))
        extensionEdits.append(.add(ExtensionContent(SampleOID.extendedKeyUsage, critical: true, value)))
    }

    /// Makes it that of a developer's: the purpose of apps, and Apple's marker, which is critical.
    fileprivate mutating func signsApps() {
        markers = []
        purpose(SampleOID.codeSigning)
        extensionEdits.append(.add(ExtensionContent(SampleOID.developer, critical: true, DERWriter.null)))
    }
}
