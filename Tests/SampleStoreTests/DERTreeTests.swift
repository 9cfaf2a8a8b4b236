import Corpus
import DER
import Encodings
import SampleStore
import Testing

struct `A tree of DER` {
    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: Corpus.files(in: "receipts", ending: ".der"), [false, true])
    func `writes the octets of a genuine receipt as they were`(name: String, opens: Bool) throws {
        let bytes = Corpus.bytes("receipts/" + name)
        #expect(try DERTree(parsing: bytes, openingStrings: opens).encoded == bytes)
    }

    @Test(arguments: ContainerVariant.allCases.filter { $0 != .truncated && $0 != .leftOverBehind }, [false, true])
    func `writes the octets of a sample receipt as they were`(deviation: ContainerVariant, opens: Bool) throws {
        for bytes in try [
            deviation.container(signing: Samples.receipt.der, by: PrivateAuthority()),
            XcodeReceipt.bytes(Samples.receipt),
        ] { #expect(try DERTree(parsing: bytes, openingStrings: opens).encoded == bytes) }
    }

    @Test(
        arguments: [
            [0x30, 0x00], [0x30, 0x81, 0x00], [0x30, 0x80, 0x00, 0x00], [0x1f, 0x81, 0x01, 0x01, 0x2a],
            [0x04, 0x84, 0x00, 0x00, 0x00, 0x01, 0x2a], [0x30, 0x02, 0x00, 0x00],
            [0x24, 0x80, 0x04, 0x01, 7, 0x00, 0x00],
            [0x03, 0x03, 0x00, 0x05, 0x00], [0x03, 0x01, 0x00], [0x04, 0x00],
        ] as [[UInt8]], [false, true])
    func `keeps every form of identifier and length`(bytes: [UInt8], opens: Bool) throws {
        #expect(try DERTree(parsing: bytes, openingStrings: opens).encoded == bytes)
    }

    @Test func `opens strings only where that is asked for`() throws {
        let bytes: [UInt8] = [0x04, 0x04, 0x02, 0x02, 0x01, 0x00]
        #expect(try DERTree(parsing: bytes) == DERTree(.octetString, [0x02, 0x02, 0x01, 0x00]))
        let opened = DERTree(.octetString, [DERTree(.integer, [0x01, 0x00])])
        #expect(try DERTree(parsing: bytes, openingStrings: true) == opened)
        // Elements up to the end or none at all: these are two bytes that only begin like one.
        let closed = DERTree(.octetString, [0x02, 0x02])
        #expect(try DERTree(parsing: [0x04, 0x02, 0x02, 0x02], openingStrings: true) == closed)
    }

    @Test(
        arguments: [
            ([], .truncated(at: 0)), ([0x30], .truncated(at: 0)), ([0x30, 0x01], .truncated(at: 0)),
            ([0x30, 0x02, 0x04, 0x01], .truncated(at: 2)), ([0x05, 0x00, 0x05, 0x00], .leftOver(at: 2)),
            ([0x05, 0x00, 0x00], .truncated(at: 2)),
            ([0x30, 0x80, 0x05, 0x00], .truncated(at: 4)), ([0x04, 0x80, 0x00, 0x00], .badLength(at: 1)),
            ([0x30, 0x80, 0x00, 0x81, 0x00], .badLength(at: 3)), ([0x1f], .truncated(at: 0)),
            // An element must end before the one around it, even if bytes follow there.
            ([0x30, 0x04, 0x30, 0x02, 0x04, 0x01, 0x05, 0x00], .truncated(at: 4)),
        ] as [([UInt8], DERError)])
    func `is not made of what is no element`(bytes: [UInt8], error: DERError) {
        #expect(throws: error) { try DERTree(parsing: bytes) }
    }

    @Test func `is limited in depth and size`() throws {
        let nested = (0..<500).reduce([UInt8]()) { bytes, _ in DERWriter.element(0x30, [bytes]) }
        #expect(throws: DERError.self) { try DERTree(parsing: nested) }
        #expect(throws: DERError.self) { try DERTree(parsing: [UInt8](repeating: 0x30, count: 500) + [0x80]) }
        // A string too deep inside others stays closed.
        let strings = (0..<500).reduce([UInt8]()) { bytes, _ in DERWriter.element(0x04, [bytes]) }
        #expect(try DERTree(parsing: strings, openingStrings: true).encoded == strings)
        let many = DERWriter.element(0x30, [[UInt8](repeating: 0, count: 2 * DERTree.elementLimit)])
        #expect(throws: DERError.self) { try DERTree(parsing: many) }
    }

    @Test func `is never made of noise unless it writes the same noise`() {
        var random = SeededGenerator(seed: 17)
        var count = 0
        for _ in 0..<Exhaustive.count(20_000, sampled: 5000) {
            let tags: [UInt8] = [0x30, 0x31, 0x04, 0x24, 0x80, 0xa0, 0x1f, 0x03, 0x00]
            let noise = (0..<random.within(1...40)).map { _ in
                random.below(3) == 0 ? tags[random.below(tags.count)] : UInt8(random.below(12))
            }
            guard let elements = try? DERTree.elements(of: noise, openingStrings: true) else { continue }
            count += 1
            #expect(elements.flatMap(\.encoded) == noise)
        }
        #expect(count > Exhaustive.count(100, sampled: 10))
    }
}

