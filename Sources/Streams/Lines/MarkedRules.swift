import Encodings
import Rules

/// Rules that have found something about a claim, and how bad the worst of it is.
struct MarkedRules {
    /// One bit for each rule of the book.
    private var bits: UInt64 = 0
    private(set) var risk: Severity?

    private static let numbers = Dictionary(
        RuleBook.ids.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })

    init() {}

    mutating func insert(_ rule: Int, _ severity: Severity) {
        bits |= 1 << UInt64(rule)
        risk = max(risk ?? severity, severity)
    }

    mutating func formUnion(_ other: MarkedRules) {
        bits |= other.bits
        if let risk = other.risk { self.risk = max(self.risk ?? risk, risk) }
    }

    /// The ids, joined by `;` in the order of the rule book.
    var ids: String { bits == 0 ? "" : list.map(\.text).joined(separator: ";") }

    private var list: [ExactText] {
        RuleBook.ids.indices.filter { bits & 1 << UInt64($0) != 0 }.map { RuleBook.ids[$0] }
    }

    /// Writes them to the end of a line's array. Ids are written, and not numbers: they never change.
    func write(to line: inout LineWriter) {
        guard let risk else { return }
        line.number(Int(risk.rawValue))
        for id in list { line.text(id) }
    }

    init(_ fields: inout LineFields) throws(LineFault) {
        guard fields.hasMore() else { return }
        let severity = try Self.severity(&fields)
        while fields.hasMore() { insert(try Self.rule(&fields), severity) }
    }

    static func severity(_ fields: inout LineFields) throws(LineFault) -> Severity {
        guard let number = UInt8(exactly: try fields.int()), let severity = Severity(rawValue: number) else {
            throw .malformed("it has no severity")
        }
        return severity
    }

    /// Reads a rule's id, and looks up its number.
    static func rule(_ fields: inout LineFields) throws(LineFault) -> Int {
        let id = try fields.text()
        guard let number = numbers[id] else { throw .malformed("there is no rule “\(id)”") }
        return number
    }
}
