import DER
import SampleStore

/// Changes the structure of a container, the same way for the same seed and number.
struct StructuralMutator {
    let specimen: Specimen
    /// Other proofs, from which fields are taken.
    let donors: [Specimen]
    /// Certificates that no donor has.
    let spares: [DERTree]
    let kinds: [MutationKind]
    private var elements: ElementMutator

    init(
        _ specimen: Specimen, donors: [Specimen], spares: [DERTree] = [],
        kinds: [MutationKind] = MutationKind.ofContainers, seed: UInt64, number: Int
    ) {
        self.specimen = specimen
        self.donors = donors
        self.spares = spares
        self.kinds = kinds
        // One in five elements is inside a certificate.
        let paths = [[[Int]]](repeating: specimen.paths, count: 4) + [specimen.certificatePaths]
        elements = ElementMutator(
            original: specimen.tree, paths: paths, reserved: Field.content,
            random: SeededGenerator(seed: seed, name: specimen.name, number: number))
    }

    /// One to three edits of the specimen.
    mutating func mutant() -> Mutant {
        var tree = specimen.tree
        var edits: [MutationEdit] = []
        let wanted = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3][random.below(10)]
        for _ in 0..<(8 * wanted) where edits.count < wanted {
            let kind = kinds[random.below(kinds.count)]
            if let detail = apply(kind, to: &tree) { edits.append(MutationEdit(kind: kind, detail: detail)) }
        }
        return Mutant(bytes: tree.encoded, edits: edits)
    }

    /// - Returns: where or how it was done; `nil` if it was not possible.
    private mutating func apply(_ kind: MutationKind, to tree: inout DERTree) -> [Int]? {
        switch kind {
        case .version, .contentType, .contentForm, .content, .digestAlgorithms, .parameters:
            changeSignedData(kind, &tree)
        case .identifier, .signatureAlgorithm, .signature, .signedAttributes, .unsignedAttributes, .secondSigner:
            changeSigner(kind, &tree)
        case .revocationLists, .addCertificate, .exchangeCertificate, .certificateOrder, .dropCertificate,
            .certificateShell, .splice:
            changeCertificates(kind, &tree)
        default: elements.change(kind, of: &tree)
        }
    }

    // MARK: What all kinds draw from

    var random: SeededGenerator {
        get { elements.random }
        set { elements.random = newValue }
    }

    mutating func junk() -> [UInt8] { elements.junk() }

    mutating func element() -> DERTree { elements.element() }

    mutating func one<Element>(of list: [Element]) -> Element? { elements.one(of: list) }
}