struct `An edit of a tree` {
    /// SEQUENCE { INTEGER 1, SET { NULL, INTEGER 2 }, OCTET STRING 3 }
    private let tree = DERTree(
        .sequence,
        [
            DERTree(.integer, [1]), DERTree(.set, [DERTree(.null, [UInt8]()), DERTree(.integer, [2])]),
            DERTree(.octetString, [3]),
        ])

    private func edited(_ change: (inout DERTree) -> Bool) -> [UInt8]? {
        var copy = tree
        return change(&copy) ? copy.encoded : nil
    }

    @Test func `starts from these octets`() {
        #expect(tree.encoded == [0x30, 0x0d, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 4, 1, 3])
        #expect(tree.paths == [[], [0], [1], [1, 0], [1, 1], [2]])
        #expect(tree[[1, 1]] == DERTree(.integer, [2]))
        #expect(tree[[1, 2]] == nil)
    }

    @Test func `leaves an element out`() {
        #expect(edited { $0.drop(at: [1, 0]) } == [0x30, 0x0b, 2, 1, 1, 0x31, 3, 2, 1, 2, 4, 1, 3])
    }

    @Test func `repeats an element`() {
        #expect(edited { $0.repeat(at: [0]) } == [0x30, 0x10, 2, 1, 1, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 4, 1, 3])
    }

