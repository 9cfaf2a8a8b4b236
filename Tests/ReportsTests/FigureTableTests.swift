import Encodings
import Files
import Receipts
import Rules
import Testing

@testable import Reports
@testable import Subscriptions

struct `A table of figures` {
    private static let purchasedAt = Instant(seconds: 1_767_225_600)

    /// A monthly subscription that began on 1 January 2026, as a receipt of 2 March shows it: of the app `=app`.
    private static func figures() throws -> SubscriptionFigures {
        var policy = Policy()
        var product = Product()
        product.price = Product.Price(millionths: 4_990_000, currency: "EUR")
        product.period = .month
        policy.apps["=app"] = Policy.App(products: ["month": product])
        var figures = SubscriptionFigures(asOf: purchasedAt.adding(seconds: 70 * 86_400), policy: policy)
        var observation = Observation(claim: 0, source: "a")
        observation.isGenuine = true
        observation.bundleID = "=app"
        observation.createdAt = purchasedAt.adding(seconds: 60 * 86_400)
        observation.purchases = (0..<3).map { number in
            var purchase = Purchase(
                productID: "month", transactionID: "\(number)",
                purchaseDate: purchasedAt.adding(seconds: Int64(number) * 2_592_000))
            purchase.kind = .autoRenewable
            purchase.webOrderLineItemID = number + 1
            purchase.expiresDate = purchasedAt.adding(seconds: Int64(number + 1) * 2_592_000)
            return purchase
        }
        let group = OneObservation(observation: observation)
        figures.take(try #require(try Subscription(group, asOf: figures.asOf, policy)))
        return figures
    }

    private struct OneObservation: ObservationGroup {
        let key = GroupKey(.originalTransaction, octets: [0x30])
        let count = 1
        let observation: Observation
        func forEach(_ body: (Observation) throws -> Void) throws { try body(observation) }
    }

    private func report(_ table: ReportRequest.Table, _ format: ReportFormat) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report." + format.rawValue
        let setting = ReportSetting(asOf: Instant(seconds: 0), temporaryFolder: folder.path)
        let sink = try SampleSink(format.type.sink(for: ReportRequest(table, format, path: path), setting), setting)
        let figures = try Self.figures()
        let run = ReportedRun(figures, Summary(sections: Summary.subscriptions(figures)))
        try RetentionTable.forEachRow(of: run) { try sink.write($0, of: RetentionTable.self) }
        try MetricsTable.forEachRow(of: run) { try sink.write($0, of: MetricsTable.self) }
        try sink.finish(run.summary)
        return String(decoding: try FileContents.bytes(of: path, limit: 1 << 24), as: UTF8.self)
    }

    @Test func `has retention by renewal`() throws {
        let csv = try report(.retention, .csv)
        #expect(csv == "cohort,renewal,kept,lost,unknown\r\n2026-01,1,1,0,0\r\n2026-01,2,1,0,0\r\n")
        let json = try report(.retention, .json)
        #expect(
            json.hasPrefix("[\n{\"cohort\":\"2026-01\",\"renewal\":1,\"kept\":1,\"lost\":0,\"unknown\":0},\n"))
    }

    @Test func `has metrics with what they are numbers of`() throws {
        let csv = try report(.metrics, .csv)
        let lines = csv.split(separator: "\r\n")
        #expect(lines.first == "metric,app,product,country,length,month,currency,value,low,high,n,environment")
        for line in [
            "renewals,,,,,2026-01,,1,,,", "renewals,'=app,,,,2026-01,,1,,,", "churn,,,,,2026-02,,0,0,0,1",
            "first_renewal,,,,,2026-01,,1,1,1,1", "revenue_net,,,,,2026-01,EUR,9.98,,,", "mrr,,,,,,EUR,4.99,,,",
            "subscriptions_active,'=app,month,,,,,1,,,",
        ] {
            #expect(lines.contains { $0 == line + ",Production" }, "\(line)")
        }
    }

    @Test func `has numbers in JSON, and null where there is none`() throws {
        let lines = try report(.metrics, .ndjson).split(separator: "\n")
        #expect(
            lines.contains {
                $0 == "{\"metric\":\"mrr\",\"app\":null,\"product\":null,\"country\":null,"
                    + "\"length\":null,\"month\":null,\"currency\":\"EUR\","
                    + "\"value\":4.99,\"low\":null,\"high\":null,\"n\":null,\"environment\":\"Production\"}"
            })
    }

    @Test(arguments: [ReportRequest.Table.retention, .metrics], [ReportFormat.md, .html])
    func `is a page with that part`(table: ReportRequest.Table, format: ReportFormat) throws {
        let page = try report(table, format)
        #expect(page.contains("Retention by renewal"))
        #expect(page.contains("Churn") == (table == .metrics))
    }

    @Test func `is not among the numbers of the summary`() throws {
        let summary = Summary(sections: Summary.subscriptions(try Self.figures()))
        #expect(summary.pages.contains { $0.id == Summary.retentionID })
        #expect(!summary.data.contains { $0.id.contains("retention") })
    }
}
