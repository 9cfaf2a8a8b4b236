import DER
import Encodings

/// Unusual but genuine proofs: a verifier that refuses these is too strict, or wrong.
extension AttackSuite {
    @AttackList static var controls: [AttackCase] {
        AttackCase(
            valid: "control-sha256", "A receipt as the App Store signs them since January 2025, with SHA-256.",
            why: "Nothing is wrong with it.", reference: "Apple, TN3138"
        ) { kit in try kit.claim(kit.signed().encoded) }
        AttackCase(
            valid: "control-sha1", "A receipt as the App Store signed them until January 2025, with SHA-1.",
            why: "Receipts live as long as apps do: most have it still.", reference: "Apple, TN3138"
        ) { kit in try kit.claim(kit.signed(digest: .sha1).encoded) }
        AttackCase(
            valid: "control-sha1-certificates", "The certificates are signed with SHA-1, too.",
            why: "Apple's were for years. What counts is the date at which they signed.",
            reference: "Apple, TN3138; RFC 6194"
        ) { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.digest = .sha1 }],
                        leaf: .leaf.with { $0.digest = .sha1 }),
                    digest: .sha1
                ).encoded)
        }
        AttackCase(
            valid: "control-parameters-absent",
            "The parameters of all algorithms in the container are absent, not NULL.",
            why: "Both mean the same; genuine receipts have both.", reference: "RFC 5754, section 2"
        ) { kit in
            try kit.claim(
                kit.signed {
                    $0.digestAlgorithms[0].parameters = nil
                    $0.signerInfos[0].digestAlgorithm.parameters = nil
                    $0.signerInfos[0].signatureAlgorithm.parameters = nil
                })
        }
        AttackCase(
            valid: "control-chain-expired-today",
            "Leaf and intermediate have expired today; they were valid when the receipt was created.",
            why:
                "Apple's leaves live two years, and receipts longer. Judged at today's date nearly every genuine receipt fails.",
            reference: "Apple, “Validating receipts on the device”"
        ) { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.notAfter = .utc(2025) }],
                        leaf: .leaf.with { $0.notAfter = .utc(2024, 6, 1) })
                ).encoded)
        }
        AttackCase(
            valid: "control-created-in-first-second", "The receipt was created in the first second of its leaf.",
            why: "notBefore is included.", reference: "RFC 5280, section 4.1.2.5"
        ) { kit in try kit.claim(kit.signedWith(leaf: { $0.notBefore = AttackKit.createdAt })) }
        AttackCase(
            valid: "control-created-a-second-before-end", "The receipt was created one second before its leaf ended.",
            why: "The leaf was still valid.",
            reference: "RFC 5280, section 4.1.2.5"
        ) { kit in
            try kit.claim(kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: 1) }))
        }
        AttackCase(
            valid: "control-created-in-last-second", "The receipt was created in the last second of its leaf.",
            why: "The validity includes the second that notAfter names. OpenSSL denies it.",
            reference: "RFC 5280, section 4.1.2.5", mayReject: true
        ) { kit in try kit.claim(kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt })) }
        AttackCase(
            valid: "control-created-within-a-day",
            "The receipt was created exactly 24 hours after the instant of the check.",
            why: "Clocks and time zones are off by up to a day. An implementation may allow less.",
            reference: "RFC 3339, section 4.3", mayReject: true
        ) { kit in
            try kit.claim(kit.signedReceipt { $0.createdAt = AttackKit.asOf.adding(seconds: 86400) })
        }
        AttackCase(
            valid: "control-fractional-date", "The creation date has milliseconds.",
            why: "RFC 3339 allows them, and genuine receipts have them.", reference: "RFC 3339, section 5.6"
        ) { kit in
            try kit.claim(
                kit.signedReceipt { $0.edits = [.replace(12, with: DERWriter.ia5String("2024-03-01T00:00:00.999Z"))] })
        }
        AttackCase(
            valid: "control-high-bit-serials", "The serial numbers of intermediate and leaf have their high bit set.",
            why: "They are positive, so that an octet of zero stands in front, in certificate and SignerInfo alike.",
            reference: "X.690, section 8.3.3; RFC 5280, section 4.1.2.2"
        ) { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.serialNumber = 0x00ff_5a3d_1e00_0001 }],
                        leaf: .leaf.with { $0.serialNumber = 0x0080_0000_0000_0000 })
                ).encoded)
        }
        AttackCase(
            valid: "control-renewed-intermediate",
            "The intermediate was renewed, with the same name and key and another serial number.",
            why: "The leaf was issued under the old certificate of the same key.",
            reference: "RFC 5280, section 4.2.1.1"
        ) { kit in
            try kit.claim(
                kit.signedWith(intermediate: {
                    $0.serialNumber += 1
                    $0.notBefore = .utc(2020)
                }))
        }
        AttackCase(
            valid: "control-cross-signed-intermediate",
            "The intermediate is certified by a second root, which is trusted, too.",
            why: "One key may have certificates of two issuers; each makes a chain of its own.",
            reference: "RFC 4158, section 1.5"
        ) { kit in
            let other = try SampleIdentity(
                selfSigned: CertificateContent(
                    DistinguishedName("Sample Store Root CA - G2"), serialNumber: 3, notBefore: .utc(2014),
                    notAfter: .utc(2039), key: .rogueRoot
                ).with { $0.isAuthority = true })
            let intermediate = try other.issue(.intermediate)
            return try kit.claim(
                kit.signed {
                    $0.certificates = [kit.store.leaf.certificate, intermediate.certificate, other.certificate]
                }
            ).with { $0.trustAnchors.append(other.certificate) }
        }
        AttackCase(
            valid: "control-two-anchors",
            "Two roots are trusted, of which the first has nothing to do with the receipt.",
            why: "Apple has three roots.", reference: "RFC 5280, section 6.1"
        ) { kit in
            try kit.claim(kit.signed().encoded).with {
                let other = try SampleIdentity(
                    selfSigned: CertificateContent(
                        DistinguishedName("Another Root CA", organization: "Another Store"), serialNumber: 1,
                        notBefore: .utc(2006), notAfter: .utc(2039), key: .rogueRoot
                    ).with { $0.isAuthority = true })
                $0.trustAnchors.insert(other.certificate, at: 0)
            }
        }
        AttackCase(
            valid: "control-exponent-3", "The leaf's public exponent is 3, and the signature is a good one.",
            why: "The exponent is allowed; what breaks it is a padding that is not checked. Apple's is 65537.",
            reference: "RFC 8017, section 3.1", mayReject: true
        ) { kit in try kit.claim(kit.signedWith(leaf: { $0.key = .exponent3 })) }
        AttackCase(
            valid: "control-mac", "The receipt belongs to a Mac; its address is claimed with colons.",
            why: "On macOS the six octets of the primary network address are hashed.",
            reference: "Apple, “Validating receipts on the device”, computing the hash"
        ) { kit in
            let mac = SampleDevice.networkAddress([0xa4, 0x83, 0xe7, 0x12, 0x34, 0x56])
            return try kit.claim(kit.signedReceipt { $0.device = mac }).with { $0.deviceID = mac.text }
        }
        AttackCase(
            valid: "control-device-in-small-letters", "The claimed UUID is in small letters.",
            why: "The digits of a UUID are read without case.", reference: "RFC 9562, section 4"
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID = $0.deviceID.lowercased() } }
        AttackCase(
            valid: "control-device-alternatives", "The claim names three devices, the last of which is the right one.",
            why: "A Mac has more than one address; one that matches is enough.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", mayReject: true
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID = AttackKit.alternatives(3, right: 2) } }
        AttackCase(
            valid: "control-sixteen-alternatives", "The claim names 16 devices, the last of which is the right one.",
            why: "So many are allowed.", reference: "Apple, “Validating receipts on the device”, computing the hash",
            mayReject: true
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID = AttackKit.alternatives(16, right: 15) } }
        AttackCase(
            valid: "control-unknown-attributes", "The receipt has attributes of unknown types, one of them twice.",
            why: "Apple adds attributes, and asks readers to pass over those that they do not know.",
            reference: "Apple, “Validating receipts on the device”"
        ) { kit in
            try kit.claim(
                kit.signedReceipt {
                    $0.edits = [
                        .add(AttributeContent(9999, text: "new")), .add(AttributeContent(9998, integer: 1)),
                        .add(AttributeContent(9998, value: [0xff, 0x00])),
                    ]
                })
        }
        AttackCase(
            valid: "control-unsorted-attributes",
            "The attributes do not stand in the order that DER gives to a SET OF.",
            why: "Apple does not sort them.", reference: "X.690, section 11.6"
        ) { kit in try kit.claim(kit.signedSet { $0.children.reverse() }) }
        AttackCase(
            valid: "control-no-purchases", "The receipt has no purchases.",
            why: "Most have none.", reference: "Apple, “Validating receipts on the device”"
        ) { kit in try kit.claim(kit.signedReceipt { $0.purchases = [] }) }
        AttackCase(
            valid: "control-many-purchases", "The receipt has two thousand purchases.",
            why: "A subscriber of years has many.", reference: "Apple, “Validating receipts on the device”"
        ) { kit in
            try kit.claim(
                kit.signedReceipt { receipt in
                    receipt.purchases = (0..<2000).map { number in
                        receipt.purchases[0].with { $0.transactionID = String(460_000_000_000_001 + number) }
                    }
                })
        }
        AttackCase(
            valid: "control-volume-purchase",
            "A volume purchase that has not ended yet, from the environment ProductionVPP.",
            why: "Attribute 21 lies in the future.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes"
        ) { kit in
            try kit.claim(
                kit.signedReceipt {
                    $0.environment = "ProductionVPP"
                    $0.expiresAt = .utc(2030)
                })
        }
        AttackCase(
            valid: "control-production", "A receipt from Production is presented where only Production counts.",
            why: "Nothing is wrong with it.", reference: "Apple, “Validating receipts on the device”"
        ) { kit in try kit.claim(environment: "Production") }
        AttackCase(
            valid: "control-decomposed-bundle-id", "Receipt and app have the same bundle id with é in two characters.",
            why: "The octets are the same: nothing is to be normalised.", reference: "Unicode Standard Annex 15"
        ) { kit in
            try kit.claim(kit.signedReceipt { $0.bundleID = "com.example.cafe\u{301}" }).with {
                $0.bundleID = "com.example.cafe\u{301}"
            }
        }
    }

    /// Supported text forms. Others may support fewer.
    @AttackList static var textControls: [AttackCase] {
        AttackCase(
            valid: "control-base64", "The receipt in base64, as an app sends it to its server.",
            why: "Nothing is wrong with it.", reference: "RFC 4648, section 4"
        ) { kit in try kit.claim(text: kit.base64(kit.signed().encoded)) }
        AttackCase(
            valid: "control-base64-lines", "The receipt in base64 with line breaks.",
            why: "Apple's own encoder writes them on request.", reference: "RFC 2045, section 6.8", mayReject: true
        ) { kit in try kit.claim(text: kit.base64(kit.signed().encoded, lineLength: 76)) }
        AttackCase(
            valid: "control-base64url", "The receipt in the URL-safe alphabet, without padding.",
            why: "Web servers store it like that.", reference: "RFC 4648, section 5", mayReject: true
        ) { kit in try kit.claim(text: kit.base64url(kit.signed().encoded)) }
        AttackCase(
            valid: "control-pem", "The receipt in a PEM block.",
            why: "OpenSSL writes it like that.", reference: "RFC 7468, section 8", mayReject: true
        ) { kit in try kit.claim(text: kit.pem(kit.signed().encoded)) }
        AttackCase(
            valid: "control-data-url", "The receipt as a data URL.",
            why: "Browsers write it like that.", reference: "RFC 2397", mayReject: true
        ) { kit in
            try kit.claim(text: "data:application/pkcs7-mime;base64," + kit.base64(kit.signed().encoded))
        }
    }
}