    @Test func `inserts an element, also behind the last`() {
        let extra = DERTree(.boolean, [0xff])
        #expect(
            edited { $0.insert(extra, at: [0]) }
                == [0x30, 0x10, 1, 1, 0xff, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 4, 1, 3])
        #expect(
            edited { $0.insert(extra, at: [1, 2]) }
                == [0x30, 0x10, 2, 1, 1, 0x31, 8, 5, 0, 2, 1, 2, 1, 1, 0xff, 4, 1, 3])
    }

    @Test func `lets two elements change places, unless one is inside the other`() {
        #expect(edited { $0.swap([0], [1, 0]) } == [0x30, 0x0d, 5, 0, 0x31, 6, 2, 1, 1, 2, 1, 2, 4, 1, 3])
        #expect(edited { $0.swap([1], [1, 0]) } == nil)
        #expect(edited { $0.swap([0], [0]) } == nil)
    }

    @Test func `gives an element another tag, also one of two octets`() {
        #expect(edited { $0.retag(at: [2], [0x80]) } == [0x30, 0x0d, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 0x80, 1, 3])
        #expect(
            edited { $0.retag(at: [2], [0x9f, 0x1f]) }
                == [0x30, 0x0e, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 0x9f, 0x1f, 1, 3])
    }

    @Test func `puts an element into a new one, or its contents in its place`() {
        #expect(
            edited { $0.nest(at: [0], inside: [0xa0]) }
                == [0x30, 0x0f, 0xa0, 3, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 4, 1, 3])
        #expect(edited { $0.unnest(at: [1]) } == [0x30, 0x0b, 2, 1, 1, 5, 0, 2, 1, 2, 4, 1, 3])
        #expect(edited { $0.unnest(at: [2]) } == [0x30, 0x0b, 2, 1, 1, 0x31, 5, 5, 0, 2, 1, 2, 3])
    }

    @Test func `moves an element into another`() {
        #expect(
            edited { $0.move(from: [0], to: [0, 1]) } == [0x30, 0x0d, 0x31, 8, 5, 0, 2, 1, 1, 2, 1, 2, 4, 1, 3])
        #expect(edited { $0.move(from: [1], to: [1, 0, 0, 0]) } == nil)
    }

    @Test func `replaces an element`() {
        #expect(
            edited { $0.replace(at: [1], with: DERTree(raw: [1, 2, 3])) } == [0x30, 9, 2, 1, 1, 1, 2, 3, 4, 1, 3])
    }

    @Test(
        arguments: [
            (.long(1), [0x81, 5]), (.long(4), [0x84, 0, 0, 0, 5]), (.wrong(by: 1), [6]), (.wrong(by: -5), [0]),
            (.wrong(by: -6), [0]), (.wrong(by: 300), [0x82, 1, 0x31]), (.raw([0xff]), [0xff]), (.raw([]), []),
        ] as [(DERTree.Length, [UInt8])])
    func `gives a length another form`(form: DERTree.Length, octets: [UInt8]) {
        let inner: [UInt8] = [0x31] + octets + [5, 0, 2, 1, 2]
        #expect(
            edited { $0.setLength(at: [1], form) } == [0x30, UInt8(inner.count + 6), 2, 1, 1] + inner + [4, 1, 3])
    }

    @Test func `makes a length indefinite`() {
        #expect(
            edited { $0.setLength(at: [1], .indefinite) }
                == [0x30, 0x0f, 2, 1, 1, 0x31, 0x80, 5, 0, 2, 1, 2, 0, 0, 4, 1, 3])
    }

    @Test func `inside an opened string gives the string the length it then has`() throws {
        var string = try DERTree(parsing: [0x04, 0x04, 0x02, 0x02, 0x01, 0x00], openingStrings: true)
        string.edit(at: [0]) { $0.octets = [7] }
        #expect(string.encoded == [0x04, 0x03, 0x02, 0x01, 7])
    }

    @Test(arguments: [[3], [1, 2], [0, 0], [-1], [1, -1], [1, 0, 0, 0]])
    func `at a path that leads nowhere changes nothing`(path: [Int]) {
        var copy = tree
        let successes = [
            copy.drop(at: path), copy.repeat(at: path), copy.unnest(at: path), copy.nest(at: path, inside: [0x30]),
            copy.retag(at: path, [0x30]), copy.replace(at: path, with: tree), copy.swap(path, [0]),
            copy.move(from: path, to: [0]), copy.setLength(at: path, .indefinite),
            copy.insert(tree, at: path + [5]),
        ]
        #expect(!successes.contains(true))
        #expect(copy == tree)
    }

    @Test func `of the root is possible where the root stays one element`() {
        var copy = tree
        let successes = [copy.drop(at: []), copy.repeat(at: []), copy.unnest(at: []), copy.insert(tree, at: [])]
        #expect(!successes.contains(true))
        #expect(copy == tree)
        #expect(edited { $0.nest(at: [], inside: [0xa0]) } == [0xa0, 0x0f] + tree.encoded)
    }
}
