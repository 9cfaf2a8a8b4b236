import Encodings
import SQLite

/// The rows of a page for customer support: customers who paid and got nothing, and refund requests from Apple. They are
/// those of the tables `unclaimed` and `refund_requests`.
struct SupportRows {
    /// The maximum number of rows per table on a page.
    static let maxRows = 100
    /// The order of the table `unclaimed`: the latest first.
    static let orderOfUnclaimed = "purchased_at DESC, original_transaction_id"

    fileprivate(set) var unclaimed: [[Summary.Cell]] = []
    fileprivate(set) var unclaimedCount = 0
    fileprivate(set) var requests: [[Summary.Cell]] = []
    fileprivate(set) var requestCount = 0
    /// The number of requests that Apple waits for, and of those for which it no longer waits.
    fileprivate(set) var waitingCount = 0
    fileprivate(set) var overdueCount = 0
    /// The number of requests that Apple has decided.
    var decidedCount: Int { requestCount - waitingCount - overdueCount }

    /// Returns the sections of a page; none if there is nothing for support.
    ///
    /// - Parameter table: the page's table; `nil` for a full page.
    func sections(of table: ReportRequest.Table?) -> [Summary.Section] {
        var sections: [Summary.Section] = []
        if table == .refundRequests || table == nil && requestCount > 0 { sections.append(requestSection) }
        if table == .unclaimed || table == nil && unclaimedCount > 0 { sections.append(unclaimedSection) }
        return sections
    }

    private var unclaimedSection: Summary.Section {
        Summary.Section(
            "unclaimed", "Unclaimed purchases",
            "Paid, and no claim shows it: evidence shows the purchase, and no claim of this run or its ledger "
                + "presents it. The reason is `forged` where only claims with a broken signature name it. \(Self.shown(unclaimed.count, of: unclaimedCount, UnclaimedTable.name))",
            columns: [
                "transaction", "app", "product", "purchased", "expires", "account", "last seen", "price", "reason",
            ],
            rows: unclaimed)
    }

    private var requestSection: Summary.Section {
        Summary.Section(
            "refund_requests", "Refund requests",
            "Apple asks about these refunds, and waits 12 hours for an answer: those that it waits for come first, then the "
                + "newest. Send these facts only with the customer's consent. "
                + Self.shown(requests.count, of: requestCount, RefundRequestsTable.name),
            columns: [
                "transaction", "answer by", "overdue", "account", "product", "reason", "price", "claims", "accounts",
                "devices",
                "last presented", "earlier refunds", "findings", "worst", "refunded",
            ],
            rows: requests)
    }

    private static func shown(_ shown: Int, of count: Int, _ table: String) -> String {
        let all = "all columns are in `--report \(table)=FILE.csv`."
        return shown == count
            ? all.prefix(1).uppercased() + all.dropFirst()
            : "\(grouped(shown)) of \(grouped(count)) are here; all rows and \(all)"
    }
}

extension StoredReport {
    /// Returns the latest unclaimed purchases and the newest refund requests.
    func support() throws -> SupportRows {
        var support = SupportRows()
        support.unclaimedCount = try count(UnclaimedTable.name)
        support.requestCount = try count(RefundRequestsTable.name)
        support.waitingCount = try count(RefundRequestsTable.name, where: "overdue = 'false'")
        support.overdueCount = try count(RefundRequestsTable.name, where: "overdue = 'true'")
        let limit = "LIMIT \(SupportRows.maxRows)"
        try reader.forEachRow(
            "SELECT * FROM unclaimed ORDER BY \(SupportRows.orderOfUnclaimed) \(limit)"
        ) { row in
            support.unclaimed.append([
                .text(ExactText(row.text("transaction_id"))), .text(ExactText(row.text("bundle_id"))),
                .text(ExactText(row.text("product_id"))), row.date("purchased_at").map { .date($0) } ?? .none,
                row.date("expires_at").map { .date($0) } ?? .none,
                (row.exact("account_id") ?? row.exact("account_token")).map { .text($0) } ?? .none,
                row.day("last_seen"), row.price,
                row.text("forged") == "true"
                    ? .code("forged") : row.isNull("reason") ? .none : .code(row.text("reason")),
            ])
        }
        try reader.forEachRow("SELECT * FROM refund_requests ORDER BY rowid \(limit)") { row in
            support.requests.append([
                .text(ExactText(row.text("transaction_id"))), .code(row.text("answer_by").prefix(16) + "Z"),
                row.isNull("overdue") ? .none : .code(row.text("overdue") == "true" ? "overdue" : "due"),
                row.exact("account_id").map { .text($0) } ?? .none,
                .text(ExactText(row.text("product_id"))), row.exact("reason").map { .text($0) } ?? .none, row.price,
                .number(row.number("claims")), .number(row.number("accounts")), .number(row.number("devices")),
                row.day("last_presented"), .number(row.number("earlier_refunds")), .number(row.number("findings")),
                row.isNull("worst") ? .none : .code(row.text("worst")), row.day("refunded_at"),
            ])
        }
        return support
    }
}

extension DatabaseReader.Cells {
    /// The day alone, as in the queue: a row has to fit a screen.
    fileprivate func day(_ column: String) -> Summary.Cell {
        isNull(column) ? .none : .code(String(text(column).prefix(10)))
    }

    /// The amount in `price` and `currency`.
    fileprivate var price: Summary.Cell {
        guard let amount = millionths("price"), let currency = exact("currency") else { return .none }
        return .money(amount, currency: currency)
    }
}
