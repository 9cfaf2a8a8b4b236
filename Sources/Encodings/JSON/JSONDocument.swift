/// A JSON text (RFC 8259), read strictly, as a list of values in document order.
///
/// Each value is identified by its index in the list; the first is the outermost. Strings and numbers stay in the text
/// until they are requested, so that reading some hundred values takes no more than two allocations.
package struct JSONDocument: Sendable {
    /// A kind of value.
    package enum Kind: Sendable { case null, bool, number, string, array, object }

    private struct Value: Sendable {
        let kind: Kind
        /// The member's name; empty for an element of an array and for the outermost value.
        let name: JSONText
        /// The characters between the quotes of a string, or the whole text of another value.
        var text: JSONText
        /// The index after the last value inside it.
        var end: Int
    }

    private let text: [UInt8]
    private let limit: Int
    private var values: [Value] = []
    /// The strings with escapes, decoded.
    private var spelled: [UInt8] = []
    /// The first duplicate name in an object; `nil` if there is none.
    package private(set) var repeatedName: ExactText?
    /// The members of the outermost object by name, if it has many distinct ones: some forty names are looked up in a
    /// payload, and a hostile one has thousands.
    private var sortedMembers: [Int] = []

    /// The maximum number of values, so that a hostile text cannot fill the memory. Apple's tokens have some forty.
    package static let maxValues = 1 << 14

    /// Reads a whole text, with surrounding blanks.
    ///
    /// - Parameters:
    ///   - maxDepth: the maximum nesting of objects and arrays.
    ///   - maxValues: the maximum number of values.
    /// - Throws: ``JSONError`` if it is not exactly one value in UTF-8, or too large.
    package init(_ text: [UInt8], maxDepth: Int, maxValues: Int = JSONDocument.maxValues) throws(JSONError) {
        self.text = text
        limit = maxValues
        guard (try? UTF8Span(validating: text.span)) != nil else { throw .notUTF8 }
        var scanner = JSONScanner(text.span)
        values.reserveCapacity(64)
        try read(&scanner, name: .plain(0..<0), depthLeft: maxDepth)
        guard scanner.next() == nil else { throw .leftOver(at: scanner.position) }
    }

    private mutating func read(
        _ scanner: inout JSONScanner, name: JSONText, depthLeft: Int
    ) throws(JSONError) {
        guard values.count < limit else { throw .tooLarge }
        let index = values.count
        let first = scanner.next()
        let start = scanner.position
        switch first {
        case 0x22:
            let string = try scanner.string(spellingInto: &spelled)
            values.append(Value(kind: .string, name: name, text: string, end: index + 1))
        case 0x7b, 0x5b:
            guard depthLeft > 0 else { throw .tooDeep }
            let isObject = first == 0x7b
            values.append(Value(kind: isObject ? .object : .array, name: name, text: .plain(start..<start), end: 0))
            if isObject {
                try readMembers(&scanner, depthLeft: depthLeft - 1)
            } else {
                try readElements(&scanner, depthLeft: depthLeft - 1)
            }
            values[index].text = .plain(start..<scanner.position)
            values[index].end = values.count
            if isObject { noteRepeatedName(in: index) }
        default:
            let word = try scanner.word()
            let kind: Kind =
                switch text[word.lowerBound] {
                case 0x6e: .null
                case 0x74, 0x66: .bool
                default: .number
                }
            values.append(Value(kind: kind, name: name, text: .plain(word), end: index + 1))
        }
    }

    private mutating func readMembers(_ scanner: inout JSONScanner, depthLeft: Int) throws(JSONError) {
        try scanner.expect("{")
        if scanner.skip("}") { return }
        repeat {
            let name = try scanner.string(spellingInto: &spelled)
            try scanner.expect(":")
            try read(&scanner, name: name, depthLeft: depthLeft)
        } while scanner.skip(",")
        try scanner.expect("}")
    }

    private mutating func readElements(_ scanner: inout JSONScanner, depthLeft: Int) throws(JSONError) {
        try scanner.expect("[")
        if scanner.skip("]") { return }
        repeat { try read(&scanner, name: .plain(0..<0), depthLeft: depthLeft) } while scanner.skip(",")
        try scanner.expect("]")
    }

    /// The index of the outermost value.
    package static let root = 0

    package func kind(_ index: Int) -> Kind { values[index].kind }

    /// Returns the bytes of a string, decoded, or of a number as written.
    @_lifetime(borrow self)
    package func octets(_ index: Int) -> Span<UInt8> {
        switch values[index].text {
        case .plain(let range): text.span.extracting(range)
        case .spelled(let range): spelled.span.extracting(range)
        }
    }

    /// Returns a string, or a number as written.
    package func text(_ index: Int) -> ExactText { ExactText(repairing: octets(index)) }

    /// Returns the name of an object's member, decoded.
    package func name(_ index: Int) -> ExactText { ExactText(repairing: nameOctets(index)) }

    /// Returns the indices of an object's members or an array's elements.
    package func children(of index: Int) -> Children {
        Children(document: self, position: index + 1, end: values[index].end)
    }

    /// Returns the member of an object with this name; the last one, if it is duplicated.
    package func member(_ name: ExactText, of index: Int) -> Int? {
        guard values[index].kind == .object else { return nil }
        if index == Self.root, !sortedMembers.isEmpty { return sortedMember(name) }
        var (found, next): (Int?, Int) = (nil, index + 1)
        while next < values[index].end {
            if nameOctets(next).isSame(as: name.utf8.span) { found = next }
            next = values[next].end
        }
        return found
    }

    /// Returns the bytes of the name of an object's member, decoded.
    @_lifetime(borrow self)
    package func nameOctets(_ index: Int) -> Span<UInt8> {
        switch values[index].name {
        case .plain(let range): text.span.extracting(range)
        case .spelled(let range): spelled.span.extracting(range)
        }
    }

    /// A sequence of the indices of sibling values.
    package struct Children: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var position: Int
        fileprivate let end: Int

        package mutating func next() -> Int? {
            guard position < end else { return nil }
            defer { position = document.values[position].end }
            return position
        }
    }
}

