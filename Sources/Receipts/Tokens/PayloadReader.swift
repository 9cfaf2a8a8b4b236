import Encodings

/// Reads a payload in one pass over its values. It stores members of the table in fields, records unknown ones, and
/// finds nested tokens under any name.
struct PayloadReader {
    private let table: PayloadTable
    private let payload: PayloadValue
    private let document: JSONDocument
    private var value: PayloadValue
    private(set) var fields: PayloadFields
    /// The numbers of the required members that were read.
    private var read: [Int] = []
    private var unknown: [UnknownMember] = []
    private var nested: [NestedToken] = []

    init(_ payload: PayloadValue, _ kind: Token.Kind) {
        table = .of(kind)
        self.payload = payload
        value = payload
        document = payload.document
        fields = PayloadFields(kind)
        readMembers(of: payload.index, PayloadTable.root, depth: 1)
        for (number, member) in table.members.enumerated() where member.isRequired && !read.contains(number) {
            fields.fail(payload.has(member.name) ? .type(member.name.text) : .missing(member.name.text))
        }
        fields.finish(payload)
        markSubtype()
        fields.token.unknown = unknown
        fields.token.nested = nested
    }

    private mutating func readMembers(of object: Int, _ parent: Int, depth: Int) {
        let document = document
        for child in document.children(of: object) {
            if let number = table.number(of: document.nameOctets(child), in: parent) {
                readValue(child, number, depth: depth)
            } else {
                if unknown.count < UnknownMember.maxOfToken {
                    record(path(parent, document.name(child)), value: nil)
                }
                findTokens(in: child, depth: depth)
            }
        }
    }

    private mutating func readValue(_ index: Int, _ number: Int, depth: Int) {
        let member = table.members[number]
        value.index = index
        let kind = value.kind
        guard kind != .null else { return }
        let isOfForm = member.accepts(kind)
        if !isOfForm || !member.knows(value) { record(member, isOfForm: isOfForm) }
        // If known values decide something, a value of another type counts as unknown. Elsewhere it counts as absent.
        if isOfForm || member.isDecisive && member.listsValues { member.reader?(&fields, value) }
        if member.isRequired, isOfForm, member.form != .date || value.date != nil { read.append(number) }
        guard isOfForm, depth < NestedToken.maxDepth else { return findTokens(in: index, depth: depth) }
        switch member.form {
        case .object: readMembers(of: index, number, depth: depth + 1)
        case .objects:
            for element in document.children(of: index) {
                if document.kind(element) == .object {
                    readMembers(of: element, number, depth: depth + 2)
                } else {
                    findTokens(in: element, depth: depth + 1)
                }
            }
        case .token: add(NestedToken(text: value.text, isSubject: member.parent == "data"))
        case .text, .uuid, .number, .date, .flag, .texts: findTokens(in: index, depth: depth)
        }
    }

    /// Finds the tokens in a value that is not in the table.
    private mutating func findTokens(in index: Int, depth: Int) {
        guard depth <= NestedToken.maxDepth else { return }
        let document = document
        switch document.kind(index) {
        case .string:
            guard document.octets(index).isSignedToken else { return }
            add(NestedToken(text: document.text(index), isSubject: false))
        case .object, .array:
            for child in document.children(of: index) { findTokens(in: child, depth: depth + 1) }
        case .null, .bool, .number: break
        }
    }

    private mutating func add(_ token: NestedToken) {
        guard nested.count < NestedToken.maxCount else {
            return record("(tokens inside)", value: "more than \(NestedToken.maxCount)", isDecisive: true)
        }
        nested.append(token)
    }

    /// Records that the current value of a member is not known.
    private mutating func record(_ member: PayloadMember, isOfForm: Bool) {
        let shows = isOfForm || member.isDecisive && member.listsValues
        record(member.path, value: shows ? value.text : "(of another type)", isDecisive: member.isDecisive)
    }

    private mutating func record(_ path: ExactText, value: ExactText?, isDecisive: Bool = false) {
        guard unknown.count < UnknownMember.maxOfToken else { return }
        let found = UnknownMember(table.kind, path, value: value, isDecisive: isDecisive)
        if !unknown.contains(found) { unknown.append(found) }
    }

    /// An unknown subtype is decisive only if the type says that a purchase was revoked.
    private mutating func markSubtype() {
        guard table.kind == .notification, ["REFUND", "REVOKE"].contains(fields.notification.type) else { return }
        for index in unknown.indices where unknown[index].member == "subtype" { unknown[index].isDecisive = true }
    }

    private func path(_ parent: Int, _ name: ExactText) -> ExactText {
        guard parent != PayloadTable.root else { return name }
        let member = table.members[parent]
        return "\(member.path)\(member.form == .objects ? "[]" : "").\(name)"
    }
}
