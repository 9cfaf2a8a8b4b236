import DER

/// What Apple signs besides proofs of purchase, and forgeries that pose as it.
extension AttackSuite {
    @AttackList static var otherObjects: [AttackCase] {
        AttackCase(claim: "object-app-attest-receipt") { kit in try kit.object(.appAttest(), by: kit.appAttest()) }
        AttackCase(claim: "object-app-attest-receipt-without-attributes") { kit in
            try kit.object(.appAttest(), by: kit.appAttest(), hasAttributes: false)
        }
        AttackCase(claim: "object-provisioning-profile") { kit in try kit.object(.profile(), by: kit.profileSigner()) }
        AttackCase(claim: "object-pass-signature") { kit in try kit.object(.detached(), by: kit.pass()) }
        AttackCase(claim: "object-apple-pay-signature") { kit in try kit.object(.detached(), by: kit.applePay()) }
        AttackCase(claim: "object-app-signature") { kit in try kit.object(.detached(), by: kit.appSigner()) }
        AttackCase("object-intermediate-certificate") { kit in kit.store.intermediates[0].certificate }
        AttackCase(claim: "object-app-attest-receipt-of-forger") { kit in
            try kit.object(.appAttest(), by: kit.rogueTokens.chain)
        }
        AttackCase(claim: "object-profile-with-other-content") { kit in
            try kit.object(.profile().with { $0.content?.append(0x20) }, by: kit.profileSigner())
        }
        AttackCase(claim: "object-pass-signature-of-forger") { kit in try kit.object(.detached(), by: kit.rogue) }
        AttackCase("object-leaf-certificate-of-forger") { kit in kit.rogue.leaf.certificate }
        AttackCase(claim: "object-receipt-by-pass-certificate") { kit in
            try kit.claim(kit.signed(by: kit.pass()).encoded)
        }
        AttackCase(claim: "object-receipt-by-app-signer") { kit in
            try kit.claim(kit.signed(by: kit.appSigner()).encoded)
        }
        AttackCase(claim: "object-receipt-in-form-of-app-attest") { kit in
            try kit.object(ObjectContent(kit.receipt.der), by: kit.appAttest())
        }
        AttackCase(claim: "object-app-attest-receipt-with-bundle-id") { kit in
            let content = ObjectContent.appAttest(bundleID: DERWriter.utf8String(AttackKit.bundleID))
            return try kit.claim(kit.signed(content.content, by: kit.rogue).encoded)
        }
        AttackCase(claim: "object-receipt-with-octets-behind") { kit in
            try kit.claim(kit.signed(kit.receipt.der + [0, 0], by: .developer()).encoded)
        }
    }

    /// Tokens of no known kind, and one that poses as a developer's.
    @AttackList static var otherTokens: [AttackCase] {
        AttackCase(payload: "token-of-another-kind") { _ in
            Array(#"{"externalPurchaseId":"1","signedDate":1709251200000}"#.utf8)
        }
        AttackCase(token: "token-of-another-kind-by-forger") { kit in
            try kit.rogueTokens.token(octets: Array(#"{"sub":"001234.abcd","nonce_supported":true}"#.utf8))
        }
        AttackCase(token: "token-of-known-kind-by-developer") { kit in
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
