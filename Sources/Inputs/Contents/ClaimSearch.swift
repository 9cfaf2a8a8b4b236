import Encodings

/// Searches JSON for the first claim that is wrapped in something else: in objects and arrays, in strings of JSON, and
/// in base64 of that, as queues, streams and databases wrap their content.
///
/// The text may end anywhere, because only the first bytes of an INPUT are examined.
package struct ClaimSearch {
    /// A step from a value to one inside.
    package enum Step: Equatable {
        case member([UInt8])
        case each
        /// The string is JSON.
        case json
        /// The string is base64 of JSON.
        case base64
    }

    /// The place of a proof.
    package struct Place {
        /// The steps to the object with the proof.
        package fileprivate(set) var path: [Step]
        /// Its key in that object; empty if it is an element of an array.
        package fileprivate(set) var key: [UInt8] = []
        /// The key of the text itself, if an object around it names its type; otherwise empty.
        package fileprivate(set) var type: [UInt8] = []
    }

    /// The first place, with ``Step/each`` where others differ.
    package private(set) var place: Place?
    /// Whether it contains signed parts of notifications or of answers of Apple's server, and no claim was found.
    var isEvidence: Bool { hasEvidence && place == nil }
    private var hasEvidence = false
    private let names: ExportNames
    /// The number of places found.
    private var count = 0

    private static let maxDepth = 24
    private static let maxPlaces = 64

    package init(_ text: Span<UInt8>, _ names: ExportNames) {
        self.names = names
        var reader = LooseJSON(text.copy())
        while count < Self.maxPlaces, reader.next() != nil { read(&reader, []) }
    }

    private mutating func read(_ reader: inout LooseJSON, _ path: [Step]) {
        guard path.count < Self.maxDepth, count < Self.maxPlaces else { return reader.end() }
        switch reader.next() {
        case UInt8(ascii: "\""): consider(reader.string(), path)
        case UInt8(ascii: "{"):
            reader.skip()
            while let byte = reader.next(), byte != UInt8(ascii: "}") {
                guard byte == UInt8(ascii: "\"") else {
                    reader.skip()
                    continue
                }
                let name = reader.string()
                guard reader.next() == UInt8(ascii: ":") else { continue }
                reader.skip()
                read(&reader, path + [.member(name)])
            }
            reader.skip()
        case UInt8(ascii: "["):
            reader.skip()
            while let byte = reader.next(), byte != UInt8(ascii: "]") {
                if byte == UInt8(ascii: ",") { reader.skip() } else { read(&reader, path + [.each]) }
            }
            reader.skip()
        default: _ = reader.word()
        }
    }

    /// Whether the object with a proof is read as a claim.
    private static func isOutermost(_ path: [Step]) -> Bool { path.isEmpty || path == [.each] }

    private mutating func consider(_ text: [UInt8], _ path: [Step]) {
        let trimmed = text.span.withoutBlanks
        guard trimmed.count > 0, !path.contains(where: Self.isPast) else { return }
        if Self.isProof(trimmed) { return add(Self.place(path), isKnown: false) }
        if trimmed[0] == UInt8(ascii: "{") || trimmed[0] == UInt8(ascii: "[") {
            var reader = LooseJSON(trimmed.copy())
            return read(&reader, path + [.json])
        }
        if let json = JSONTree.json(inBase64: trimmed) {
            var reader = LooseJSON(json)
            return read(&reader, path + [.base64])
        }
        add(Self.place(path), isKnown: true)
    }

    /// - Parameter isKnown: whether only the name shows that it is a proof.
    private mutating func add(_ found: Place, isKnown: Bool) {
        if EvidenceText.isName(found.key.span), names.column(named: found.key.span) == nil {
            return hasEvidence = hasEvidence || !Self.isOutermost(found.path)
        }
        // A value under the name of a column is not an envelope.
        guard !found.type.isEmpty || !found.path.contains(where: namesProof) else { return }
        if isKnown { guard names.column(named: found.key.span)?.column == .receiptData else { return } }
        count += 1
        guard let first = place else { return place = found }
        guard first.path.count == found.path.count, first.type == found.type else { return }
        place?.path = zip(first.path, found.path).map { $0 == $1 ? $0 : .each }
    }

    /// Whether a step leads to a value under the name of a proof column.
    private func namesProof(_ step: Step) -> Bool {
        guard case .member(let name) = step, let known = names.column(named: name.span) else { return false }
        return known.column == .receiptData && known.rank != .alias
    }

    /// Whether a step leads to an old version of a changed row.
    private static func isPast(_ step: Step) -> Bool {
        guard case .member(let name) = step else { return false }
        return name.span.isLowercased(Array("before".utf8)) || name.span.isLowercased(Array("oldimage".utf8))
    }

    /// Whether a text begins like a receipt, or is a token that may be truncated.
    private static func isProof(_ text: Span<UInt8>) -> Bool {
        if ProofStart.beginsReceipt(text.extracting(..<min(text.count, ProofStart.length))) { return true }
        return text.starts(with: Array("eyJ".utf8)) && text.firstIndex(of: UInt8(ascii: ".")) != nil
    }

    /// Returns the place of a text: objects that name its type, as in DynamoDB and Firestore, belong to it.
    private static func place(_ path: [Step]) -> Place {
        func name(_ back: Int) -> [UInt8]? {
            guard path.count > back, case .member(let name) = path[path.count - 1 - back] else { return nil }
            return name
        }
        guard let last = name(0) else { return Place(path: path) }
        if last.elementsEqual("base64".utf8), name(1)?.elementsEqual("$binary".utf8) == true, let key = name(2) {
            return Place(path: path.dropLast(3), key: key)
        }
        if let key = name(1), last.elementsEqual("$binary".utf8) { return Place(path: path.dropLast(2), key: key) }
        if let key = name(1), types.contains(where: { last.elementsEqual($0.utf8) }) {
            return Place(path: path.dropLast(2), key: key, type: last)
        }
        return Place(path: path.dropLast(), key: last)
    }

    /// The keys of texts in DynamoDB, in Firestore, and in JSON of Avro.
    private static let types = ["S", "B", "stringValue", "bytesValue", "string", "bytes"]
}

