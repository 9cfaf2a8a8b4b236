import DER
import SampleStore

extension StructuralMutator {
    /// Changes a field of the SignerInfo, or the set of them.
    mutating func changeSigner(_ kind: MutationKind, _ tree: inout DERTree) -> [Int]? {
        switch kind {
        case .identifier: changeIdentifier(&tree)
        case .signatureAlgorithm: changeSignatureAlgorithm(&tree)
        case .signature: changeSignature(&tree)
        case .signedAttributes: addAttributes(0xa0, at: Field.signatureAlgorithm, &tree)
        case .unsignedAttributes: addAttributes(0xa1, at: Field.signerInfo + [5], &tree)
        case .secondSigner: addSigner(&tree)
        default: nil
        }
    }

    // MARK: Identifiers

    private mutating func changeIdentifier(_ tree: inout DERTree) -> [Int]? {
        guard let signer = specimen.signer else { return nil }
        let others = specimen.certificates.filter { $0.serialNumber != signer.serialNumber }
        let other = one(of: others) ?? signer
        let identifiers =
            identifiersWithKey(signer, other) + identifiersWithSerial(signer, other)
        let variant = random.below(identifiers.count)
        guard tree.replace(at: Field.identifier, with: identifiers[variant]) else { return nil }
        // A SignerInfo with a key identifier has version 3 (RFC 5652, section 5.3).
        let isVersion3 = random.below(3) == 0
        if isVersion3 { tree.edit(at: Field.signerVersion) { $0.octets = [3] } }
        return [variant, isVersion3 ? 3 : 1]
    }

    /// Identifiers with a subjectKeyIdentifier where it belongs and where it does not.
    private mutating func identifiersWithKey(_ signer: CertificateParts, _ other: CertificateParts) -> [DERTree] {
        let octets = signer.keyIdentifier ?? [UInt8](repeating: 7, count: 20)
        let key = DERTree(identifier: [0x80], octets: octets)
        let otherKey = DERTree(identifier: [0x80], octets: other.keyIdentifier ?? [1])
        let pieces = [DERTree(.octetString, octets)]
        return [
            key, otherKey, DERTree(identifier: [0x80]), DERTree(identifier: [0x80], octets: Array(octets.dropLast())),
            DERTree(identifier: [0x80], octets: octets + [0]), DERTree(identifier: [0x81], octets: octets),
            DERTree(.octetString, octets), DERTree(identifier: [0xa0], children: pieces),
            DERTree(identifier: [0xa0], children: [key]),
            DERTree(identifier: [0xa0], length: .indefinite, children: pieces),
            DERTree(.sequence, [key]), DERTree(.sequence, [key, element()]),
            DERTree(.sequence, [key, DERTree(raw: junk())]),
            DERTree(.sequence, [key, signer.issuer, signer.serialNumber]),
            DERTree(.sequence, [signer.issuer, signer.serialNumber, key]),
            DERTree(.sequence, [otherKey, signer.issuer, signer.serialNumber]),
            DERTree(.sequence, [DERTree(identifier: [0x80], length: .long(1), octets: octets)]),
            DERTree(.sequence, [DERTree(identifier: [0x80], length: .wrong(by: 1), octets: octets)]),
            DERTree(.set, [key]), DERTree(.sequence, [DERTree(identifier: [0xa0], children: pieces)]),
        ]
    }

    /// Identifiers with an issuer and a serial number, or with one of them.
    private mutating func identifiersWithSerial(_ signer: CertificateParts, _ other: CertificateParts) -> [DERTree] {
        let (issuer, serial) = (signer.issuer, signer.serialNumber)
        let paddedSerial = DERTree(.integer, [0] + serial.octets)
        let otherStrings = DERTree(identifier: issuer.identifier, children: issuer.children.map(Self.retagged))
        return [
            DERTree(.sequence, [DERTree]()), DERTree(.sequence, [issuer]), DERTree(.sequence, [serial]),
            DERTree(.sequence, [serial, issuer]), DERTree(.sequence, [issuer, serial, serial]),
            DERTree(.sequence, [issuer, serial, element()]),
            DERTree(.sequence, [issuer, serial, DERTree(raw: junk())]),
            DERTree(.sequence, [issuer, paddedSerial]), DERTree(.sequence, [otherStrings, serial]),
            DERTree(.sequence, [DERTree(.sequence, [issuer, serial])]), DERTree(.set, [issuer, serial]),
            DERTree(.sequence, [signer.subject, serial]), DERTree(.sequence, [issuer, other.serialNumber]),
            DERTree(.sequence, [other.issuer, serial]), DERTree(.sequence, [other.issuer, other.serialNumber]),
            DERTree(.sequence, [DERTree(.sequence, [DERTree]()), serial]),
            DERTree(.sequence, [DERTree(raw: issuer.encoded + serial.encoded + [0])]), issuer, serial,
            DERTree(identifier: [0x30], length: .indefinite, children: [issuer, serial]),
        ]
    }

