import DER
import SampleStore

extension StructuralMutator {
    /// Changes the certificates as a whole, or what of them no signature covers.
    mutating func changeCertificates(_ kind: MutationKind, _ tree: inout DERTree) -> [Int]? {
        switch kind {
        case .revocationLists: addRevocationLists(&tree)
        case .addCertificate: addCertificate(&tree)
        case .exchangeCertificate: exchangeCertificate(&tree)
        case .certificateOrder: reorder(&tree)
        case .dropCertificate: dropCertificate(&tree)
        case .certificateShell: changeShell(&tree)
        case .splice: splice(&tree)
        default: nil
        }
    }

    private mutating func addRevocationLists(_ tree: inout DERTree) -> [Int]? {
        let lists = [[], [element()], [DERTree(raw: junk())], [DERTree(.sequence, [element(), element()])]]
        let variant = random.below(lists.count + 1)
        let added =
            variant < lists.count
            ? DERTree(identifier: [0xa1], children: lists[variant]) : DERTree(identifier: [0x81], octets: junk())
        // Behind the certificates, where they belong, or in front of them.
        let place = random.below(4) > 0 ? Field.signerInfos : Field.certificates
        return tree.insert(added, at: place) ? place + [variant] : nil
    }

    private mutating func addCertificate(_ tree: inout DERTree) -> [Int]? {
        guard let bag = tree[Field.certificates] else { return nil }
        let variant = random.below(8)
        let place = random.below(bag.children.count + 1)
        let added: DERTree? =
            switch variant {
            case 0: one(of: bag.children)
            case 1: one(of: donors).flatMap { one(of: $0.certificates)?.tree }
            case 2: one(of: spares)
            case 3: DERTree(raw: junk())
            // An obsolete attribute certificate, and one in another format (RFC 5652, section 10.2.2).
            case 4: DERTree(identifier: [0xa1], children: [element()])
            case 5: DERTree(identifier: [0xa3], children: [element()])
            case 6: bag
            default: element()
            }
        guard let certificate = added else { return nil }
        return tree.insert(certificate, at: Field.certificates + [place]) ? [variant, place] : nil
    }

    private mutating func exchangeCertificate(_ tree: inout DERTree) -> [Int]? {
        let donated = one(of: donors).flatMap { one(of: $0.certificates)?.tree }
        let place = random.below(tree[Field.certificates]?.children.count ?? 0)
        guard let other = random.below(2) == 0 ? donated : one(of: spares) else { return nil }
        return tree.replace(at: Field.certificates + [place], with: other) ? [place] : nil
    }

    private mutating func reorder(_ tree: inout DERTree) -> [Int]? {
        guard let count = tree[Field.certificates]?.children.count, count > 1 else { return nil }
        let first = random.below(count)
        let second = (first + 1 + random.below(count - 1)) % count
        return tree.swap(Field.certificates + [first], Field.certificates + [second]) ? [first, second] : nil
    }

    private mutating func dropCertificate(_ tree: inout DERTree) -> [Int]? {
        let index = random.below((tree[Field.certificates]?.children.count ?? 0) + 1)
        if index > 0 { return tree.drop(at: Field.certificates + [index - 1]) ? [index] : nil }
        return
            (random.below(2) == 0
            ? tree.drop(at: Field.certificates)
            : tree.edit(at: Field.certificates) {
                $0.children = []
            }) ? [0] : nil
    }

    /// Changes the parts of a certificate outside the part that its issuer signs.
    private mutating func changeShell(_ tree: inout DERTree) -> [Int]? {
        guard let count = tree[Field.certificates]?.children.count, count > 0 else { return nil }
        let index = random.below(count)
        let path = Field.certificates + [index]
        let variant = random.below(12)
        let isDone: Bool
        switch variant {
        case 0: isDone = tree.edit(at: path + [1]) { $0.children = Array($0.children.prefix(1)) }
        case 1: isDone = tree.replace(at: path + [1, 1], with: element())
        case 2: isDone = tree.edit(at: path + [1, 0]) { $0.octets = ObjectIdentifier.sha1WithRSA }
        case 3: isDone = tree.edit(at: path + [1, 0]) { $0.octets = ObjectIdentifier.rsaEncryption }
        case 4:
            let unused = UInt8(random.within(1...8))
            isDone = tree.edit(at: path + [2]) { if !$0.octets.isEmpty { $0.octets[0] = unused } }
        case 5: isDone = tree.edit(at: path + [2]) { $0.octets.append(0) }
        case 6: isDone = tree.edit(at: path + [2]) { $0.octets.insert(0, at: min(1, $0.octets.count)) }
        case 7:
            let bit = UInt8(random.below(8))
            isDone = tree.edit(at: path + [2]) { if let last = $0.octets.indices.last { $0.octets[last] ^= 1 << bit } }
        case 8: isDone = addModulus(to: path, of: index, &tree)
        case 9: isDone = tree.insert(element(), at: path + [3])
        case 10: isDone = tree.insert(element(), at: path + [random.below(3)])
        default: isDone = tree.edit(at: path + [2]) { $0.octets = [0] }
        }
        return isDone ? [index, variant] : nil
    }

    /// Writes a certificate's signature as a number that is the same modulo the issuer's modulus.
    private func addModulus(to path: [Int], of index: Int, _ tree: inout DERTree) -> Bool {
        guard specimen.certificates.indices.contains(index),
            let issuer = specimen.certificates.first(where: { $0.subject == specimen.certificates[index].issuer }),
            let modulus = issuer.modulus, let bits = tree[path + [2]]?.octets, bits.count > 1,
            let sum = Self.sum(Array(bits.dropFirst()), modulus)
        else { return false }
        return tree.edit(at: path + [2]) { $0.octets = [0] + sum }
    }

    /// Puts a field of another receipt in the place of this one's.
    private mutating func splice(_ tree: inout DERTree) -> [Int]? {
        let fields = [
            Field.version, Field.digestAlgorithms, Field.encapsulated, Field.content, Field.certificates,
            Field.certificates + [0], Field.certificates + [1], Field.certificates + [2], Field.signerInfos,
            Field.signerInfo, Field.identifier, Field.digestAlgorithm, Field.signatureAlgorithm, Field.signature,
        ]
        let variant = random.below(fields.count)
        guard let donated = one(of: donors)?.tree[fields[variant]] else { return nil }
        return tree.replace(at: fields[variant], with: donated) ? [variant] : nil
    }
}
