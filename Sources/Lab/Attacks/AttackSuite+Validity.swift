import Encodings

/// Certificates that were not valid, by a second, when the receipt was created.
extension AttackSuite {
    @AttackList static var validity: [AttackCase] {
        AttackCase("validity-leaf-expired-a-second-before") { kit in
            try kit.signedWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase("validity-leaf-begins-a-second-later") { kit in
            try kit.signedWith(leaf: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) })
        }
        AttackCase("validity-intermediate-expired-a-second-before") { kit in
            try kit.signedWith(intermediate: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase("validity-intermediate-begins-a-second-later") { kit in
            try kit.signedWith(intermediate: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) })
        }
        AttackCase(claim: "validity-root-expired-a-second-before") { kit in
            try kit.claim(root: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase(claim: "validity-root-begins-a-second-later") { kit in
            try kit.claim(root: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) })
        }
        AttackCase(receipt: "validity-expired-then-valid-chain-today") { $0.createdAt = .utc(2005) }
        AttackCase("validity-expired-leaf-still-signs") { kit in try kit.signedWith(leaf: { $0.notAfter = .utc(2018) })
        }
        AttackCase("validity-creation-date-moved-back") { kit in
            var container = try kit.signed(by: kit.store(leaf: .leaf.with { $0.notAfter = .utc(2018) }))
            container.content = kit.receipt { $0.createdAt = .utc(2017) }.der
            return container.encoded
        }
        AttackCase("validity-creation-date-moved-back-by-forger") { kit in
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
        AttackCase("validity-renewed-intermediate-too-young") { kit in
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
