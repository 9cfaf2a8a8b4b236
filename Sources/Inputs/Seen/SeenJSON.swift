import Encodings

/// JSON that may end anywhere, as where only the first bytes of an INPUT are examined.
///
/// Strings with JSON in them, and with base64 of JSON, are values of their own: queues and streams wrap messages so.
indirect enum SeenJSON: Equatable {
    case object([Member])
    case array([SeenJSON])
    case text([UInt8])
    /// A number, or a word such as null.
    case word([UInt8])
    /// A string, and the JSON in it.
    case encoded(SeenJSON, isBase64: Bool)

    struct Member: Equatable {
        let name: [UInt8]
        let value: SeenJSON
    }

    private static let maxDepth = 24

    /// Reads consecutive values.
    ///
    /// - Parameter decodesStrings: whether strings may hold JSON.
    /// - Returns: the values, and whether the last one has ended.
    static func values(
        _ text: Span<UInt8>, atMost count: Int = .max, decodesStrings: Bool = true
    ) -> (values: [SeenJSON], isWhole: Bool) {
        var reader = LooseJSON(text.copy(), decodesStrings: decodesStrings)
        var values: [SeenJSON] = []
        while values.count < count, reader.next() != nil { values.append(read(&reader, 0)) }
        return (values, !reader.isCut)
    }

    private static func read(_ reader: inout LooseJSON, _ depth: Int) -> SeenJSON {
        guard depth < maxDepth else {
            reader.end()
            return .word([])
        }
        switch reader.next() {
        case UInt8(ascii: "\""): return reader.decodesStrings ? decoded(reader.string(), depth) : .text(reader.string())
        case UInt8(ascii: "{"):
            var members: [Member] = []
            reader.skip()
            while let byte = reader.next(), byte != UInt8(ascii: "}") {
                guard byte == UInt8(ascii: "\"") else {
                    reader.skip()
                    continue
                }
                let name = reader.string()
                guard reader.next() == UInt8(ascii: ":") else { continue }
                reader.skip()
                members.append(Member(name: name, value: read(&reader, depth + 1)))
            }
            reader.close()
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [SeenJSON] = []
            reader.skip()
            while let byte = reader.next(), byte != UInt8(ascii: "]") {
                if byte == UInt8(ascii: ",") { reader.skip() } else { elements.append(read(&reader, depth + 1)) }
            }
            reader.close()
            return .array(elements)
        default: return .word(reader.word())
        }
    }

    private static func decoded(_ text: [UInt8], _ depth: Int) -> SeenJSON {
        let trimmed = text.span.withoutBlanks
        // A UUID may be in braces.
        let isUUID = trimmed.count == 38 && DeviceIdentifiers.canonicalUUID(ExactText(repairing: trimmed)) != nil
        guard trimmed.count > 1, !isUUID else { return .text(text) }
        if trimmed.opensJSON {
            var reader = LooseJSON(trimmed.copy())
            return .encoded(read(&reader, depth + 1), isBase64: false)
        }
        guard let json = json(inBase64: trimmed) else { return .text(text) }
        var reader = LooseJSON(json)
        return .encoded(read(&reader, depth + 1), isBase64: true)
    }

    /// Returns the decoded text, if it begins like JSON; its end may be missing.
    static func json(inBase64 text: Span<UInt8>) -> [UInt8]? {
        guard text.count >= 16, Array("eWIC".utf8).contains(text[0]) else { return nil }
        var octets: [UInt8] = []
        let whole = text.extracting(..<(text.count - text.count % 4))
        guard Base64.decode(text, into: &octets) || Base64.decode(whole, into: &octets) else { return nil }
        return octets.span.withoutBlanks.opensJSON ? octets : nil
    }
}

extension SeenJSON {
    /// Whether it is a text that begins like a receipt, or a token that may be truncated.
    var isProof: Bool {
        guard case .text(let text) = self else { return false }
        let start = text.span.withoutBlanks
        if ProofStart.beginsReceipt(start.extracting(first: ProofStart.length)) { return true }
        return start.starts(with: TokenShape.mark) && start.firstIndex(of: UInt8(ascii: ".")) != nil
    }

    /// Returns the names and indices that lead to the first proof; `nil` without one.
    ///
    /// - Parameter names: the names of columns. With them a text under a name for proofs counts as one whatever it holds,
    ///   and evidence does not.
    func pathOfProof(_ names: ExportNames? = nil) -> [String]? {
        switch self {
        case .text: return isProof ? [] : nil
        case .word: return nil
        case .encoded(let inner, _): return inner.pathOfProof(names)
        case .object(let members):
            for member in members where !Self.isPast(member.name) {
                let rest = names.map { Self.path(in: member, $0) } ?? member.value.pathOfProof()
                if let rest { return [String(repairing: member.name.span)] + rest }
            }
        case .array(let elements):
            for element in elements { if let rest = element.pathOfProof(names) { return ["[]"] + rest } }
        }
        return nil
    }

    private static func path(in member: Member, _ names: ExportNames) -> [String]? {
        let known = names.column(named: member.name.span)
        guard known?.column == .receiptData else {
            return known == nil && EvidenceText.isName(member.name.span) ? nil : member.value.pathOfProof(names)
        }
        if case .text(let text) = member.value, text.span.withoutBlanks.count > 0 { return [] }
        guard known?.rank != .alias else { return member.value.pathOfProof(names) }
        // A value under the name of a proof is no envelope, but may have the proofs of all rows.
        switch member.value {
        case .array(let elements): return elements.contains(where: \.isProof) ? ["[]"] : nil
        case .object(let members):
            return members.first(where: \.value.isProof).map { [String(repairing: $0.name.span)] }
        default: return nil
        }
    }

    /// The names that lead to the first proof in a text, joined by dots; `nil` without a proof under a name.
    static func keyOfProof(in text: Span<UInt8>) -> String? {
        guard let path = values(text, atMost: 1).values.first?.pathOfProof(), path.contains(where: { $0 != "[]" })
        else {
            return nil
        }
        return path.joined(separator: ".")
    }

    /// Whether a name is that of an old version of a changed row.
    static func isPast(_ name: [UInt8]) -> Bool {
        name.span.isLowercased(Array("before".utf8)) || name.span.isLowercased(Array("oldimage".utf8))
    }
}
