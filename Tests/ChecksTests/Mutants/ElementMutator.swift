import DER
import SampleStore

/// Changes elements without regard to what they mean.
struct ElementMutator {
    /// The tree before any change, from which elements are copied.
    let original: DERTree
    /// Groups of paths: each is drawn from as often as the others.
    let paths: [[[Int]]]
    /// The path of the element whose bytes are left to a kind of its own.
    let reserved: [Int]?
    var random: SeededGenerator

    private static let tags: [UInt8] = [
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x24, 0x30, 0x31, 0x80, 0x81, 0xa0,
        0xa1,
        0xa2, 0xa3,
    ]

    /// - Returns: where it was done; `nil` if it was not possible.
    mutating func change(_ kind: MutationKind, of tree: inout DERTree) -> [Int]? {
        let path = path()
        let isDone: Bool
        switch kind {
        case .drop: isDone = tree.drop(at: path)
        case .repeat: isDone = tree.repeat(at: path)
        case .swap: isDone = swap(path, in: &tree)
        case .move: isDone = tree.move(from: path, to: self.path())
        case .retag: isDone = tree.retag(at: path, identifier(insteadOf: tree[path]?.tag ?? 0))
        case .longIdentifier: isDone = writeLongIdentifier(at: path, in: &tree)
        case .nest:
            let identifier = identifier(insteadOf: 0x30)
            isDone = tree.nest(at: path, inside: random.below(2) == 0 ? tree[path]?.identifier ?? [0x30] : identifier)
        case .unnest: isDone = tree.unnest(at: path)
        case .insert: isDone = tree.insert(element(), at: random.below(3) == 0 ? behind(path, in: tree) : path)
        case .replace: isDone = tree.replace(at: path, with: element())
        case .clear:
            isDone = tree.edit(at: path) {
                $0.octets = []
                $0.children = []
            }
        case .octets: isDone = changeOctets(at: path, in: &tree)
        case .leftOver: isDone = leaveOver(at: path, in: &tree)
        case .leftOverBehind:
            let behind = random.below(3) == 0 ? element() : DERTree(raw: random.below(2) == 0 ? [0] : junk())
            tree = DERTree(identifier: [], length: .raw([]), children: [tree, behind])
            isDone = true
        case .longLength: isDone = tree.setLength(at: path, .long(longLength(of: tree[path])))
        case .indefiniteLength: isDone = tree.setLength(at: path, .indefinite)
        case .wrongLength: isDone = tree.setLength(at: path, wrongLength())
        case .constructedString: isDone = writeInPieces(at: path, in: &tree)
        default: isDone = false
        }
        return isDone ? path : nil
    }

    private mutating func swap(_ path: [Int], in tree: inout DERTree) -> Bool {
        guard let index = path.last, random.below(2) == 0 else { return tree.swap(path, self.path()) }
        return tree.swap(path, path.dropLast() + [index + 1])
    }

    /// The place after the last element inside this one, or after this one if it is primitive.
    private func behind(_ path: [Int], in tree: DERTree) -> [Int] {
        guard let element = tree[path], let tag = element.tag, tag & 0x20 == 0 else {
            return path + [tree[path]?.children.count ?? 0]
        }
        return path.dropLast() + [(path.last ?? 0) + 1]
    }

    /// Another tag: one that occurs, the same with another class or form, or any.
    private mutating func identifier(insteadOf tag: UInt8) -> [UInt8] {
        switch random.below(4) {
        case 0: [tag ^ [0x20, 0x40, 0x80, 0xa0][random.below(4)]]
        case 1: [UInt8(random.below(256)) & ~1]
        default: [Self.tags[random.below(Self.tags.count)]]
        }
    }

    /// The same tag number in the form for numbers from 31 on (X.690, section 8.1.2.4).
    private mutating func writeLongIdentifier(at path: [Int], in tree: inout DERTree) -> Bool {
        guard let tag = tree[path]?.tag, tag & 0x1f != 0x1f else { return false }
        let padding = [UInt8](repeating: 0x80, count: random.below(3))
        return tree.retag(at: path, [tag | 0x1f] + padding + [tag & 0x1f])
    }

    private mutating func longLength(of element: DERTree?) -> Int {
        let needed = element.map { $0.contents.count < 0x80 ? 0 : $0.contents.count < 0x100 ? 1 : 2 } ?? 0
        return needed + [1, 1, 2, 3, 6, 60, 124][random.below(7)]
    }

