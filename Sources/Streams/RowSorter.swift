import Encodings
import Engine
import Reports
import Rules
import Subscriptions

/// Sorts rows into the order of their table, which engines do not know.
enum RowSorter {
    case findings(FindingSorter)
    case entities(EntitySorter)
    case requests(RefundRequestSorter)
    case unclaimed(UnclaimedSorter)

    /// The sorted tables. Rows of others keep the order of the input.
    static let tables: Set<String> = [
        FraudTable.name, EntitiesTable.name, RefundRequestsTable.name, UnclaimedTable.name,
    ]

    /// - Returns: `nil` for a table whose rows are not sorted.
    init?(_ table: String, _ storage: Storage) {
        switch table {
        case FraudTable.name: self = .findings(FindingSorter(storage))
        case EntitiesTable.name: self = .entities(EntitySorter(storage))
        case RefundRequestsTable.name: self = .requests(RefundRequestSorter(storage))
        case UnclaimedTable.name: self = .unclaimed(UnclaimedSorter(storage))
        default: return nil
        }
    }

    /// Adds a row.
    ///
    /// - Returns: what the row is not, if it lacks its sort key; otherwise `nil`.
    func add(_ row: WrittenRow) throws -> String? {
        switch self {
        case .findings(let sorter):
            guard let finding = row.finding, try sorter.add(finding, row.csv.text) else {
                return "a finding of a rule of this version"
            }
        case .entities(let sorter):
            guard let order = row.entity else { return "an entity of this version" }
            try sorter.add(order, row.csv.text)
        case .requests(let sorter):
            guard let (uuid, date, isDue) = row.request else { return "a refund request" }
            try sorter.add(uuid, requestedAt: date, isDue: isDue, row.csv.text)
        case .unclaimed(let sorter):
            guard let (original, date, end, app) = row.purchase else { return "a purchase" }
            try sorter.add(original, purchasedAt: date, expiresAt: end, of: app, row.csv.text)
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
        case .findings(let sorter): try sorter.forEach(body)
        case .entities(let sorter): try sorter.forEachText(body)
        case .requests(let sorter): try sorter.forEachText(body)
        case .unclaimed(let sorter):
            guard count > 0 else { return }
            guard let window = end?.window else {
                throw StreamError.incomplete(
                    reason:
                        "the last audit reduce says which rows belong to \(UnclaimedTable.name): give its output, too")
            }
            try sorter.forEachText(in: window, body)
        }
    }
}
