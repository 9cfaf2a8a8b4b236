import Encodings
import Subscriptions

extension Summary {
    /// Returns the figures of subscriptions with their definitions, and what receipts cannot show.
    static func subscriptions(_ figures: SubscriptionFigures) -> [Section] {
        let tables = figures.figures.filter { figure in figure.rows.contains { $0.contains(where: \.isSignificant) } }
        guard !tables.isEmpty else { return [] }
        let unknowable = Section(
            "subscription_limits", "What receipts do not contain", "None of this is guessed.", columns: ["limit"],
            rows: SubscriptionFigures.unknowable.map { [.code($0)] })
        return tables.map { section($0, asOf: figures.asOf) } + [unknowable]
    }

    /// The id of the retention section for people. Programs have the table `retention`.
    static let retentionID = "subscription_retention_table"

    /// Returns the section of a figure, in which a month that as-of cuts is marked.
    private static func section(_ figure: Figure, asOf: Instant) -> Section {
        var section = Section(
            "subscription_" + figure.id.replacing("-", with: "_"), figure.title, figure.definition,
            columns: figure.columns, rows: figure.rows.map { row in row.map { Cell($0, asOf: asOf) } })
        section.terms = figure.terms.map { Term(name: $0.name, meaning: $0.meaning) }
        section.keys = figure.keys
        return figure.id.hasPrefix("retention") ? retentionTable(section) : section
    }

    /// The number of renewals in the table for people.
    private static let shownRenewals = 12

    /// Returns the retention shares for people, one row per cohort or length: how many could be renewed once, and the
    /// share of each renewal.
    private static func retentionTable(_ figure: Section) -> Section {
        var rows: [[Cell]] = []
        for row in figure.rows {
            guard let name = row.first, row.count > 4, case .number(let renewal) = row[1],
                case .share(let kept, let known)? = row.last, case .number(let unknown) = row[4],
                renewal <= shownRenewals
            else { continue }
            if rows.last?.first != name { rows.append([name, .number(known.addingSaturating(unknown))]) }
            rows[rows.count - 1].append(
                unknown > 0 ? .knownShare(kept, of: known, unknown: unknown) : .share(kept, of: known))
        }
        for index in rows.indices { while rows[index].count < shownRenewals + 2 { rows[index].append(.none) } }
        var table = Section(
            figure.id == "subscription_retention" ? retentionID : figure.id, figure.title,
            figure.explanation
                + " The columns are the renewals; n is how many subscriptions were due for the first. `3 ?`: three more may"
                + " have been kept or lost.",
            columns: [figure.columns[0], "n"] + (1...shownRenewals).map(String.init), rows: rows)
        table.readers = .people
        table.source = "`--report retention=FILE.csv`"
        return table
    }
}

extension Summary.Cell {
    fileprivate init(_ value: Figure.Value, asOf: Instant) {
        switch value {
        case .text(let text): self = .text(text)
        case .code(let code): self = code.isEmpty ? .none : .code(code)
        case .month(let month): self = month.isCut(by: asOf) ? .cutMonth(month) : .code(month.description)
        case .number(let number): self = .number(number)
        case .share(let part, let whole): self = .share(part, of: whole)
        case .money(let millionths, let currency): self = .money(millionths, currency: currency)
        }
    }
}

extension Figure.Value {
    /// Whether it is a number other than 0.
    fileprivate var isSignificant: Bool {
        switch self {
        case .number(let number): number != 0
        case .share(let part, _): part != 0
        case .money(let millionths, _): millionths != 0
        case .text, .code, .month: false
        }
    }
}
