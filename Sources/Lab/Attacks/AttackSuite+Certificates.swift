import DER

/// Certificates that were altered in unsigned parts, or that do not belong in the container.
extension AttackSuite {
    @AttackList static var certificates: [AttackCase] {
        AttackCase("certificate-twice") { kit in try kit.signed { $0.certificates.append(kit.store.root.certificate) } }
        AttackCase("certificate-unrelated") { kit in
            try kit.signed { $0.certificates.append(try kit.store.root.issue(.subordinate).certificate) }
        }
        AttackCase("certificate-order") { kit in try kit.signed { $0.certificates.swapAt(1, 2) } }
        AttackCase("certificate-without-root") { kit in try kit.signed { $0.certificates.removeLast() } }
        AttackCase("certificate-other-root") { kit in try kit.signed { $0.certificates[2] = kit.rogue.root.certificate }
        }
        AttackCase("certificate-both-intermediates") { kit in
            try kit.signed {
                let renewed = CertificateContent.intermediate.with {
                    $0.serialNumber += 1
                    $0.notBefore = .utc(2020)
                }
                $0.certificates.insert(try kit.store.root.issue(renewed).certificate, at: 1)
            }
        }
        AttackCase("certificate-bag-of-nine") { kit in
            try kit.signed { container in
                for number in 0..<6 {
                    let other = CertificateContent.subordinate.with { $0.serialNumber += number }
                    container.certificates.append(try kit.store.root.issue(other).certificate)
                }
            }
        }
        AttackCase(container: "certificate-altered-root") { $0.certificates[2][$0.certificates[2].count - 1] ^= 1 }
        AttackCase(encoding: "certificate-outer-algorithm") {
            $0.replace(
                at: Place.certificates + [0, 1],
                with: try DERTree(parsing: SampleDigest.sha1.signatureAlgorithm.der))
        }
        AttackCase(encoding: "certificate-outer-parameters") { $0.drop(at: Place.certificates + [0, 1, 1]) }
        AttackCase("certificate-unused-bits") { kit in
            var container = try kit.signed()
            // The unused bits of the last byte must be zeros, or DER also forbids it.
            var leaf = try DERTree(parsing: container.certificates[0])
            leaf.edit(at: [2]) { bits in bits.octets[0] = 1 }
            container.certificates[0] = leaf.encoded
            return container.encoded
        }
        AttackCase(encoding: "certificate-trailing-element") { $0.append(.null, in: Place.certificates + [0]) }
        AttackCase(encoding: "certificate-indefinite-length") {
            $0.setLength(at: Place.certificates + [0], .indefinite)
        }
        AttackCase(encoding: "certificate-long-length") { $0.setLength(at: Place.certificates + [0, 0], .long(4)) }
        AttackCase(encoding: "certificate-in-octet-string") { $0.nest(at: Place.certificates + [0], inside: [0x04]) }
    }
}
