import Encodings
import Engine
import Reports
import Rules
import Subscriptions

/// Sorts rows into the order of their table, which engines do not know.
enum RowSorter {
    case findings(ValueSorter<Keyed<FindingRow, ExactText>>)
    case entities(ValueSorter<Keyed<EntityOrder, ExactText>>)
    case requests(ValueSorter<Keyed<RefundRequestOrder, ExactText>>)
    case unclaimed(ValueSorter<Keyed<UnclaimedOrder, ExactText>>)

    /// The sorted tables. Rows of others keep the order of the input.
    static let tables: Set<String> = [
        FraudTable.name, EntitiesTable.name, RefundRequestsTable.name, UnclaimedTable.name,
    ]

    /// - Returns: `nil` for a table whose rows are not sorted.
    init?(_ table: String, _ storage: Storage) {
        switch table {
        case FraudTable.name: self = .findings(ValueSorter(storage))
        case EntitiesTable.name: self = .entities(ValueSorter(storage))
        case RefundRequestsTable.name: self = .requests(ValueSorter(storage))
        case UnclaimedTable.name: self = .unclaimed(ValueSorter(storage))
        default: return nil
        }
    }

    /// Adds a row.
    ///
    /// - Returns: what the row is not, if it lacks its sort key; otherwise `nil`.
    func add(_ row: WrittenRow) throws -> String? {
        switch self {
        case .findings(let sorter):
            guard let finding = row.finding, RuleBook.ids.contains(finding.rule) else {
                return "a finding of a rule of this version"
            }
            try sorter.add(Keyed(finding, row.csv))
        case .entities(let sorter):
            guard let order = row.entity else { return "an entity of this version" }
            try sorter.add(Keyed(order, row.csv))
        case .requests(let sorter):
            guard let order = row.request else { return "a refund request" }
            try sorter.add(Keyed(order, row.csv))
        case .unclaimed(let sorter):
            guard let order = row.purchase else { return "a purchase" }
            try sorter.add(Keyed(order, row.csv))
        }
        return nil
    }

    /// Calls a body once with each row in order.
    ///
    /// - Parameters:
    ///   - end: the summary's line about the table.
    ///   - count: the number of added rows.
    /// - Throws: `StreamError` if the end is missing and decides which of the rows belong to the table.
    func forEach(_ end: TableEnd?, of count: UInt64, _ body: (String) throws -> Void) throws {
        switch self {
        case .findings(let sorter): try sorter.forEach { try body($0.value.text) }
        case .entities(let sorter): try sorter.forEach { try body($0.value.text) }
        case .requests(let sorter): try sorter.forEach { try body($0.value.text) }
        case .unclaimed(let sorter):
            guard count > 0 else { return }
            guard let window = end?.window else {
                throw StreamError.incomplete(
                    reason:
                        "the last audit reduce says which rows belong to \(UnclaimedTable.name): give its output, too")
            }
            try sorter.forEach { if $0.key.isIn(window) { try body($0.value.text) } }
        }
    }
}
