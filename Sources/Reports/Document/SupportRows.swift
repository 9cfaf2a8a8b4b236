import Encodings
import Engine
import Rules
import Subscriptions

/// The rows of a page for customer support: customers who paid and got nothing, and refund requests from Apple. It
/// keeps the first rows of each, and counts all.
struct SupportRows {
    /// The maximum number of rows per table on a page.
    static let maxRows = 100

    /// The latest purchases, up to the maximum.
    private var unclaimed: [UnclaimedPurchase] = []
    private(set) var unclaimedCount = 0
    private var requests: [RefundRequest] = []
    private(set) var requestCount = 0

    mutating func add(_ purchase: UnclaimedPurchase) {
        unclaimedCount += 1
        unclaimed.append(purchase)
        if unclaimed.count >= 2 * Self.maxRows { unclaimed = latest }
    }

    mutating func add(_ request: RefundRequest) {
        requestCount += 1
        if requests.count < Self.maxRows { requests.append(request) }
    }

    private var latest: [UnclaimedPurchase] {
        let sorted = unclaimed.sorted {
            ($1.purchasedAt, $0.originalTransactionID) < ($0.purchasedAt, $1.originalTransactionID)
        }
        return Array(sorted.prefix(Self.maxRows))
    }

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
                + "presents it. Where the reason is forged, claims name it whose signature is broken. \(Self.shown(latest.count, of: unclaimedCount, UnclaimedTable.name))",
            columns: ["transaction", "app", "product", "purchased", "expires", "account token", "price", "reason"],
            rows: latest.map { row in
                [
                    .text(row.transactionID), .text(row.bundleID), .text(row.productID), .date(row.purchasedAt),
                    row.expiresAt.map { .date($0) } ?? .none,
                    row.accountToken.isEmpty ? .none : .text(row.accountToken),
                    row.price.map { .money($0.millionths, currency: $0.currency) } ?? .none,
                    row.isForged ? .code("forged") : .none,
                ]
            })
    }

    private var requestSection: Summary.Section {
        Summary.Section(
            "refund_requests", "Refund requests",
            "Apple asks about these refunds, and waits 12 hours for an answer: those that it waits for come first, then the "
                + "newest. These are facts for it; "
                + "whether the customer consented to sending them is yours to know. "
                + Self.shown(requests.count, of: requestCount, RefundRequestsTable.name),
            columns: [
                "transaction", "answer by", "overdue", "account", "product", "reason", "price", "claims", "accounts", "devices",
                "last presented",
                "earlier refunds", "findings", "worst", "refunded",
            ],
            rows: requests.map { row in
                [
                    .text(row.request.transactionID), .code(String(row.answerBy.description.prefix(16)) + "Z"),
                    row.isOverdue.map { .code($0 ? "overdue" : "due") } ?? .none,
                    row.accountID.isEmpty ? .none : .text(row.accountID), .text(row.request.productID),
                    row.request.reason.map { .text($0) } ?? .none, Self.price(of: row.request), .number(row.claims),
                    .number(row.accounts), .number(row.devices), Self.day(row.lastPresented),
                    .number(row.earlierRefunds), .number(row.found.findings),
                    row.found.worst.map { .code($0.code) } ?? .none, Self.day(row.refundedAt),
                ]
            })
    }

    /// The day alone, as in the queue: a row has to fit a screen.
    private static func day(_ date: Instant?) -> Summary.Cell {
        date.map { .code($0.date) } ?? .none
    }

    private static func price(of request: ConsumptionRequest) -> Summary.Cell {
        guard let amount = request.millionths, let currency = request.currency else { return .none }
        return .money(amount, currency: currency)
    }

    private static func shown(_ shown: Int, of count: Int, _ table: String) -> String {
        let all = "all columns are in `--report \(table)=FILE.csv`."
        return shown == count
            ? all.prefix(1).uppercased() + all.dropFirst()
            : "\(grouped(shown)) of \(grouped(count)) are here; all rows and \(all)"
    }
}
