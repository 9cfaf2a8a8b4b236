import DER
import SampleStore

extension StructuralMutator {
    /// The paths of the three AlgorithmIdentifiers outside certificates.
    private static let algorithms = [Field.digestAlgorithms + [0], Field.digestAlgorithm, Field.signatureAlgorithm]

    /// Changes a field of the SignedData.
    mutating func changeSignedData(_ kind: MutationKind, _ tree: inout DERTree) -> [Int]? {
        switch kind {
        case .version: changeVersion(&tree)
        case .contentType: changeContentType(&tree)
        case .contentForm: changeContentForm(&tree)
        case .content: changeContent(&tree)
        case .digestAlgorithms: changeDigestAlgorithms(&tree)
        case .parameters: changeParameters(&tree)
        default: nil
        }
    }

    private mutating func changeVersion(_ tree: inout DERTree) -> [Int]? {
        let versions: [[UInt8]] = [
            [0], [2], [3], [4], [5], [0, 1], [0, 0, 1], [1, 1], [0xff], [], [0, 0x81], [1, 0],
        ]
        let path = random.below(2) == 0 ? Field.version : Field.signerVersion
        let variant = random.below(versions.count)
        return tree.edit(at: path) { $0.octets = versions[variant] } ? path + [variant] : nil
    }

    private mutating func changeContentType(_ tree: inout DERTree) -> [Int]? {
        let types = [
            ObjectIdentifier.data, ObjectIdentifier.signedData, SampleOID.envelopedData, SampleOID.timestampInfo,
            ObjectIdentifier.pkcs7, ObjectIdentifier.data + [0], [0x80] + ObjectIdentifier.data, [],
        ]
        let path = random.below(2) == 0 ? [0] : Field.contentType
        let variant = random.below(types.count)
        return tree.edit(at: path) { $0.octets = types[variant] } ? path + [variant] : nil
    }

    /// Other ways to write the same content.
    private mutating func changeContentForm(_ tree: inout DERTree) -> [Int]? {
        guard let content = tree[Field.content], let explicit = tree[Field.explicitContent] else { return nil }
        let cut = random.below(content.octets.count + 1)
        let pieces = [Array(content.octets[..<cut]), Array(content.octets[cut...])]
            .map { DERTree(.octetString, $0) }
        let variant = random.below(9)
        let isDone =
            switch variant {
            case 0: tree.replace(at: Field.content, with: DERTree(identifier: [0x24], children: pieces))
            case 1:
                tree.replace(
                    at: Field.content, with: DERTree(identifier: [0x24], length: .indefinite, children: pieces))
            case 2: tree.edit(at: Field.explicitContent) { $0.children = pieces }
            case 3: tree.edit(at: Field.explicitContent) { $0.children.append(content) }
            case 4: tree.edit(at: Field.encapsulated) { $0.children.append(explicit) }
            case 5: tree.replace(at: Field.explicitContent, with: content)
            case 6: tree.replace(at: Field.content, with: DERTree(raw: content.octets))
            case 7: tree.replace(at: Field.content, with: DERTree(.octetString, [content]))
            default:
                tree.replace(at: Field.explicitContent, with: DERTree(identifier: [0x80], octets: content.octets))
            }
        return isDone ? [variant] : nil
    }

    /// Changes what is signed, with the signature that was over something else.
    private mutating func changeContent(_ tree: inout DERTree) -> [Int]? {
        guard var octets = tree[Field.content]?.octets, !octets.isEmpty else { return nil }
        let variant = random.below(4)
        switch variant {
        case 0: octets[random.below(octets.count)] ^= 1 << UInt8(random.below(8))
        case 1: octets.append(0)
        case 2: octets.removeLast()
        default: octets = donors.isEmpty ? [] : donors[random.below(donors.count)].tree[Field.content]?.octets ?? []
        }
        return tree.edit(at: Field.content) { $0.octets = octets } ? [variant] : nil
    }

    private mutating func changeDigestAlgorithms(_ tree: inout DERTree) -> [Int]? {
        let sha1 = Self.algorithm(ObjectIdentifier.sha1)
        let sha256 = Self.algorithm(ObjectIdentifier.sha256)
        // 1.2.840.113549.2.5, MD5 (RFC 1321)
        let md5 = Self.algorithm([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05])
        let sets: [[DERTree]] = [
            [], [sha1], [sha256], [md5], [sha1, sha256], [sha256, sha1], [sha1, sha1], [sha256, sha256], [sha256, md5],
            [DERTree(.sequence, [DERTree]())], [sha1, DERTree(.null, [UInt8]())], [sha256, element()],
        ]
        let variant = random.below(sets.count)
        guard random.below(3) > 0 else {
            let other = [sha1, sha256, md5][variant % 3]
            return tree.replace(at: Field.digestAlgorithm, with: other) ? [1, variant % 3] : nil
        }
        return tree.edit(at: Field.digestAlgorithms) { $0.children = sets[variant] } ? [0, variant] : nil
    }

    private static func algorithm(_ identifier: [UInt8]) -> DERTree {
        DERTree(.sequence, [DERTree(.objectIdentifier, identifier), DERTree(.null, [UInt8]())])
    }

    private mutating func changeParameters(_ tree: inout DERTree) -> [Int]? {
        let place = random.below(Self.algorithms.count)
        let null = DERTree(.null, [UInt8]())
        let parameters: [[DERTree]] = [
            [], [null], [null, null], [DERTree(.null, [0])], [DERTree(.sequence, [DERTree]())],
            [DERTree(identifier: [0x05], length: .long(1))], [DERTree(.octetString, junk())], [null, element()],
            [element()], [DERTree(raw: junk())], [DERTree(.sequence, [element(), DERTree(raw: junk())])],
            [DERTree(identifier: [0x25], length: .indefinite)],
        ]
        // None and NULL, which are allowed, are half of what is tried.
        let variant = random.below(2) == 0 ? random.below(2) : random.below(parameters.count)
        let isDone = tree.edit(at: Self.algorithms[place]) {
            $0.children = Array($0.children.prefix(1)) + parameters[variant]
        }
        return isDone ? [place, variant] : nil
    }
}