extension ClaimSearch {
    /// Returns the jq program that writes the claims, one object per line; `nil` if a shell or jq could misread a name.
    ///
    /// - Parameter withOuter: whether the outermost objects also have columns.
    func program(withOuter: Bool) -> String? {
        guard let place else { return nil }
        var path = place.path[...]
        var start = ""
        if withOuter, path.first == .each {
            start = ".[] | "
            path = path.dropFirst()
        }
        guard let key = place.key.isEmpty ? "" : Self.member(place.key.span), let steps = Self.text(path) else {
            let isPlain = !place.path.contains { $0 == .json || $0 == .base64 } && place.type.isEmpty
            guard isPlain, let key = Self.member(place.key.span) else { return nil }
            return ".. | objects | select(\(key))"
        }
        if place.key.isEmpty {
            return withOuter ? start + ". + {receipt_data: (\(steps))}" : start + steps + " | {receipt_data: .}"
        }
        var program = steps
        if !place.type.isEmpty { program = (program == "." ? "" : program + " | ") + Self.untyped(place.type) }
        if names.column(named: place.key.span)?.column != .receiptData {
            program = (program == "." ? "" : program + " | ") + ". + {receipt_data: \(key)}"
        }
        return start + (withOuter && program != "." && !path.isEmpty ? ". + (\(program))" : program)
    }

    /// The key of the proof, if it is in an outermost object under an unknown name.
    var otherKey: String? {
        guard let place, place.type.isEmpty, Self.isOutermost(place.path), Self.member(place.key.span) != nil,
            !place.key.contains(UInt8(ascii: ","))
        else { return nil }
        return String(repairing: place.key.span)
    }

    private static func text(_ path: ArraySlice<Step>) -> String? {
        var text = ""
        for step in path {
            switch step {
            case .each: text += text.isEmpty || text.hasSuffix(" ") ? ".[]" : "[]"
            case .member(let name):
                guard let member = member(name.span) else { return nil }
                let isInside = !text.isEmpty && !text.hasSuffix(" ") && member.hasPrefix(".[")
                text += isInside ? String(member.dropFirst()) : member
            case .json: text += " | fromjson? // {} | "
            case .base64: text += " | (@base64d | fromjson)? // {} | "
            }
        }
        if text.hasSuffix(" | ") { text.removeLast(3) }
        return text.isEmpty ? "." : text
    }

    /// Returns the jq expression for a member, `.name` or `.["name"]`; `nil` if jq could misread it.
    static func member(_ name: Span<UInt8>) -> String? {
        let isWord = name.indices.allSatisfy { index in
            let byte = name[index]
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            return isLetter || index > 0 && (0x30...0x39).contains(byte)
        }
        guard name.count > 0, name.count <= 100 else { return nil }
        if isWord { return "." + String(repairing: name) }
        let isPlain = name.indices.allSatisfy {
            (0x20...0x7e).contains(name[$0]) && !Array("'\"\\".utf8).contains(name[$0])
        }
        return isPlain ? ".[\"" + String(repairing: name) + "\"]" : nil
    }

    /// The part of a program that takes values out of objects that name their types.
    private static func untyped(_ type: [UInt8]) -> String {
        switch String(decoding: type, as: UTF8.self) {
        case "S", "B": "map_values(.S? // .N? // .B? // null)"
        case "stringValue", "bytesValue":
            "map_values(.stringValue? // .integerValue? // .timestampValue? // .bytesValue? // null)"
        default: "map_values(if type == \"object\" then first(.[]?) // null else . end)"
        }
    }
}
