import DER

/// Certificates that were altered in unsigned parts, or that do not belong in the container.
extension AttackSuite {
    @AttackList static var certificates: [AttackCase] {
        AttackCase(
            "certificate-twice", "The root stands in the container twice.",
            why: "The second copy is free to be left out or repeated: one receipt, many files.",
            reference: "RFC 5652, section 10.2.3", fails: .noncanonicalContainer
        ) { kit in try kit.signed { $0.certificates.append(kit.store.root.certificate) } }
        AttackCase(
            "certificate-unrelated", "A certificate that is no part of the chain stands in the container.",
            why: "Nothing signs the list of certificates: whatever is added is a forger's.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { kit in
            try kit.signed { $0.certificates.append(try kit.store.root.issue(.subordinate).certificate) }
        }
        AttackCase(
            "certificate-order", "The root stands in front of the intermediate.",
            why: "Nothing signs the order of the list: six files would be one receipt.",
            reference: "RFC 5652, section 10.2.3", fails: .noncanonicalContainer
        ) { kit in try kit.signed { $0.certificates.swapAt(1, 2) } }
        AttackCase(
            "certificate-without-root", "The root is left out.",
            why: "The chain ends at the trusted root all the same, so that a forger could add or remove it.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { kit in try kit.signed { $0.certificates.removeLast() } }
        AttackCase(
            "certificate-other-root",
            "The forger's root, with the name of the store's, stands in the place of the store's.",
            why: "The chain ends at the trusted root all the same. What stands in its place is free.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { kit in try kit.signed { $0.certificates[2] = kit.rogue.root.certificate } }
        AttackCase(
            "certificate-both-intermediates",
            "The old intermediate and the renewed one, with the same name and key, both stand there.",
            why: "One of the two is no part of the chain, so that a forger could add or remove it.",
            reference: "RFC 5652, section 5.1", fails: .noncanonicalContainer
        ) { kit in
            try kit.signed {
                let renewed = CertificateContent.intermediate.with {
                    $0.serialNumber += 1
                    $0.notBefore = .utc(2020)
                }
                $0.certificates.insert(try kit.store.root.issue(renewed).certificate, at: 1)
            }
        }
        AttackCase(
            "certificate-bag-of-nine", "Six unrelated certificates stand beside the chain's three.",
            why: "Every one of them is decoded before it is known to be of no use.",
            reference: "RFC 5652, section 10.2.3; CWE-400", fails: .noncanonicalContainer
        ) { kit in
            try kit.signed { container in
                for number in 0..<6 {
                    let other = CertificateContent.subordinate.with { $0.serialNumber += number }
                    container.certificates.append(try kit.store.root.issue(other).certificate)
                }
            }
        }
        AttackCase(
            container: "certificate-altered-root", "The last bit of the root that stands in the container is flipped.",
            why:
                "The trusted root is another copy, so that the chain holds; the container's copy is free to be altered.",
            reference: "RFC 5652, section 5.1; CVE-2014-8275", fails: .noncanonicalContainer
        ) { $0.certificates[2][$0.certificates[2].count - 1] ^= 1 }
        AttackCase(
            encoding: "certificate-outer-algorithm",
            "The leaf's outer signature algorithm is SHA-1's, its inner one SHA-256's.",
            why: "The two must be the same; the outer one is not signed.",
            reference: "RFC 5280, section 4.1.1.2; CVE-2014-8275", fails: .noncanonicalContainer, .chainUntrusted
        ) {
            $0.replace(
                at: Place.certificates + [0, 1],
                with: try DERTree(parsing: SampleDigest.sha1.signatureAlgorithm.der))
        }
        AttackCase(
            encoding: "certificate-outer-parameters",
            "The parameters of the leaf's outer signature algorithm are left out.",
            why: "The outer algorithm is not signed; it must be the inner one octet by octet.",
            reference: "RFC 5280, section 4.1.1.2; CVE-2014-8275", fails: .noncanonicalContainer, .chainUntrusted
        ) { $0.drop(at: Place.certificates + [0, 1, 1]) }
        AttackCase(
            "certificate-unused-bits", "The leaf's signature is a BIT STRING of which one bit less is said to be used.",
            why: "The octet that counts unused bits is not signed; an RSA signature has whole octets.",
            reference: "X.690, section 8.6.2; CVE-2014-8275", fails: .noncanonicalContainer, .chainUntrusted
        ) { kit in
            var container = try kit.signed()
            // The unused bits of the last byte must be zeros, or DER also forbids it.
            var leaf = try DERTree(parsing: container.certificates[0])
            leaf.edit(at: [2]) { bits in bits.octets[0] = 1 }
            container.certificates[0] = leaf.encoded
            return container.encoded
        }
        AttackCase(
            encoding: "certificate-trailing-element", "A NULL follows the signature inside the leaf's certificate.",
            why: "A certificate has three fields; a fourth one is not signed.",
            reference: "RFC 5280, section 4.1; CVE-2014-8275", fails: .noncanonicalContainer, .signerNotFound
        ) { $0.append(.null, in: Place.certificates + [0]) }
        AttackCase(
            encoding: "certificate-indefinite-length", "The leaf's certificate has an indefinite length.",
            why: "The outermost length is not signed. Certificates are DER.",
            reference: "RFC 5280, section 4.1; X.690, section 10.1; CVE-2014-8275", fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.certificates + [0], .indefinite) }
        AttackCase(
            encoding: "certificate-long-length", "The length of the leaf's tbsCertificate has a leading octet of zero.",
            why: "It is under the signature, which no longer holds over what stands there. A verifier that encodes the "
                + "certificate again before it checks does not notice.",
            reference: "RFC 5280, section 4.1; X.690, section 10.1; CVE-2014-8275",
            fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.certificates + [0, 0], .long(4)) }
        AttackCase(
            encoding: "certificate-in-octet-string", "The leaf stands in the container inside an OCTET STRING.",
            why: "That is none of the choices that CMS has; a reader that skips what it does not know finds no signer.",
            reference: "RFC 5652, section 10.2.2", fails: .noncanonicalContainer, .signerNotFound
        ) { $0.nest(at: Place.certificates + [0], inside: [0x04]) }
    }
}
