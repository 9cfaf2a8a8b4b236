import Encodings
import Mustache
import Rules

/// The values of the template `table`.
struct TableView {
    struct Column {
        /// The heading, in pieces between which a line may break.
        let pieces: [String]
        let isNumeric: Bool

        init(text: String, isNumeric: Bool) {
            pieces = text.split(separator: ".", omittingEmptySubsequences: false).enumerated().map {
                $0 == 0 ? String($1) : "." + $1
            }
            self.isNumeric = isNumeric
        }
    }
    struct Row {
        /// The first cell, which names the row's subject.
        let head: [CellView]
        let cells: [CellView]
        /// See ``PageAnchor``.
        let anchor: String?
        /// See ``QueuedFinding/recorded``.
        let recorded: String?

        init(_ cells: [CellView], anchor: String?, recorded: String?) {
            self.anchor = anchor
            self.recorded = recorded
            head = Array(cells.prefix(1))
            self.cells = Array(cells.dropFirst())
        }
    }

    let caption: String
    /// Whether it has long texts and therefore scrolls.
    let isWide: Bool
    /// Its other classes.
    let style: String
    let columns: [Column]
    let rows: [Row]
    let hasNote: Bool
    let note: [CellView]

    init(
        _ caption: String, isWide: Bool = false, style: String = "", _ columns: [Column], _ rows: [[CellView]],
        note: String? = nil, anchors: [String?] = [], recorded: [String] = []
    ) {
        self.caption = caption
        self.style = style
        self.isWide = isWide
        self.columns = columns
        self.rows = rows.enumerated().map {
            Row(
                $1, anchor: $0 < anchors.count ? anchors[$0] : nil,
                recorded: $0 < recorded.count ? recorded[$0] : nil)
        }
        hasNote = note != nil
        self.note = CellView.sentences(note ?? "")
    }

    /// - Parameter maxName: the maximum length of names that lead to the whole ones.
    init(_ section: Summary.Section, maxName: Int = .max) {
        self.init(
            section.title,
            section.columns.enumerated().map {
                Column(text: $1.replacing("_", with: " "), isNumeric: section.isNumeric($0))
            },
            section.shownRows.enumerated().map { line, row in
                row.enumerated().map { column, cell in
                    let lead = section.lead(line, column)
                    if let link = lead.flatMap({ CellView(cell, $0, maxName) }) { return link }
                    let name = section.columns[column]
                    if name == "rule", !section.leads.isEmpty { return .rule(cell.visibleText) }
                    return CellView(cell, isBadge: ["severity", "worst"].contains(name))
                }
            },
            note: section.omissionNote)
    }
}

/// The values of the template `cell`: exactly one of the last four is true.
struct CellView {
    let text: String
    let isNumeric: Bool
    /// Whether it is a severity.
    let isBadge: Bool
    /// Whether it is untrusted text.
    let isUntrusted: Bool
    /// Whether it is a link to a place on the page.
    let isLink: Bool
    /// The place; never untrusted.
    let place: String
    let isPlain: Bool

    /// The maximum length of untrusted text in a cell.
    static let maxLength = 200

    private init(
        text: String, isNumeric: Bool = false, isBadge: Bool = false, isUntrusted: Bool = false, place: String? = nil
    ) {
        self.text = text
        self.isNumeric = isNumeric
        self.isBadge = isBadge
        self.isUntrusted = isUntrusted && !text.isEmpty
        isLink = place != nil
        self.place = place ?? ""
        isPlain = !isBadge && !self.isUntrusted && !isLink
    }

    init(_ cell: Summary.Cell, isBadge: Bool = false) {
        if case .text = cell {
            self = .untrusted(cell.visibleText)
        } else {
            self.init(text: cell.visibleText, isNumeric: cell.isNumeric, isBadge: isBadge)
        }
    }

    /// - Returns: `nil` if the page has nothing that the cell leads to.
    fileprivate init?(_ cell: Summary.Cell, _ lead: Summary.Lead, _ maxName: Int) {
        let text = cell.visibleText
        switch lead {
        case .finding(let id): self = .link(text, to: PageAnchor.of(id))
        case .falseAlarms(let rule): self = .link(text, to: "wrong-" + rule.text)
        case .entity(let entity, let hasCard):
            guard hasCard else { return nil }
            let name = text.count > maxName ? text.prefix(maxName) + "…" : text
            self = .link(name, to: PageAnchor.of(entity))
        }
    }

    /// Returns the parts of our own sentences, with names in backticks.
    static func sentences(_ text: String) -> [Self] {
        Prose.pieces(text).map { $0.isCode ? .untrusted($0.text) : .plain($0.text) }
    }

    static func plain(_ text: String) -> Self { Self(text: text) }
    static func badge(_ severity: String) -> Self { Self(text: severity, isBadge: true) }
    /// Returns a link to the text of a rule, if this version has it.
    static func rule(_ rule: String) -> Self {
        let isKnown = RuleBook.rule(ExactText(rule)) != nil
        return isKnown ? Self(text: rule, place: "rule-" + rule) : .untrusted(rule)
    }
    /// Returns a link to a place on the page with an untrusted text.
    static func link(_ text: String, to place: String) -> Self { Self(text: text, place: place) }
    static func untrusted(_ text: String) -> Self { Self(text: text, isUntrusted: true) }
}

extension CellView: MustacheParent {
    /// Implemented by hand, because pages have thousands of these and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "text": text
        case "isNumeric": isNumeric
        case "isBadge": isBadge
        case "isUntrusted": isUntrusted
        case "isLink": isLink
        case "place": place
        case "isPlain": isPlain
        default: nil
        }
    }
}
