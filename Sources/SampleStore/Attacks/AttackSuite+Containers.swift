import DER

/// Redundant lengths, tags and octets, which X.690 allows in BER but not in DER.
extension AttackSuite {
    @AttackList static var containerForms: [AttackCase] {
        AttackCase(
            container: "container-indefinite-lengths",
            "The container has indefinite lengths and its content in pieces, as Xcode's test store writes it.",
            why:
                "BER gives one receipt any number of encodings. Apple writes DER; a forger who may choose can turn one "
                + "receipt into many files.",
            reference: "X.690, sections 8.1.3.6 and 10.1", fails: .noncanonicalContainer
        ) { $0.encoding = .indefinite(pieces: 1000) }
        AttackCase(
            container: "container-constructed-octet-string",
            "The content is a constructed OCTET STRING of two pieces, with definite lengths.",
            why:
                "Joined, the pieces are what was signed; a reader that takes the first piece, or the headers between them, "
                + "sees another receipt.",
            reference: "X.690, sections 8.7.3 and 10.2", fails: .noncanonicalContainer
        ) { $0.encoding = .constructed(pieces: 1000) }
        AttackCase(
            encoding: "container-nested-octet-strings",
            "The content is an OCTET STRING inside constructed OCTET STRINGs, forty deep.",
            why: "Joining the pieces recursively lets a small file exhaust the stack.",
            reference: "X.690, section 8.7.3; CWE-674", fails: .malformedContainer
        ) { for _ in 0..<40 { $0.nest(at: Place.content, inside: [0x24]) } }
        AttackCase(
            encoding: "container-long-length-outermost", "The outermost length has a leading octet of zero.",
            why: "The same receipt is then another file, with another hash.",
            reference: "X.690, section 10.1", fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.contentInfo, .long(4)) }
        AttackCase(
            encoding: "container-long-length-content",
            "The length of the content's OCTET STRING has a leading octet of zero.",
            why: "Nothing signs the length octets in front of the content.",
            reference: "X.690, section 10.1", fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.content, .long(4)) }
        AttackCase(
            encoding: "container-long-length-signature",
            "The length of the signature's OCTET STRING has a leading octet of zero.",
            why: "Nothing signs the signature, so that every octet around it must be checked.",
            reference: "X.690, section 10.1", fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.signature, .long(4)) }
        AttackCase(
            encoding: "container-long-length-certificates",
            "The length of the certificates' field has a leading octet of zero.",
            why: "Nothing signs the field that holds the certificates.",
            reference: "X.690, section 10.1", fails: .noncanonicalContainer
        ) { $0.setLength(at: Place.certificates, .long(4)) }
        AttackCase(
            encoding: "container-high-tag-form",
            "The tag of the signature's OCTET STRING is written in the form for high tag numbers.",
            why:
                "No encoder may write a tag number below 31 like that; a decoder that reads it makes one more encoding.",
            reference: "X.690, section 8.1.2.4", fails: .malformedContainer
        ) { $0.retag(at: Place.signature, [0x1f, 0x04]) }
        AttackCase(
            "container-trailing-octet", "One octet of zero follows the container.",
            why:
                "Decoders stop at the end of the first element; what follows is a forger's to choose, and changes every hash "
                + "of the file.",
            reference: "RFC 5652, section 3; CWE-1286", fails: .noncanonicalContainer
        ) { kit in try kit.signed().encoded + [0] }
        AttackCase(
            "container-trailing-container",
            "A second container, with a richer receipt of the forger's, follows the first.",
            why: "One reader verifies the first element, and another shows the last.",
            reference: "RFC 5652, section 3", fails: .noncanonicalContainer
        ) { kit in try kit.signed().encoded + kit.signed(kit.richerReceipt.der, by: kit.rogue).encoded }
        AttackCase(
            encoding: "container-trailing-in-content-info", "A NULL follows the content inside the ContentInfo.",
            why: "A ContentInfo has two fields; a third one is free.",
            reference: "RFC 5652, section 3", fails: .malformedContainer
        ) { $0.append(.null, in: Place.contentInfo) }
        AttackCase(
            encoding: "container-trailing-in-explicit-tag", "A NULL follows the SignedData inside its explicit tag.",
            why: "An explicit tag holds one element; a second one is free.",
            reference: "X.690, section 8.14.3", fails: .malformedContainer
        ) { $0.append(.null, in: Place.explicitSignedData) }
        AttackCase(
            encoding: "container-trailing-in-signed-data", "A NULL follows the SignerInfos inside the SignedData.",
            why: "A SignedData ends with its SignerInfos.",
            reference: "RFC 5652, section 5.1", fails: .malformedContainer
        ) { $0.append(.null, in: Place.signedData) }
        AttackCase(
            encoding: "container-trailing-in-encapsulated-content",
            "A NULL follows the content inside the EncapsulatedContentInfo.",
            why: "Nothing signs this SEQUENCE, only the content octets in it.",
            reference: "RFC 5652, section 5.2", fails: .malformedContainer
        ) { $0.append(.null, in: Place.encapsulatedContent) }
        AttackCase(
            "container-two-contents",
            "A second OCTET STRING, with a richer receipt, follows the content inside its tag.",
            why: "One reader verifies the first OCTET STRING, and another shows the last.",
            reference: "RFC 5652, section 5.2", fails: .malformedContainer
        ) { kit in
            try kit.edited { $0.append(DERTree(.octetString, kit.richerReceipt.der), in: Place.explicitContent) }
        }
        AttackCase(
            encoding: "container-trailing-in-signer-info", "A NULL follows the signature inside the SignerInfo.",
            why: "Behind the signature only unsigned attributes may stand.",
            reference: "RFC 5652, section 5.3", fails: .malformedContainer
        ) { $0.append(.null, in: Place.signerInfo) }
        AttackCase(
            encoding: "container-trailing-in-algorithm",
            "An OCTET STRING follows the NULL inside the signature algorithm.",
            why: "An AlgorithmIdentifier has two fields; a third one is free.",
            reference: "RFC 5280, section 4.1.1.2", fails: .malformedContainer
        ) { $0.append(DERTree(.octetString, [1, 2, 3, 4]), in: Place.signatureAlgorithm) }
        AttackCase(
            "container-truncated", "The last octet of the container is cut off.",
            why: "The signature is one octet short; a decoder that pads it reads a signature that was never made.",
            reference: "X.690, section 8.1.3", fails: .malformedContainer
        ) { kit in try kit.signed().encoded.dropLast() }
        AttackCase(
            encoding: "container-length-beyond-end", "The outermost length says one octet more than there is.",
            why: "A decoder that believes it reads memory behind the receipt.",
            reference: "X.690, section 8.1.3; CWE-125", fails: .malformedContainer
        ) { $0.setLength(at: Place.contentInfo, .wrong(by: 1)) }
        AttackCase(
            encoding: "container-length-of-4-gib", "The content's OCTET STRING says that it has 4 GiB less one octet.",
            why:
                "Added to a position, the length overflows 32 bits; a decoder that reserves memory first has none left.",
            reference: "X.690, section 8.1.3.5; CWE-190", fails: .malformedContainer
        ) { $0.setLength(at: Place.content, .raw([0x84, 0xff, 0xff, 0xff, 0xff])) }
        AttackCase(
            encoding: "container-length-of-length", "The outermost length octet announces 126 octets of length.",
            why: "A decoder that shifts them all into one number computes a length that is not there.",
            reference: "X.690, section 8.1.3.5; CWE-190", fails: .malformedContainer
        ) { $0.setLength(at: Place.contentInfo, .raw([0xfe] + [UInt8](repeating: 0xff, count: 126))) }
    }
}
