import DER

/// Redundant lengths, tags and octets, which X.690 allows in BER but not in DER.
extension AttackSuite {
    @AttackList static var containerForms: [AttackCase] {
        AttackCase(container: "container-indefinite-lengths") { $0.encoding = .indefinite(pieces: 1000) }
        AttackCase(container: "container-constructed-octet-string") { $0.encoding = .constructed(pieces: 1000) }
        AttackCase(encoding: "container-nested-octet-strings") {
            for _ in 0..<40 { $0.nest(at: Place.content, inside: [0x24]) }
        }
        AttackCase(encoding: "container-long-length-outermost") { $0.setLength(at: Place.contentInfo, .long(4)) }
        AttackCase(encoding: "container-long-length-content") { $0.setLength(at: Place.content, .long(4)) }
        AttackCase(encoding: "container-long-length-signature") { $0.setLength(at: Place.signature, .long(4)) }
        AttackCase(encoding: "container-long-length-certificates") { $0.setLength(at: Place.certificates, .long(4)) }
        AttackCase(encoding: "container-high-tag-form") { $0.retag(at: Place.signature, [0x1f, 0x04]) }
        AttackCase("container-trailing-octet") { kit in try kit.signed().encoded + [0] }
        AttackCase("container-trailing-container") { kit in
            try kit.signed().encoded + kit.signed(kit.richerReceipt.der, by: kit.rogue).encoded
        }
        AttackCase(encoding: "container-trailing-in-content-info") { $0.append(.null, in: Place.contentInfo) }
        AttackCase(encoding: "container-trailing-in-explicit-tag") { $0.append(.null, in: Place.explicitSignedData) }
        AttackCase(encoding: "container-trailing-in-signed-data") { $0.append(.null, in: Place.signedData) }
        AttackCase(encoding: "container-trailing-in-encapsulated-content") {
            $0.append(.null, in: Place.encapsulatedContent)
        }
        AttackCase("container-two-contents") { kit in
            try kit.edited { $0.append(DERTree(.octetString, kit.richerReceipt.der), in: Place.explicitContent) }
        }
        AttackCase(encoding: "container-trailing-in-signer-info") { $0.append(.null, in: Place.signerInfo) }
        AttackCase(encoding: "container-trailing-in-algorithm") {
            $0.append(DERTree(.octetString, [1, 2, 3, 4]), in: Place.signatureAlgorithm)
        }
        AttackCase("container-truncated") { kit in try kit.signed().encoded.dropLast() }
        AttackCase(encoding: "container-length-beyond-end") { $0.setLength(at: Place.contentInfo, .wrong(by: 1)) }
        AttackCase(encoding: "container-length-of-4-gib") {
            $0.setLength(at: Place.content, .raw([0x84, 0xff, 0xff, 0xff, 0xff]))
        }
        AttackCase(encoding: "container-length-of-length") {
            $0.setLength(at: Place.contentInfo, .raw([0xfe] + [UInt8](repeating: 0xff, count: 126)))
        }
    }
}
