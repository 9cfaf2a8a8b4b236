import DER
import Encodings

/// Unusual but genuine proofs: a verifier that refuses these is too strict, or wrong.
extension AttackSuite {
    @AttackList static var controls: [AttackCase] {
        AttackCase(claim: "control-sha256") { kit in try kit.claim(kit.signed().encoded) }
        AttackCase(claim: "control-sha1") { kit in try kit.claim(kit.signed(digest: .sha1).encoded) }
        AttackCase(claim: "control-sha1-certificates") { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.digest = .sha1 }],
                        leaf: .leaf.with { $0.digest = .sha1 }),
                    digest: .sha1
                ).encoded)
        }
        AttackCase(claim: "control-parameters-absent") { kit in
            try kit.claim(
                kit.signed {
                    $0.digestAlgorithms[0].parameters = nil
                    $0.signerInfos[0].digestAlgorithm.parameters = nil
                    $0.signerInfos[0].signatureAlgorithm.parameters = nil
                })
        }
        AttackCase(claim: "control-chain-expired-today") { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.notAfter = .utc(2025) }],
                        leaf: .leaf.with { $0.notAfter = .utc(2024, 6, 1) })
                ).encoded)
        }
        AttackCase(claim: "control-created-in-first-second") { kit in
            try kit.claim(kit.signedWith(leaf: { $0.notBefore = AttackKit.createdAt }))
        }
        AttackCase(claim: "control-created-a-second-before-end") { kit in
            try kit.claim(kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: 1) }))
        }
        AttackCase(claim: "control-created-in-last-second") { kit in
            try kit.claim(kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt }))
        }
        AttackCase(claim: "control-created-within-a-day") { kit in
            try kit.claim(kit.signedReceipt { $0.createdAt = AttackKit.asOf.adding(seconds: 86400) })
        }
        AttackCase(claim: "control-fractional-date") { kit in
            try kit.claim(
                kit.signedReceipt { $0.edits = [.replace(12, with: DERWriter.ia5String("2024-03-01T00:00:00.999Z"))] })
        }
        AttackCase(claim: "control-high-bit-serials") { kit in
            try kit.claim(
                kit.signed(
                    by: kit.store(
                        intermediates: [.intermediate.with { $0.serialNumber = 0x00ff_5a3d_1e00_0001 }],
                        leaf: .leaf.with { $0.serialNumber = 0x0080_0000_0000_0000 })
                ).encoded)
        }
        AttackCase(claim: "control-renewed-intermediate") { kit in
            try kit.claim(
                kit.signedWith(intermediate: {
                    $0.serialNumber += 1
                    $0.notBefore = .utc(2020)
                }))
        }
        AttackCase(claim: "control-cross-signed-intermediate") { kit in
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
        AttackCase(claim: "control-two-anchors") { kit in
            try kit.claim(kit.signed().encoded).with {
                let other = try SampleIdentity(
                    selfSigned: CertificateContent(
                        DistinguishedName("Another Root CA", organization: "Another Store"), serialNumber: 1,
                        notBefore: .utc(2006), notAfter: .utc(2039), key: .rogueRoot
                    ).with { $0.isAuthority = true })
                $0.trustAnchors.insert(other.certificate, at: 0)
            }
        }
        AttackCase(claim: "control-exponent-3") { kit in try kit.claim(kit.signedWith(leaf: { $0.key = .exponent3 })) }
        AttackCase(claim: "control-mac") { kit in
            let mac = SampleDevice.networkAddress([0xa4, 0x83, 0xe7, 0x12, 0x34, 0x56])
            return try kit.claim(kit.signedReceipt { $0.device = mac }).with { $0.deviceID = mac.text }
        }
        AttackCase(claim: "control-device-in-small-letters") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = $0.deviceID.lowercased() }
        }
        AttackCase(claim: "control-device-alternatives") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = AttackKit.alternatives(3, right: 2) }
        }
        AttackCase(claim: "control-sixteen-alternatives") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = AttackKit.alternatives(16, right: 15) }
        }
        AttackCase(claim: "control-unknown-attributes") { kit in
            try kit.claim(
                kit.signedReceipt {
                    $0.edits = [
                        .add(AttributeContent(9999, text: "new")), .add(AttributeContent(9998, integer: 1)),
                        .add(AttributeContent(9998, value: [0xff, 0x00])),
                    ]
                })
        }
        AttackCase(claim: "control-unsorted-attributes") { kit in try kit.claim(kit.signedSet { $0.children.reverse() })
        }
        AttackCase(claim: "control-no-purchases") { kit in try kit.claim(kit.signedReceipt { $0.purchases = [] }) }
        AttackCase(claim: "control-many-purchases") { kit in
            try kit.claim(
                kit.signedReceipt { receipt in
                    receipt.purchases = (0..<2000).map { number in
                        receipt.purchases[0].with { $0.transactionID = String(460_000_000_000_001 + number) }
                    }
                })
        }
        AttackCase(claim: "control-volume-purchase") { kit in
            try kit.claim(
                kit.signedReceipt {
                    $0.environment = "ProductionVPP"
                    $0.expiresAt = .utc(2030)
                })
        }
        AttackCase(claim: "control-production") { kit in try kit.claim(environment: "Production") }
        AttackCase(claim: "control-decomposed-bundle-id") { kit in
            try kit.claim(kit.signedReceipt { $0.bundleID = "com.example.cafe\u{301}" }).with {
                $0.bundleID = "com.example.cafe\u{301}"
            }
        }
    }

    /// Supported text forms. Others may support fewer.
    @AttackList static var textControls: [AttackCase] {
        AttackCase(claim: "control-base64") { kit in try kit.claim(text: kit.base64(kit.signed().encoded)) }
        AttackCase(claim: "control-base64-lines") { kit in
            try kit.claim(text: kit.base64(kit.signed().encoded, lineLength: 76))
        }
        AttackCase(claim: "control-base64url") { kit in try kit.claim(text: kit.base64url(kit.signed().encoded)) }
        AttackCase(claim: "control-pem") { kit in try kit.claim(text: kit.pem(kit.signed().encoded)) }
        AttackCase(claim: "control-data-url") { kit in
            try kit.claim(text: "data:application/pkcs7-mime;base64," + kit.base64(kit.signed().encoded))
        }
    }
}