extension JSONDocument {
    /// The number of members up to which names are compared pairwise.
    private static let fewNames = 48

    /// Records the first duplicate name among the members of an object.
    private mutating func noteRepeatedName(in object: Int) {
        guard repeatedName == nil else { return }
        var members: [Int] = []
        members.reserveCapacity(Self.fewNames)
        var next = object + 1
        while next < values[object].end {
            members.append(next)
            next = values[next].end
        }
        if members.count > Self.fewNames {
            members.sort { hasName(before: $1, $0) }
            for place in members.indices.dropFirst() where haveSameName(members[place - 1], members[place]) {
                return repeatedName = name(members[place])
            }
            if object == Self.root { sortedMembers = members }
            return
        }
        for place in members.indices {
            for earlier in 0..<place where haveSameName(members[earlier], members[place]) {
                return repeatedName = name(members[place])
            }
        }
    }

    private func sortedMember(_ name: ExactText) -> Int? {
        let octets = name.utf8.span
        var (low, high) = (0, sortedMembers.count)
        while low < high {
            let middle = (low + high) / 2
            if nameOctets(sortedMembers[middle]).precedes(octets) { low = middle + 1 } else { high = middle }
        }
        guard low < sortedMembers.count, nameOctets(sortedMembers[low]).isSame(as: octets) else { return nil }
        return sortedMembers[low]
    }

    private func hasName(before other: Int, _ index: Int) -> Bool { nameOctets(index).precedes(nameOctets(other)) }

    private func haveSameName(_ a: Int, _ b: Int) -> Bool {
        nameOctets(a).isSame(as: nameOctets(b))
    }
}
