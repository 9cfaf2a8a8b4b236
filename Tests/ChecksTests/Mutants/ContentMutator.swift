import DER
import SampleStore

/// Changes a receipt's content before it is signed, the same way for the same seed and number.
struct ContentMutator {
    let tree: DERTree
    private var elements: ElementMutator
    /// The paths of all attributes, those of purchases included.
    private let attributes: [[Int]]

    init(_ tree: DERTree, name: String, seed: UInt64, number: Int) {
        self.tree = tree
        elements = ElementMutator(
            original: tree, paths: [tree.paths], reserved: nil,
            random: SeededGenerator(seed: seed, name: name, number: number))
        attributes = tree.paths.filter { path in
            guard path.count == 1 || path.count == 4, let element = tree[path] else { return false }
            return element.children.map(\.tag) == [0x02, 0x02, 0x04]
        }
    }

    /// One to three edits of the content.
    mutating func mutant() -> Mutant {
        var tree = tree
        var edits: [MutationEdit] = []
        let wanted = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3][elements.random.below(10)]
        for _ in 0..<(8 * wanted) where edits.count < wanted {
            let kind = MutationKind.ofContents[elements.random.below(MutationKind.ofContents.count)]
            if let detail = apply(kind, to: &tree) { edits.append(MutationEdit(kind: kind, detail: detail)) }
        }
        return Mutant(bytes: tree.encoded, edits: edits)
    }

    private mutating func apply(_ kind: MutationKind, to tree: inout DERTree) -> [Int]? {
        guard let path = elements.one(of: attributes) else { return nil }
        switch kind {
        case .attributeTwice: return writeTwice(path, in: &tree) ? path : nil
        case .attributeOrder:
            guard let other = elements.one(of: attributes.filter { $0.dropLast() == path.dropLast() }) else {
                return nil
            }
            return tree.swap(path, other) ? path + other : nil
        case .attributeType: return tree.edit(at: path + [0]) { $0.octets = number() } ? path : nil
        case .attributeVersion: return tree.edit(at: path + [1]) { $0.octets = number() } ? path : nil
        case .unknownAttribute: return tree.insert(attribute(), at: path) ? path : nil
        case .dateForm:
            return rewrite(tag: .ia5String, at: path, in: &tree) { mutator, value in
                value.octets = mutator.date(like: value.octets)
            }
        case .textForm:
            return rewrite(tag: .utf8String, at: path, in: &tree) { mutator, value in
                mutator.changeText(&value)
            }
        case .numberForm:
            return rewrite(tag: .integer, at: path, in: &tree) { mutator, value in value.octets = mutator.number() }
        default: return elements.change(kind, of: &tree)
        }
    }

    /// Writes an attribute again, with the same value or with another attribute's.
    private mutating func writeTwice(_ path: [Int], in tree: inout DERTree) -> Bool {
        guard var copy = tree[path] else { return false }
        if elements.random.below(2) == 0, let other = elements.one(of: attributes), let value = tree[other + [2]] {
            copy.replace(at: [2], with: value)
        }
        let places = attributes.filter { $0.dropLast() == path.dropLast() }
        return tree.insert(copy, at: elements.one(of: places) ?? path)
    }

    private mutating func attribute() -> DERTree {
        let value =
            elements.random.below(2) == 0
            ? DERTree(.octetString, elements.junk()) : DERTree(.octetString, [elements.element()])
        return DERTree(.sequence, [DERTree(.integer, number()), DERTree(.integer, [1]), value])
    }

    /// Changes the one element that an attribute's value holds, if it has this tag.
    private mutating func rewrite(
        tag: DERTag, at path: [Int], in tree: inout DERTree, _ change: (inout ContentMutator, inout DERTree) -> Void
    ) -> [Int]? {
        guard var value = tree[path + [2, 0]], value.tag == tag.rawValue else { return nil }
        change(&self, &value)
        return tree.replace(at: path + [2, 0], with: value) ? path : nil
    }

    /// The octets of an INTEGER: often a type of an attribute, else one at the edge of what can be read.
    private mutating func number() -> [UInt8] {
        let edges: [[UInt8]] = [
            [], [0, 12], [0xff], [0xff, 0xff], [0x80], [0, 0x80], [0, 0, 0x80], [0x7f, 0xff], [0x7f] + zeros(7),
            [0x80] + zeros(7), [0, 0x80] + zeros(7), [1] + zeros(8), [1, 0, 12], zeros(8) + [12], [0x00],
        ]
        switch elements.random.below(3) {
        case 0: return [UInt8(elements.random.below(33))]
        case 1: return [6, UInt8(0xa5 + elements.random.below(22))]
        default: return elements.one(of: edges) ?? []
        }
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private mutating func date(like octets: [UInt8]) -> [UInt8] {
        let text = String(decoding: octets, as: UTF8.self)
        let zone = String(text.dropLast())
        let forms: [String] = [
            text.lowercased(), zone + "+00:00", zone + "-00:00", zone + ".5Z", zone + ".000Z", zone + ".Z",
            zone + ".123456789123456789Z", zone + "z", zone, text + "\0", " " + text, text + " ",
            text.replacing("T", with: " "), "2016-12-31T23:59:60Z", "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z",
            "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-1-1T0:0:0Z", "20240101T000000Z", "240101000000Z",
            "2024-01-01T00:00:00+14:00", "",
        ]
        return Array((elements.one(of: forms) ?? "").utf8)
    }

    private mutating func changeText(_ value: inout DERTree) {
        let tails: [[UInt8]] = [
            [0], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xef, 0xbb, 0xbf], [0xcc, 0x81],
            [0xff], [0x0d, 0x0a], [0xe2, 0x80, 0xae], [0xf4, 0x90, 0x80, 0x80],
        ]
        switch elements.random.below(5) {
        case 0: value.identifier = [DERTag.ia5String.rawValue]
        case 1: value.octets = []
        case 2: value.octets.insert(contentsOf: elements.one(of: tails) ?? [], at: 0)
        default: value.octets += elements.one(of: tails) ?? []
        }
    }
}
