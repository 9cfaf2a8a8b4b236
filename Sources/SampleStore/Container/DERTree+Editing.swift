/// Edits by path: the positions of children from the root down. The root's path is empty.
///
/// Each says whether the path, and with it the edit, was possible.
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

    /// Changes the list of children in which the element at a path stands; the root stands in none.
    private mutating func editSiblings(of path: [Int], _ change: (inout [DERTree], Int) -> Bool) -> Bool {
        guard let index = path.last else { return false }
        var isDone = false
        _ = edit(at: path.dropLast()) { isDone = change(&$0.children, index) }
        return isDone
    }

    /// Puts another element in the place of one.
    @discardableResult
    public mutating func replace(at path: [Int], with other: DERTree) -> Bool { edit(at: path) { $0 = other } }

    /// Leaves an element out.
    @discardableResult
    public mutating func drop(at path: [Int]) -> Bool {
        editSiblings(of: path) { siblings, index in
            guard siblings.indices.contains(index) else { return false }
            siblings.remove(at: index)
            return true
        }
    }

    /// Writes an element again behind itself.
    @discardableResult
    public mutating func `repeat`(at path: [Int]) -> Bool {
        editSiblings(of: path) { siblings, index in
            guard siblings.indices.contains(index) else { return false }
            siblings.insert(siblings[index], at: index)
            return true
        }
    }

    /// Adds an element in front of the one at a path, or behind the last.
    @discardableResult
    public mutating func insert(_ element: DERTree, at path: [Int]) -> Bool {
        editSiblings(of: path) { siblings, index in
            guard (0...siblings.count).contains(index) else { return false }
            siblings.insert(element, at: index)
            return true
        }
    }

    /// Lets two elements change places, neither of which is inside the other.
    @discardableResult
    public mutating func swap(_ path: [Int], _ other: [Int]) -> Bool {
        guard !path.starts(with: other), !other.starts(with: path), let first = self[path], let second = self[other]
        else { return false }
        return replace(at: path, with: second) && replace(at: other, with: first)
    }

    /// Gives an element other identifier octets.
    @discardableResult
    public mutating func retag(at path: [Int], _ identifier: [UInt8]) -> Bool {
        edit(at: path) { $0.identifier = identifier }
    }

    /// Puts an element inside a new one.
    @discardableResult
    public mutating func nest(at path: [Int], inside identifier: [UInt8]) -> Bool {
        edit(at: path) { $0 = DERTree(identifier: identifier, children: [$0]) }
    }

    /// Puts an element's contents in its place.
    @discardableResult
    public mutating func unnest(at path: [Int]) -> Bool {
        editSiblings(of: path) { siblings, index in
            guard siblings.indices.contains(index) else { return false }
            let element = siblings[index]
            let octets = element.octets.isEmpty ? [] : [DERTree(raw: element.octets)]
            siblings.replaceSubrange(index...index, with: octets + element.children)
            return true
        }
    }

    /// Takes an element out and adds it in front of the one that then stands at another path, or behind the last.
    @discardableResult
    public mutating func move(from path: [Int], to other: [Int]) -> Bool {
        guard let element = self[path] else { return false }
        var copy = self
        guard copy.drop(at: path), copy.insert(element, at: other) else { return false }
        self = copy
        return true
    }

    /// Gives an element's length octets another form.
    @discardableResult
    public mutating func setLength(at path: [Int], _ length: Length) -> Bool { edit(at: path) { $0.length = length } }
}