    private mutating func wrongLength() -> DERTree.Length {
        switch random.below(8) {
        case 0: .wrong(by: -1)
        case 1: .wrong(by: 1)
        case 2: .wrong(by: 2 - random.below(5))
        case 3: .wrong(by: random.within(-300...300))
        case 4: .raw([0x84, 0xff, 0xff, 0xff, 0xff])
        case 5: .raw([0x88, 0x80, 0, 0, 0, 0, 0, 0, UInt8(random.below(256))])
        case 6: .raw([0xff])
        default: .raw(random.octets(random.below(4)))
        }
    }

    private mutating func changeOctets(at path: [Int], in tree: inout DERTree) -> Bool {
        guard var octets = tree[path]?.octets, path != reserved else { return false }
        switch random.below(9) {
        case 0 where !octets.isEmpty: octets[random.below(octets.count)] ^= 1 << UInt8(random.below(8))
        case 1 where !octets.isEmpty: octets[random.below(octets.count)] = UInt8(random.below(256))
        case 2: octets.insert(0, at: 0)
        case 3: octets.append(0)
        case 4: octets.append(contentsOf: junk())
        case 5 where !octets.isEmpty: octets.removeFirst()
        case 6 where !octets.isEmpty: octets.removeLast()
        case 7: octets = junk()
        case 8: octets.insert(contentsOf: junk(), at: random.below(octets.count + 1))
        default: octets = [UInt8](repeating: 0, count: random.below(5))
        }
        return tree.edit(at: path) { $0.octets = octets }
    }

    /// Adds bytes or an element at the end of a constructed element.
    private mutating func leaveOver(at path: [Int], in tree: inout DERTree) -> Bool {
        guard let tag = tree[path]?.tag, tag & 0x20 != 0 else { return false }
        let extra = random.below(2) == 0 ? element() : DERTree(raw: random.below(3) == 0 ? [0] : junk())
        return tree.edit(at: path) { $0.children.append(extra) }
    }

    /// Writes a primitive element as a constructed one whose pieces have the same tag, or OCTET STRING's.
    private mutating func writeInPieces(at path: [Int], in tree: inout DERTree) -> Bool {
        guard let element = tree[path], let tag = element.tag, tag & 0x20 == 0, element.children.isEmpty else {
            return false
        }
        let cut = random.below(element.octets.count + 1)
        let pieces = [Array(element.octets[..<cut]), Array(element.octets[cut...])]
        let tagOfPieces = random.below(4) == 0 ? DERTag.octetString.rawValue : tag
        let isIndefinite = random.below(2) == 0
        return tree.edit(at: path) {
            $0.identifier[0] |= 0x20
            $0.octets = []
            $0.children = pieces.map { DERTree(identifier: [tagOfPieces], octets: $0) }
            if isIndefinite { $0.length = .indefinite }
        }
    }

    // MARK: What is drawn

    /// The path of an element.
    mutating func path() -> [Int] { one(of: paths).flatMap { one(of: $0) } ?? [] }

    /// A few bytes; now and then many.
    mutating func junk() -> [UInt8] {
        random.below(200) == 0 ? [UInt8](repeating: 0x5a, count: 70_000) : random.octets(random.within(1...20))
    }

    /// An element of any kind: made up, or one of the tree's own.
    mutating func element() -> DERTree {
        switch random.below(12) {
        case 0: DERTree(.null, [UInt8]())
        case 1: DERTree(.integer, [UInt8(random.below(128))])
        case 2: DERTree(.octetString, junk())
        case 3: DERTree(.sequence, [DERTree]())
        case 4: DERTree(.set, [DERTree]())
        case 5: DERTree(.sequence, [DERTree(.objectIdentifier, ObjectIdentifier.data), DERTree(.null, [UInt8]())])
        case 6: DERTree(identifier: [UInt8(0xa0 + random.below(4))], children: [DERTree(.octetString, junk())])
        case 7: DERTree(identifier: [UInt8(0x80 + random.below(4))], octets: junk())
        case 8: DERTree(identifier: [0x00])
        default: original[path()] ?? DERTree(.boolean, [0xff])
        }
    }

    /// One of several; nothing from none.
    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[random.below(elements.count)]
    }
}
