import Encodings

/// Whether the first values of JSON are claims, and what to say if claims are inside of them.
///
/// If an object that wraps claims were read as a claim, it would be a malformed row, and its content would go unseen.
enum ClaimObjects {
    /// Whether an object that is read as a claim has a proof, or the name of its file.
    static func areAmong(_ values: [SeenJSON], _ names: ExportNames) -> Bool {
        outermost(values).contains { $0.contains { namesProof($0, names) } }
    }

    /// Whether an object that is read as a claim names a column.
    static func nameColumns(_ values: [SeenJSON], _ names: ExportNames) -> Bool {
        outermost(values).contains { $0.contains { names.column(named: $0.name.span) != nil } }
    }

    static let advice = """
        a claim is an object with the key receipt_data or file, one a line or in one array; --columns receipt_data=KEY \
        names another key
        """

    /// What to say of claims inside of other values; `nil` if there are none.
    ///
    /// - Parameter isWhole: whether the last value has ended.
    static func refusal(
        _ values: [SeenJSON], isWhole: Bool, _ path: String, _ names: ExportNames
    ) -> FileShape? {
        guard let found = values.lazy.compactMap({ $0.pathOfProof(names) }).first else {
            guard values.contains(where: { $0.hasEvidence(names) }) else { return nil }
            return FileShape(
                "JSON with notifications or answers of Apple's server inside",
                "they are evidence: name it with --evidence, beside the claims")
        }
        let place = found.map { $0 == "[]" ? $0 : String($0.start(40)) }.joined(separator: ".")
        let kind = place == "[]" ? "a JSON array of texts" : "JSON with its proofs at “\(place)”, not as claims"
        guard let program = Envelope.program(for: values, names, isWhole: isWhole) else {
            return FileShape(
                kind,
                "write one object a line with receipt_data, device_id, account_id and presented_at "
                    + "(docs/exporting.md#queues-streams-and-document-stores)")
        }
        let jq = ShellText.jq(program, path)
        guard let key = found.last, found.allSatisfy({ $0 == "[]" || $0 == key }), key != "[]", !key.contains(","),
            values.first.map({ $0.elements?.first ?? $0 })?.members != nil,
            names.column(named: Array(key.utf8).span) == nil, !Envelope.keepsKeys(program)
        else { return FileShape(kind, jq) }
        return FileShape(kind, "--columns \(ShellText.argument("receipt_data=\(key)")) reads it, or \(jq)")
    }

    /// The members of objects that are read as claims.
    private static func outermost(_ values: [SeenJSON]) -> [[SeenJSON.Member]] {
        values.flatMap { $0.elements ?? [$0] }.compactMap(\.members)
    }

    private static func namesProof(_ member: SeenJSON.Member, _ names: ExportNames) -> Bool {
        guard let known = names.column(named: member.name.span) else { return false }
        guard known.column == .receiptData || known.column == .file else { return false }
        switch member.value {
        case .text(let text): return text.span.withoutBlanks.count > 0
        case .encoded: return true
        case .word(let word): return !word.elementsEqual("null".utf8) && !word.isEmpty
        // MongoDB and other programs write bytes as objects and arrays.
        case .object(let members): return members.first.map { OtherValue.mayBeOctets($0) } ?? false
        case .array(let elements):
            if case .word(let first)? = elements.first { return Int(String(decoding: first, as: UTF8.self)) != nil }
            return false
        }
    }
}

extension SeenJSON {
    /// Whether a member inside of another value is what Apple's server signs.
    func hasEvidence(_ names: ExportNames) -> Bool {
        switch self {
        case .text, .word: false
        case .encoded(let inner, _): inner.hasEvidence(names)
        case .object(let members):
            members.contains {
                EvidenceText.isName($0.name.span) && names.column(named: $0.name.span) == nil
                    || $0.value.hasEvidence(names)
            }
        case .array(let elements): elements.contains { $0.hasEvidence(names) }
        }
    }
}
