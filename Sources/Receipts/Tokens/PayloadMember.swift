package import Encodings

/// Describes one member of a documented payload: its values, and their use here.
///
/// A class, so that reading a payload does not copy it for each value.
package final class PayloadMember: Sendable {
    /// The type of a member's value.
    package enum Form: String, Sendable {
        case text
        case uuid = "UUID"
        case number
        /// Milliseconds since 1970.
        case date
        case flag
        case object
        case objects = "array of objects"
        case texts = "array of texts"
        case token = "token (JWS)"
    }

    /// The possible values of a member.
    package enum Values: Sendable {
        case any
        case texts([ExactText])
        case numbers([Int64])
        /// The possible whole numbers of an amount of money or a count.
        case range(ClosedRange<Int64>)
    }

    /// The use of a member.
    package enum Treatment: Sendable {
        /// It decides something.
        case read
        /// `audit inspect` lists it, and nothing uses it.
        case shown
        /// It is only listed, for a reason.
        case ignored
    }

    /// Stores the value of a member in the fields of a payload.
    typealias Reader = @Sendable (inout PayloadFields, PayloadValue) -> Void

    /// The path of names, joined by dots: `commitmentInfo.commitmentPrice`. After the name of an array, `[]` represents
    /// each element.
    package let path: ExactText
    package let form: Form
    package let treatment: Treatment
    /// What it decides, if it is read; otherwise what it is, or why it is ignored.
    package let meaning: String
    package let values: Values
    /// The API version that introduced it; empty if that is not known.
    package let version: String
    /// Whether the value decides money or access. An unknown one is reported even if the run is quiet.
    package let isDecisive: Bool
    /// Whether a payload without it is malformed.
    package let isRequired: Bool
    /// Stores the value; `nil` if an enclosing member's reader does, or if it is not read.
    let reader: Reader?

    private init(
        _ treatment: Treatment, _ path: ExactText, _ form: Form, _ meaning: String, _ values: Values,
        since version: String, isDecisive: Bool = false, isRequired: Bool = false, _ reader: Reader? = nil
    ) {
        self.treatment = treatment
        self.path = path
        self.form = form
        self.meaning = meaning
        self.values = values
        self.version = version
        self.isDecisive = isDecisive
        self.isRequired = isRequired
        self.reader = reader
    }
}

extension PayloadMember {
    /// Describes a member that decides something.
    ///
    /// - Parameter reader: stores its value; `nil` if an enclosing member's reader does.
    static func read(
        _ path: ExactText, _ form: Form, _ meaning: String, values: Values = .any, since version: String = "",
        isDecisive: Bool = false, isRequired: Bool = false, _ reader: Reader? = nil
    ) -> PayloadMember {
        PayloadMember(
            .read, path, form, meaning, values, since: version, isDecisive: isDecisive, isRequired: isRequired, reader)
    }

    /// Describes a member that is listed and decides nothing.
    static func shown(
        _ path: ExactText, _ form: Form, _ meaning: String, values: Values = .any, since version: String = "",
        isDecisive: Bool = false
    ) -> PayloadMember {
        PayloadMember(.shown, path, form, meaning, values, since: version, isDecisive: isDecisive)
    }

    /// Describes a member that is not used.
    ///
    /// - Parameter reason: the reason.
    static func ignored(
        _ path: ExactText, _ form: Form, _ reason: String, values: Values = .any, since version: String = ""
    ) -> PayloadMember {
        PayloadMember(.ignored, path, form, reason, values, since: version)
    }

    /// The path of its parent; empty for a member of the payload itself.
    var parent: ExactText {
        guard let dot = path.text.lastIndex(of: ".") else { return "" }
        let parent = path.text[..<dot]
        return ExactText(String(parent.hasSuffix("[]") ? parent.dropLast(2) : parent))
    }

    /// The last of its names.
    package var name: ExactText {
        ExactText(path.text.lastIndex(of: ".").map { String(path.text[path.text.index(after: $0)...]) } ?? path.text)
    }

    /// Whether a value is of the documented form.
    func accepts(_ kind: JSONDocument.Kind) -> Bool {
        switch form {
        case .text, .uuid, .token: kind == .string
        case .number, .date: kind == .number
        case .flag: kind == .bool
        case .object: kind == .object
        case .objects, .texts: kind == .array
        }
    }

    /// Whether this version knows a value of the documented form.
    func knows(_ value: PayloadValue) -> Bool {
        switch values {
        case .any: return true
        case .texts(let texts):
            let document = value.document
            return texts.contains { document.octets(value.index).isSame(as: $0.utf8.span) }
        case .numbers(let numbers): return value.integer.map(numbers.contains) ?? false
        case .range(let range): return value.integer.map(range.contains) ?? false
        }
    }

    /// Whether the known values are listed.
    package var listsValues: Bool { if case .any = values { false } else { true } }
}

/// A value in a payload.
struct PayloadValue {
    let document: JSONDocument
    var index: Int

    /// The value of the whole payload.
    init(_ document: JSONDocument) { (self.document, index) = (document, JSONDocument.root) }

    init(_ document: JSONDocument, _ index: Int) { (self.document, self.index) = (document, index) }

    var kind: JSONDocument.Kind { document.kind(index) }

    /// A string, or another value as written.
    var text: ExactText { document.text(index) }

    var isTrue: Bool { kind == .bool && text == "true" }

    /// The value, if it is a whole number.
    var integer: Int64? { kind == .number ? Int64(text.text) : nil }

    /// The value, if it is a whole number.
    var number: Int? { integer.flatMap { Int(exactly: $0) } }

    /// 0 or 1; `nil` for other values, which are not known.
    var bit: Bool? {
        switch integer {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// An amount of money in thousandths of the currency's unit; `nil` if it is not a possible one.
    var amount: Int64? { number(upTo: PayloadTable.maxAmount) }

    /// A count; `nil` if it is not a possible one.
    var count: Int? { number(upTo: PayloadTable.maxCount).flatMap { Int(exactly: $0) } }

    private func number(upTo greatest: Int64) -> Int64? {
        integer.flatMap { (0...greatest).contains($0) ? $0 : nil }
    }

    /// A number of an enumeration; -1 for a value that cannot be one.
    var code: Int { number ?? -1 }

    /// Milliseconds since 1970, rounded down.
    var date: Instant? { kind == .number ? Instant(tokenDate: text) : nil }

    /// Returns the value of a member; `nil` if there is none, or `null`.
    subscript(_ name: ExactText) -> PayloadValue? {
        guard let found = document.member(name, of: index), document.kind(found) != .null else { return nil }
        return PayloadValue(document, found)
    }

    /// Returns the objects in an array, up to a limit.
    func objects(upTo limit: Int) -> [PayloadValue] {
        guard kind == .array else { return [] }
        var found: [PayloadValue] = []
        for child in document.children(of: index) where found.count < limit && document.kind(child) == .object {
            found.append(PayloadValue(document, child))
        }
        return found
    }
}
