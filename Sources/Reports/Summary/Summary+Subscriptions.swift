import Subscriptions

extension Summary {
    /// The figures of subscriptions, each with its definition, and what receipts cannot tell.
    static func subscriptions(_ figures: SubscriptionFigures) -> [Section] {
        let tables = figures.figures.filter { figure in figure.rows.contains { $0.contains(where: \.isTelling) } }
        guard !tables.isEmpty else { return [] }
        let sections = tables.map { figure in
            Section(
                "subscription_" + figure.id.replacing("-", with: "_"), figure.title, figure.definition,
                columns: figure.columns, rows: figure.rows.map { row in row.map { Cell($0) } })
        }
        let unknowable = Section(
            "subscription_limits", "What receipts cannot tell", "Nothing of this is guessed.", columns: ["limit"],
            rows: SubscriptionFigures.unknowable.map { [.code($0)] })
        return sections + [unknowable]
    }
}

extension Summary.Cell {
    fileprivate init(_ value: Figure.Value) {
        switch value {
        case .text(let text): self = .text(text)
        case .code(let code): self = .code(code)
        case .month(let month): self = .code(month.description)
        case .number(let number): self = .number(number)
        case .share(let part, let whole): self = .share(part, of: whole)
        case .money(let millionths, let currency): self = .money(millionths, currency: currency)
        }
    }
}

extension Figure.Value {
    /// Whether it is a number other than 0.
    fileprivate var isTelling: Bool {
        switch self {
        case .number(let number): number != 0
        case .share(let part, _): part != 0
        case .money(let millionths, _): millionths != 0
        case .text, .code, .month: false
        }
    }
}
