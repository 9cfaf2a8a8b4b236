public import DER

/// One element of BER or DER (X.690, section 8.1) as a value that can be edited and written again.
///
/// A parsed element is written with the same octets, whatever the form of its lengths. After an edit the lengths match
/// the contents, unless an element has a ``Length`` that is wrong on purpose. ``edit(at:_:)`` and the other edits
/// identify an element by its path; a path without an element changes nothing.
public struct DERTree: Equatable, Sendable {
    /// The identifier octets (section 8.1.2); none for ``init(raw:)``.
    public var identifier: [UInt8]
    /// The form of the length octets.
    public var length: Length
    /// The contents before the children: all contents of a primitive element that was not opened.
    public var octets: [UInt8]
    /// The elements inside, including those of an opened string.
    public var children: [DERTree]

    /// The form of an element's length octets (section 8.1.3).
    public enum Length: Equatable, Sendable {
        /// The shortest definite form: DER's.
        case shortest
        /// The long form with at least this many octets after the first (1 to 126).
        case long(Int)
        /// The indefinite form; two octets of zero end the contents.
        case indefinite
        /// The shortest form of a length that differs from that of the contents by this number of octets.
        case wrong(by: Int)
        /// These octets, regardless of the contents.
        case raw([UInt8])
    }

    public init(
        identifier: [UInt8], length: Length = .shortest, octets: [UInt8] = [], children: [DERTree] = []
    ) {
        self.identifier = identifier
        self.length = length
        self.octets = octets
        self.children = children
    }

    /// A primitive element.
    public init(_ tag: DERTag, _ octets: [UInt8]) { self.init(identifier: [tag.rawValue], octets: octets) }

    /// A constructed element.
    public init(_ tag: DERTag, _ children: [DERTree]) { self.init(identifier: [tag.rawValue], children: children) }

    /// Octets without identifier and length, which are written unchanged.
    public init(raw octets: [UInt8]) { self.init(identifier: [], length: .raw([]), octets: octets) }

    /// The identifier's first octet; `nil` for raw octets.
    public var tag: UInt8? { identifier.first }

    /// The whole element: identifier, length and contents octets.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The contents octets.
    public var contents: [UInt8] {
        var contents = octets
        for child in children { child.write(to: &contents) }
        return contents
    }

    private func write(to output: inout [UInt8]) {
        let contents = contents
        output += identifier
        output += length.octets(for: contents.count)
        output += contents
        if length == .indefinite { output += [0, 0] }
    }
}

extension DERTree.Length {
    /// Returns the length octets in front of contents of this size.
    func octets(for count: Int) -> [UInt8] {
        switch self {
        case .shortest: return Self.definite(count, minOctets: 0)
        case .long(let octets): return Self.definite(count, minOctets: min(max(octets, 1), 126))
        case .indefinite: return [0x80]
        case .wrong(let difference): return Self.definite(max(0, count &+ difference), minOctets: 0)
        case .raw(let octets): return octets
        }
    }

    /// Returns a definite length, in the short form if it fits and no minimum is given.
    private static func definite(_ count: Int, minOctets: Int) -> [UInt8] {
        if minOctets == 0, count < 0x80 { return [UInt8(truncatingIfNeeded: count)] }
        var octets: [UInt8] = []
        var rest = count
        while rest > 0 {
            octets.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        octets += [UInt8](repeating: 0, count: max(0, minOctets - octets.count))
        return [0x80 | UInt8(truncatingIfNeeded: octets.count)] + octets.reversed()
    }
}

/// Edits by path: the positions of children from the root down. The root's path is empty.
///
/// Each returns whether there is an element at the path, so that the edit was made.
extension DERTree {
    /// The element at a path; `nil` if there is none.
    public subscript(_ path: [Int]) -> DERTree? { self[path[...]] }

    private subscript(_ path: ArraySlice<Int>) -> DERTree? {
        guard let first = path.first else { return self }
        guard children.indices.contains(first) else { return nil }
        return children[first][path.dropFirst()]
    }

