/// A question that people ask of a run, in SQL: a view of the database under the same name everywhere. Pages, workbooks
/// and case files show its rows.
struct ReportQuery: Sendable {
    let name: String
    /// What its rows are, in one sentence.
    let meaning: String
    /// Its columns that no table has.
    var columns: [(name: String, type: String, meaning: String)] = []
    /// The tables of its other columns, with their names in the query.
    var tables: [(alias: String, table: String)] = []
    let sql: String

    /// The registry: a new query is a file, and its place in this list.
    static let all = [
        urgency, queue, newSinceLast, resolved, decisions, byRuleAndApp, byApp, affectedProducts, topEntities, byMonth,
        worstClaims, subscriptionsByMonth, completenessByApp, worstGaps,
    ]
}
