import Encodings

/// What the programs of the table do.
extension Envelope {
    static func members(_ value: SeenJSON) -> Row { value.members ?? [] }

    static func elements(_ value: SeenJSON) -> [SeenJSON] { value.children }

    static func row(_ value: SeenJSON) -> [Row] { value.members.map { [$0] } ?? [] }

    static func named(_ value: SeenJSON) -> [Row] {
        guard case .text = value else { return [] }
        return [[SeenJSON.Member(name: Array("receipt_data".utf8), value: value)]]
    }

    static func scalars(_ value: SeenJSON) -> Row { members(value).filter { $0.value.isScalar } }

    /// The members of all objects in a value; of several with one name the last.
    static func flattened(_ value: SeenJSON) -> Row { merged(value.descendants.flatMap { scalars($0) }) }

    /// The members of the objects of a value that are in no array.
    static func outside(_ value: SeenJSON) -> Row {
        scalars(value) + members(value).flatMap { outside($0.value) }
    }

    /// The members of a row; of several with one name the last.
    static func merged(_ members: Row) -> Row {
        var row: Row = []
        var places: [[UInt8]: Int] = [:]
        for member in members {
            if let place = places[member.name] {
                row[place] = member
            } else {
                places[member.name] = row.count
                row.append(member)
            }
        }
        return row
    }

    static func rowsOfArrays(_ value: SeenJSON) -> [Row] {
        value.descendants.flatMap { flattenedRows($0.elements ?? []) }
    }

    /// The members of all objects in each object of a list.
    static func flattenedRows(_ values: [SeenJSON]) -> [Row] {
        values.filter { $0.members != nil }.map { flattened($0) }
    }

    /// The members of an object whose values are objects with one scalar, which names their type.
    static func typed(_ value: SeenJSON) -> Row? {
        guard let members = value.members else { return nil }
        var hasTypes = false
        var row: Row = []
        for member in members {
            var inner = member.value
            if let types = inner.members {
                hasTypes = true
                if types.count == 1 { inner = types[0].value }
            }
            guard inner.isScalar || inner == .word(Array("null".utf8)) else { return nil }
            row.append(SeenJSON.Member(name: member.name, value: inner))
        }
        return hasTypes ? row : nil
    }

    /// The members of an object in which each is wrapped in an object with one key, its type.
    static func whollyTyped(_ value: SeenJSON) -> Row? {
        let typed = members(value).map { ($0.name, members($0.value)) }
        // The known bytes may end in the first member.
        guard typed.count > 1 || typed.first?.1.first?.value.isProof == true, typed.allSatisfy({ $0.1.count == 1 })
        else { return nil }
        return typed.compactMap { name, inner in
            inner[0].value.isContainer ? nil : SeenJSON.Member(name: name, value: inner[0].value)
        }
    }

    /// The first array of arrays.
    static func firstTable(_ value: SeenJSON, atLeast count: Int) -> [SeenJSON]? {
        value.descendants.compactMap(\.elements).first { rows in
            rows.count >= count && rows.allSatisfy { $0.elements != nil }
        }
    }

    /// The first array of texts, or of objects with names.
    static func firstNames(_ value: SeenJSON) -> [[UInt8]]? {
        for case .array(let elements) in value.descendants where !elements.isEmpty {
            if let names = texts(.array(elements.map { $0["name"] ?? $0 })) { return names }
        }
        return nil
    }

    static func texts(_ value: SeenJSON) -> [[UInt8]]? {
        guard let elements = value.elements else { return nil }
        let texts = elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return texts.count == elements.count ? texts : nil
    }

    static func joined(_ names: [[UInt8]], _ values: SeenJSON) -> Row {
        zip(names, elements(values)).map { SeenJSON.Member(name: $0, value: $1) }
    }

    static func pair(_ value: SeenJSON) -> SeenJSON.Member? {
        guard case .text(let key)? = value["key"], var inner = value["value"] else { return nil }
        if case .object(let types) = inner {
            guard let first = types.first(where: { $0.value != .word(Array("null".utf8)) }) else { return nil }
            inner = first.value
        }
        return SeenJSON.Member(name: key, value: inner)
    }

    /// The rows of columns that hold all of their cells.
    static func byIndex(_ value: SeenJSON) -> [Row] {
        guard let columns = value.members, let first = columns.first else { return [] }
        let isByKey = first.value.members != nil
        guard columns.allSatisfy({ $0.value.isContainer }) else { return [] }
        return elements(first.value).indices.map { index in
            columns.compactMap { column in
                let cell =
                    isByKey
                    ? column.value[members(first.value)[index].name]
                    : elements(column.value).indices.contains(index) ? elements(column.value)[index] : nil
                return cell.map { SeenJSON.Member(name: column.name, value: $0) }
            }
        }
    }

    /// Names the first member that is a proof.
    static func renamed(_ row: Row) -> Row {
        guard let proof = row.first(where: { $0.value.isProof }) else { return [] }
        let name = Array("receipt_data".utf8)
        return row.filter { $0.name != name } + [SeenJSON.Member(name: name, value: proof.value)]
    }
}

extension SeenJSON {
    /// The members of an object; `nil` for any other value.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array; `nil` for any other value.
    var elements: [SeenJSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The values in an object or array.
    var children: [SeenJSON] { members.map { $0.map(\.value) } ?? elements ?? [] }

    /// The value and those inside of it, in the order of `..` in jq.
    var descendants: [SeenJSON] { [self] + children.flatMap(\.descendants) }

    /// The texts and numbers in it, each under the names that lead to it.
    var leaves: [Member] {
        func named(_ name: [UInt8], _ value: SeenJSON) -> [Member] {
            value.isContainer
                ? value.leaves.map { Member(name: name + [UInt8(ascii: ".")] + $0.name, value: $0.value) }
                : [Member(name: name, value: value)]
        }
        return members.map { $0.flatMap { named($0.name, $0.value) } } ?? children.flatMap(\.leaves)
    }

    /// Whether it is neither an object, an array nor null.
    var isScalar: Bool {
        switch self {
        case .text, .encoded: true
        case .word(let word): !word.elementsEqual("null".utf8)
        case .object, .array: false
        }
    }

    /// The names of an object's members that are objects with a proof.
    var namesOfClaims: [[UInt8]] {
        (members ?? []).filter { $0.value.members != nil && $0.value.pathOfProof() != nil }.map(\.name)
    }

    /// Whether an object in it has more than two such members.
    var hasNamesOfClaims: Bool { descendants.contains { $0.namesOfClaims.count > 2 } }

    var isContainer: Bool { members != nil || elements != nil }

    /// The text of a string, number or word.
    var characters: [UInt8]? {
        switch self {
        case .text(let text), .word(let text): text
        default: nil
        }
    }

    subscript(name: String) -> SeenJSON? { self[Array(name.utf8)] }

    subscript(name: [UInt8]) -> SeenJSON? { members?.last { $0.name == name }?.value }

    /// The value with the JSON of its strings in their place.
    var decoded: SeenJSON {
        switch self {
        case .encoded(let inner, _): inner.decoded
        case .object(let members): .object(members.map { Member(name: $0.name, value: $0.value.decoded) })
        case .array(let elements): .array(elements.map(\.decoded))
        default: self
        }
    }

    /// Whether a string holds JSON with a proof.
    var hasEncodedClaim: Bool {
        if case .encoded(let inner, _) = self { return inner.pathOfProof() != nil }
        return children.contains(where: \.hasEncodedClaim)
    }
}
