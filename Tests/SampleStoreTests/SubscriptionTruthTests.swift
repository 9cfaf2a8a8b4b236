import FoundationEssentials
import SampleStore
import Testing

struct `The truth of subscriptions` {
    @Test func `has each original transaction once, in order`() throws {
        let ids = try SampleExport(count: 2000, seed: 5, plantShare: 0.5).expectedSubscriptions()
            .map(\.originalTransactionID)
        #expect(!ids.isEmpty && ids == Set(ids).sorted())
    }

    @Test func `is of genuine receipts only`() throws {
        let signed: Set<Forgery> = [
            .noncanonicalContainer, .malformedInAppPurchase, .deviceIDMalformed, .guidMismatch, .bundleIDMismatch,
            .appVersionMismatch, .receiptExpired,
        ]
        let export = try SampleExport(count: 2000, seed: 6, forgeryShare: 1)
        // A claim's transactions are numbered from a hundred times its index.
        let claims = Set(export.expectedSubscriptions().compactMap { Int($0.originalTransactionID.suffix(8)) })
        let forgeries = claims.compactMap { export.forgery(at: $0 / 100) }
        #expect(forgeries.count == claims.count && Set(forgeries) == signed)
    }

    @Test func `stands in the file by the columns of the report, one a line`() throws {
        let export = try SampleExport(count: 400, seed: 7, plantShare: 0.3)
        let json = String(decoding: try TruthFile(export).json(), as: UTF8.self)
        let lines = json.split(separator: "\n").filter { $0.contains("\"original_transaction_id\"") }
        #expect(lines.count == export.expectedSubscriptions().count)
        for column in ["last_transaction_id", "evidence_at", "state", "intro_offers", "product_changes", "lapses"] {
            #expect(lines.allSatisfy { $0.contains("\"\(column)\":") })
        }
    }

    @Test func `is read where a file has none, and where it is empty`() throws {
        var truth = TruthFile(try SampleExport(count: 3, seed: 8, forgeryShare: 1))
        for subscriptions in [nil, []] as [[ExpectedSubscription]?] {
            truth.subscriptions = subscriptions
            let read = try JSONDecoder().decode(TruthFile.self, from: Data(try truth.json()))
            #expect(read.subscriptions == subscriptions)
        }
    }

    @Test func `has its dates as reports have them`() throws {
        for row in try SampleExport(count: 300, seed: 9).expectedSubscriptions() {
            for date in [row.startedAt, row.expiresAt, row.evidenceAt] {
                #expect(date.utf8.count == 20 && date.hasSuffix("Z"))
            }
        }
    }
}