    /// The paths of all elements, each before those inside it.
    public var paths: [[Int]] {
        var found: [[Int]] = []
        collectPaths(below: [], into: &found)
        return found
    }

    private func collectPaths(below path: [Int], into found: inout [[Int]]) {
        found.append(path)
        for (index, child) in children.enumerated() { child.collectPaths(below: path + [index], into: &found) }
    }

    /// Changes the element at a path in any way.
    @discardableResult
    public mutating func edit(at path: [Int], _ change: (inout DERTree) -> Void) -> Bool {
        edit(at: path[...], change)
    }

    private mutating func edit(at path: ArraySlice<Int>, _ change: (inout DERTree) -> Void) -> Bool {
        guard let first = path.first else {
            change(&self)
            return true
        }
        guard children.indices.contains(first) else { return false }
        return children[first].edit(at: path.dropFirst(), change)
    }

    /// Changes the siblings of the element at a path, and passes the element's index among them.
    ///
    /// - Returns: `false` if there is no element at the path. The root has no siblings.
    private mutating func editSiblings(of path: [Int], _ change: (inout [DERTree], Int) -> Void) -> Bool {
        guard let index = path.last, self[path] != nil else { return false }
        return edit(at: path.dropLast()) { change(&$0.children, index) }
    }

    /// Replaces an element.
    @discardableResult
    public mutating func replace(at path: [Int], with other: DERTree) -> Bool { edit(at: path) { $0 = other } }

    /// Removes an element.
    @discardableResult
    public mutating func drop(at path: [Int]) -> Bool { editSiblings(of: path) { $0.remove(at: $1) } }

    /// Inserts a copy of an element after it.
    @discardableResult
    public mutating func `repeat`(at path: [Int]) -> Bool { editSiblings(of: path) { $0.insert($0[$1], at: $1) } }

    /// Inserts an element in front of the one at a path, or after the last.
    @discardableResult
    public mutating func insert(_ element: DERTree, at path: [Int]) -> Bool {
        guard let index = path.last, let parent = self[path.dropLast()], (0...parent.children.count).contains(index)
        else { return false }
        return edit(at: path.dropLast()) { $0.children.insert(element, at: index) }
    }

    /// Exchanges two elements, neither of which is inside the other.
    @discardableResult
    public mutating func swap(_ path: [Int], _ other: [Int]) -> Bool {
        guard !path.starts(with: other), !other.starts(with: path), let first = self[path], let second = self[other]
        else { return false }
        return replace(at: path, with: second) && replace(at: other, with: first)
    }

    /// Replaces the identifier octets of an element.
    @discardableResult
    public mutating func retag(at path: [Int], _ identifier: [UInt8]) -> Bool {
        edit(at: path) { $0.identifier = identifier }
    }

    /// Puts an element inside a new one.
    @discardableResult
    public mutating func nest(at path: [Int], inside identifier: [UInt8]) -> Bool {
        edit(at: path) { $0 = DERTree(identifier: identifier, children: [$0]) }
    }

    /// Replaces an element with its contents.
    @discardableResult
    public mutating func unnest(at path: [Int]) -> Bool {
        editSiblings(of: path) { siblings, index in
            let element = siblings[index]
            let octets = element.octets.isEmpty ? [] : [DERTree(raw: element.octets)]
            siblings.replaceSubrange(index...index, with: octets + element.children)
        }
    }

    /// Removes an element, and inserts it in front of the one that is then at another path, or after the last.
    @discardableResult
    public mutating func move(from path: [Int], to other: [Int]) -> Bool {
        guard let element = self[path] else { return false }
        var copy = self
        guard copy.drop(at: path), copy.insert(element, at: other) else { return false }
        self = copy
        return true
    }

    /// Changes the form of an element's length octets.
    @discardableResult
    public mutating func setLength(at path: [Int], _ length: Length) -> Bool { edit(at: path) { $0.length = length } }
}
