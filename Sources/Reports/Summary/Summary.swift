import Checks
public import Encodings
import Engine
import Rules
public import Subscriptions

/// The results of a run in small tables that every format can show.
public struct Summary: Sendable {
    public var sections: [Section]
    /// How often each rule was right, according to the ledger: the rows of the table `rule_quality`.
    var ruleQuality: [RuleQuality] = []

    /// A small table.
    public struct Section: Sendable {
        /// The name of the section in data: `verdicts`.
        public var id: String
        public var title: String
        /// Explains the numbers in a sentence or two.
        public var explanation: String
        /// The names of the columns; the first cell of a row names its subject.
        public var columns: [String]
        public var rows: [[Cell]]
        /// Explains names of columns or rows.
        public var terms: [Term] = []
        /// The number of leading cells that together name a row's subject.
        public var keys = 1
        /// The readers of the section.
        public var readers = Readers.all
        /// What the cells of the column ``leadColumn`` name, row by row; empty if nothing leads anywhere.
        var leads: [Lead?] = []
        var leadColumn = 0
        /// A note about what it leaves out.
        var rest: String?
        /// The place of all rows.
        var source = "a summary report in CSV or JSON"

        public init(_ id: String, _ title: String, _ explanation: String = "", columns: [String], rows: [[Cell]]) {
            self.id = id
            self.title = title
            self.explanation = explanation
            self.columns = columns
            self.rows = rows
        }
    }

    /// What a cell names, so that a page or a workbook leads there.
    enum Lead: Sendable {
        case finding(FindingID)
        /// - Parameter hasCard: whether a page has a card about it.
        case entity(Entity, hasCard: Bool)
        /// What is known of a rule's false alarms.
        case falseAlarms(of: ExactText)
    }

    /// A word of a section and its meaning.
    public struct Term: Sendable, Equatable {
        public var name: String
        public var meaning: String
    }

    /// Distinguishes sections for all formats from those for people only or programs only, and from numbers that pages
    /// have only in sentences and other tables.
    public enum Readers: String, Sendable {
        case all
        case people
        case programs
        case sentences
    }

    public enum Cell: Sendable, Equatable {
        case none
        /// Untrusted text.
        case text(ExactText)
        /// Our own words.
        case code(String)
        case number(Int)
        /// A number in tenths.
        case tenths(Int)
        /// A part of a whole.
        case share(Int, of: Int)
        /// A part of those of which it is known, and how many others there are.
        case knownShare(Int, of: Int, unknown: Int)
        case date(Instant)
        /// A month that as-of cuts, so that its numbers are not final.
        case cutMonth(Month)
        /// In millionths of the currency's unit.
        case money(Int64, currency: ExactText)

        var isNone: Bool { self == .none }
    }

    public init(sections: [Section]) { self.sections = sections }

    /// The sections for people.
    public var pages: [Section] { sections.filter { [.all, .people].contains($0.readers) } }

    /// The sections for programs.
    public var data: [Section] { sections.filter { [.all, .programs].contains($0.readers) } }

    public subscript(id: String) -> Section? { sections.first { $0.id == id } }
}

extension Summary.Section {
    /// Returns what a cell names; `nil` if it leads nowhere.
    func lead(_ line: Int, _ column: Int) -> Summary.Lead? {
        column == leadColumn && line < leads.count ? leads[line] : nil
    }

    /// Returns only some columns, in this order.
    func only(_ names: [String]) -> Summary.Section {
        let places = names.compactMap { columns.firstIndex(of: $0) }
        var section = self
        section.columns = places.map { columns[$0] }
        section.rows = rows.map { row in places.map { row[$0] } }
        section.leadColumn = places.firstIndex(of: leadColumn) ?? 0
        return section
    }
}

extension Summary.Cell {
    /// The text for programs: shares as decimal fractions, money with a decimal point.
    var plainText: String {
        switch self {
        case .none: ""
        case .text(let text): text.text
        case .code(let code): code
        case .number(let number): String(number)
        case .tenths(let number): DecimalNumber(millionths: Int128(number) * 100_000).description
        case .date(let date): date.description
        case .cutMonth(let month): month.description
        case .share(let part, let whole), .knownShare(let part, let whole, _):
            Self.decimal(thousandths(part, of: whole), digits: 3)
        case .money(let millionths, let currency):
            Self.amount(millionths) + " " + currency.text
        }
    }

    /// The text for people: numbers with thousands separated, shares in percent, amounts with the decimals of their
    /// currency.
    var displayText: String {
        switch self {
        case .number(let number): grouped(number)
        case .share(let part, let whole):
            whole == 0 ? "–" : Self.decimal(thousandths(part, of: whole), digits: 1) + " %"
        case .knownShare(let part, let whole, let unknown):
            (whole == 0 ? "" : Self.share(part, of: whole).displayText + ", ") + grouped(unknown) + " ?"
        case .cutMonth(let month): "\(month) (incomplete)"
        case .money(let millionths, let currency): CurrencyDecimals.text(millionths, currency)
        default: plainText
        }
    }

    /// Returns an amount with two decimals, or with more if it has more.
    static func amount(_ millionths: Int64) -> String {
        let text = DecimalNumber(millionths: Int128(millionths)).description
        let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
        let point = decimals == 0 ? "." : ""
        return text + point + String(repeating: "0", count: max(0, 2 - decimals))
    }

    /// The same with thousands separated.
    static func groupedAmount(_ millionths: Int64) -> String {
        let parts = amount(millionths).split(separator: ".")
        guard parts.count == 2, let whole = Int(parts[0]) else { return amount(millionths) }
        return (whole == 0 && millionths < 0 ? "-" : "") + grouped(whole) + "." + parts[1]
    }

    /// Returns a share, rounded to the nearest; the whole may be 0.
    private func thousandths(_ part: Int, of whole: Int) -> Int {
        Figure.Value.share(part, of: whole).thousandths ?? 0
    }

    static func decimal(_ number: Int, digits: Int) -> String {
        let text = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (number < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
