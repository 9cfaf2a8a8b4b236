import Corpus
import Encodings
import FoundationEssentials
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `The list of figures` {
    private func figures(_ policy: Policy = RandomSubscriptions.policy, count: Int = 60) throws -> SubscriptionFigures {
        var random = Seeded(state: 21)
        var figures = SubscriptionFigures(asOf: RandomSubscriptions.asOf, policy: policy)
        for one in try RandomSubscriptions.make(count, &random) { figures.take(one) }
        return figures
    }

    @Test func `has a definition, and a cell for each column`() throws {
        let list = try figures().figures
        #expect(Set(list.map(\.id)).count == list.count)
        for figure in list {
            #expect(!figure.title.isEmpty && figure.definition.hasSuffix("."), "\(figure.id)")
            #expect(!figure.rows.isEmpty || ["oddities", "excluded"].contains(figure.id), "\(figure.id)")
            for row in figure.rows { #expect(row.count == figure.columns.count, "\(figure.id)") }
        }
    }

    @Test func `is there when there are no subscriptions`() throws {
        let list = try figures(count: 0).figures
        #expect(list.map(\.id) == (try figures().figures.map(\.id)))
        #expect(list.flatMap(\.rows).joined().allSatisfy { $0.thousandths == nil })
    }

    @Test func `has months in order, and each once`() throws {
        for figure in try figures().figures where figure.columns.first == "month" && figure.columns[1] != "currency" {
            let months = figure.rows.compactMap { row in if case .month(let month)? = row.first { month } else { nil } }
            #expect(months.count == figure.rows.count && months == Set(months).sorted(), "\(figure.id)")
        }
    }

    @Test func `has the conversion of trials with and without those that still run`() throws {
        let figure = try #require(try figures().figures.first { $0.id == "trial-conversion" })
        for row in figure.rows {
            guard case .number(let trials) = row[1], case .number(let converted) = row[2],
                case .number(let lost) = row[6]
            else {
                Issue.record("\(row)")
                continue
            }
            #expect(row.suffix(2) == [.share(converted, of: converted + lost), .share(converted, of: trials)])
        }
    }

    @Test func `has no money but what tokens show without prices in the policy`() throws {
        let money = try figures(Policy()).content.money
        #expect(money.recurring.values.allSatisfy { $0.priced.subscriptions == 0 })
        #expect(money.revenue.values.allSatisfy { $0.all.gross == $0.paid.gross && $0.all.refunds == $0.paid.refunds })
        #expect(money.running[.priced] == 0 && money.running[.unpriced] > 0)
        #expect(money.periods[.priced] == 0 && money.periods[.paid] > 0)
    }

    @Test func `says wherever money is what the record of it is, as the definitions of figures do`() throws {
        for id in ["recurring-revenue", "revenue"] {
            let figure = try #require(try figures().figures.first { $0.id == id })
            #expect(figure.definition.hasSuffix(SubscriptionFigures.moneyRecord))
        }
        let page = URL(filePath: #filePath).appending(path: "../../../docs/figures.md").standardized
        #expect(try String(contentsOf: page, encoding: .utf8).contains(SubscriptionFigures.moneyRecord))
    }

    @Test func `says what receipts cannot tell`() {
        let text = SubscriptionFigures.unknowable.joined()
        for word in ["renewal", "retry", "race period", "price paid", "offers"] { #expect(text.contains(word)) }
    }

    @Test func `gives shares in thousandths, rounded`() {
        #expect(Figure.Value.share(1, of: 3).thousandths == 333)
        #expect(Figure.Value.share(2, of: 3).thousandths == 667)
        #expect(Figure.Value.share(1, of: 2000).thousandths == 1)
        #expect(Figure.Value.share(-1, of: 3).thousandths == -333)
        #expect(Figure.Value.share(7, of: 7).thousandths == 1000)
        #expect(Figure.Value.share(0, of: 0).thousandths == nil)
        #expect(Figure.Value.share(.max, of: .max).thousandths == 1000)
        #expect(Figure.Value.share(.min, of: 1).thousandths == .min)
        #expect(Figure.Value.number(3).thousandths == nil)
    }
}
