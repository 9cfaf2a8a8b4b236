import Encodings

/// Certificates that were not valid, by a second, when the receipt was created.
extension AttackSuite {
    @AttackList static var validity: [AttackCase] {
        AttackCase(
            "validity-leaf-expired-a-second-before", "The leaf ended one second before the receipt was created.",
            why: "notAfter is the last second at which a certificate is valid.",
            reference: "RFC 5280, sections 4.1.2.5 and 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) }) }
        AttackCase(
            "validity-leaf-begins-a-second-later", "The leaf began one second after the receipt was created.",
            why: "notBefore is the first second at which a certificate is valid.",
            reference: "RFC 5280, sections 4.1.2.5 and 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.signedWith(leaf: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) }) }
        AttackCase(
            "validity-intermediate-expired-a-second-before",
            "The intermediate ended one second before the receipt was created.",
            why: "Every certificate of the chain must be valid, not only the leaf.",
            reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.signedWith(intermediate: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) }) }
        AttackCase(
            "validity-intermediate-begins-a-second-later",
            "The intermediate began one second after the receipt was created.",
            why: "Every certificate of the chain must be valid, not only the leaf.",
            reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.signedWith(intermediate: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) }) }
        AttackCase(
            claim: "validity-root-expired-a-second-before", "The root ended one second before the receipt was created.",
            why:
                "RFC 5280 does not look at an anchor's dates; but Apple's roots are published as certificates, and no receipt was made outside their dates.",
            reference: "RFC 5280, section 6.1.1 (d)", fails: .chainExpired
        ) { kit in
            try kit.claim(root: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase(
            claim: "validity-root-begins-a-second-later", "The root began one second after the receipt was created.",
            why:
                "RFC 5280 does not look at an anchor's dates; but Apple's roots are published as certificates, and no receipt was made outside their dates.",
            reference: "RFC 5280, section 6.1.1 (d)", fails: .chainExpired
        ) { kit in
            try kit.claim(root: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) })
        }
        AttackCase(
            receipt: "validity-expired-then-valid-chain-today",
            "The chain is valid today, but the receipt says that it was created ten years before the leaf.",
            why:
                "A chain is judged at the receipt's creation date. At today's date nearly every genuine receipt fails, so that "
                + "whoever does that soon stops checking dates.",
            reference: "Apple, “Validating receipts on the device”", fails: .chainExpired
        ) { $0.createdAt = .utc(2005) }
        AttackCase(
            "validity-expired-leaf-still-signs", "A leaf that ended in 2018 signed a receipt of 2024.",
            why: "Keys of expired certificates are kept less well, and nobody revokes them.",
            reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.signedWith(leaf: { $0.notAfter = .utc(2018) }) }
        AttackCase(
            "validity-creation-date-moved-back",
            "The leaf ended in 2018. Its receipt of 2024 was dated back to 2017, without a new signature.",
            why: "The creation date is under the signature.",
            reference: "RFC 5652, section 5.6", fails: .signatureInvalid
        ) { kit in
            var container = try kit.signed(by: kit.store(leaf: .leaf.with { $0.notAfter = .utc(2018) }))
            container.content = kit.receipt { $0.createdAt = .utc(2017) }.der
            return container.encoded
        }
        AttackCase(
            "validity-creation-date-moved-back-by-forger",
            "As before, and the forger signed the changed receipt with a self-made leaf of the same dates.",
            why: "The dates are right and the signature holds, but it is the forger's.",
            reference: "RFC 5280, section 6.1", fails: .chainUntrusted
        ) { kit in
            let forger = try SampleIdentity(
                selfSigned: .leaf.with {
                    $0.key = .rogueLeaf
                    $0.notAfter = .utc(2018)
                    $0.issuer = CertificateContent.intermediate.subject
                })
            let content = kit.receipt { $0.createdAt = .utc(2017) }.der
            return try kit.signed(
                by: forger, [forger] + kit.store.intermediates + [kit.store.root], content: content)
        }
        AttackCase(
            "validity-renewed-intermediate-too-young",
            "The intermediate was renewed with the same name and key, and the receipt is older than the renewal.",
            why: "The old intermediate was valid then, but is not in the container.",
            reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in
            try kit.signedWith(intermediate: {
                $0.serialNumber += 1
                $0.notBefore = .utc(2025)
            })
        }
    }
}

extension AttackKit {
    /// Returns the receipt signed by a store with another root, the trusted one.
    fileprivate func claim(root change: (inout CertificateContent) -> Void) throws -> AttackClaim {
        let store = try store(root: .root.with(change))
        return try claim(signed(by: store).encoded).with { $0.trustAnchors = [store.root.certificate] }
    }
}