    /// A RelativeDistinguishedName whose text has another string type, which some compare as equal.
    private static func retagged(_ name: DERTree) -> DERTree {
        var copy = name
        copy.edit(at: [0, 1]) { $0.identifier = [$0.tag == 0x0c ? 0x13 : 0x0c] }
        return copy
    }

    // MARK: The other fields

    private mutating func changeSignatureAlgorithm(_ tree: inout DERTree) -> [Int]? {
        let identifiers = [
            ObjectIdentifier.rsaEncryption, ObjectIdentifier.sha1WithRSA, ObjectIdentifier.sha256WithRSA,
            ObjectIdentifier.rsassaPSS, ObjectIdentifier.sha256, ObjectIdentifier.rsaEncryption + [0], [],
        ]
        let variant = random.below(identifiers.count)
        let isDone = tree.edit(at: Field.signatureAlgorithm + [0]) { $0.octets = identifiers[variant] }
        return isDone ? [variant] : nil
    }

    private mutating func changeSignature(_ tree: inout DERTree) -> [Int]? {
        guard let signature = tree[Field.signature]?.octets, !signature.isEmpty else { return nil }
        let variant = random.below(8)
        let changed: [UInt8]
        switch variant {
        case 0: changed = [0] + signature
        case 1: changed = signature + [0]
        case 2: changed = Array(signature.drop { $0 == 0 })
        case 3: changed = Array(signature.dropLast())
        case 4: changed = []
        case 5: changed = [UInt8](repeating: 0, count: signature.count)
        case 6:
            // The same number modulo the key's modulus (RFC 8017, section 5.2.2, has it refused).
            guard let sum = specimen.signer?.modulus.flatMap({ Self.sum(signature, $0) }) else { return nil }
            changed = sum
        default: changed = one(of: donors)?.tree[Field.signature]?.octets ?? signature.reversed()
        }
        return tree.edit(at: Field.signature) { $0.octets = changed } ? [variant] : nil
    }

    /// The sum of two numbers of the same size, if it has that size too.
    static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8]? {
        guard a.count == b.count else { return nil }
        var sum = a
        var carry = 0
        for index in a.indices.reversed() {
            carry += Int(a[index]) + Int(b[index])
            sum[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return carry == 0 ? sum : nil
    }

    private mutating func addAttributes(_ tag: UInt8, at path: [Int], _ tree: inout DERTree) -> [Int]? {
        let type = DERTree(.objectIdentifier, SampleOID.signingDescription)
        let attribute = DERTree(.sequence, [type, DERTree(.set, [DERTree(.utf8String, Array("a".utf8))])])
        let contents = [[], [attribute], [element()], [DERTree(raw: junk())], [attribute, attribute]]
        let variant = random.below(contents.count + 1)
        let added =
            variant < contents.count
            ? DERTree(identifier: [tag], children: contents[variant])
            : DERTree(identifier: [tag & ~0x20], octets: junk())
        return tree.insert(added, at: path) ? [variant] : nil
    }

    private mutating func addSigner(_ tree: inout DERTree) -> [Int]? {
        guard let info = tree[Field.signerInfo] else { return nil }
        var altered = info
        altered.edit(at: [4]) { $0.octets = $0.octets.reversed() }
        let infos = [
            info, altered, one(of: donors)?.tree[Field.signerInfo] ?? info, DERTree(.sequence, [DERTree]()), element(),
            DERTree(raw: junk()),
        ]
        let variant = random.below(infos.count)
        let place = random.below(2)
        return tree.insert(infos[variant], at: Field.signerInfos + [place]) ? [variant, place] : nil
    }
}
