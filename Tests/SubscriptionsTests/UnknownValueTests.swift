import Corpus
import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// What nobody knows of a token moves no figure that is known: it is left out, and counted apart.
struct `A value that nobody knows, in figures` {
    /// Members with values that Apple has not published, or that cannot be.
    private static let members: [(name: String, values: [String])] = [
        ("revocationType", ["\"SEAT_TAKEN\"", "\"\"", "\"refund_full\"", "7"]),
        ("revocationReason", ["2", "-1", "99999999999", "\"0\""]),
        ("inAppOwnershipType", ["\"LOANED\"", "\"\"", "1"]), ("offerType", ["5", "0", "-7", "\"1\""]),
        ("offerDiscountType", ["\"LATER\"", "\"\"", "3"]), ("additionalTransactionReason", ["\"GIFT\"", "\"\"", "1"]),
        ("billingPlanType", ["\"WEEKLY\"", "\"\"", "1"]), ("type", ["\"Bundle\"", "\"\"", "2"]),
        ("price", ["-1", "4611686018427387904", "0.5", "\"9990\""]),
        ("quantity", ["-1", "4611686018427387904", "0.5", "\"1\""]),
    ]

    /// Counts that may grow, because they count unknown values, or because one state may replace another.
    private static let ofUnknown: Set<String> = [
        "taken_back_unknown", "assigned_without_buyer", "revenue_net", "revenue_paid_net", "arpu", "mrr_new",
        "mrr_expansion", "mrr_reactivation", "mrr_contraction", "mrr_churn", "mrr_unknown",
    ]

    @Test(arguments: members.indices) func `adds to none`(number: Int) throws {
        let (name, values) = Self.members[number]
        var random = Seeded(state: UInt64(number))
        var mutants = 0
        for _ in 0..<Exhaustive.count(4000, sampled: 20) {
            let life = Life(&random)
            let before = try life.numbers()
            for index in life.tokens.indices {
                var mutant = life
                mutant.tokens[index][name] = values[random.below(values.count)]
                mutants += 1
                for (metric, value) in try mutant.numbers() where !Self.ofUnknown.contains(metric) {
                    #expect(value <= before[metric] ?? 0, "\(metric) of \(name): \(mutant.tokens) at \(index)")
                }
            }
        }
        #expect(mutants >= Exhaustive.count(10_000, sampled: 40))
    }
}

/// A subscription as the tokens of its periods, by the names of their members.
private struct Life {
    var tokens: [[String: String]] = []

    init(_ random: inout Seeded) {
        let count = 2 + random.below(3)
        let seats = random.isOneIn(3) ? 2 + random.below(9) : 1
        for number in 0..<count {
            let bought = 1_767_225_600_000 + number * 30 * 86_400_000
            var token = [
                "transactionId": "\"46\(number)\"", "originalTransactionId": "\"460\"",
                "bundleId": "\"com.example.notes\"", "productId": "\"month\"", "purchaseDate": "\(bought)",
                "originalPurchaseDate": "1767225600000", "expiresDate": "\(bought + 30 * 86_400_000)",
                "signedDate": "\(bought + 1000)", "type": "\"Auto-Renewable Subscription\"",
                "environment": "\"Production\"",
                "inAppOwnershipType": "\"PURCHASED\"", "quantity": "\(seats)", "price": "9990", "currency": "\"EUR\"",
                "webOrderLineItemId": "\"10\(number)\"",
            ]
            if number == 0, random.isOneIn(3) {
                (token["offerType"], token["offerDiscountType"], token["price"]) = ("1", "\"FREE_TRIAL\"", "0")
            }
            if random.isOneIn(3) {
                (token["revocationDate"], token["signedDate"]) = ("\(bought + 86_400_000)", "\(bought + 86_500_000)")
                token["revocationReason"] = "\(random.below(2))"
                token["revocationType"] = random.isOneIn(2) ? "\"REFUND_FULL\"" : nil
            }
            tokens.append(token)
        }
    }

    /// The numbers of all months together by name, except states, as one may replace another.
    func numbers() throws -> [String: Double] {
        let observations = try tokens.enumerated().map { number, members in
            let json = "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
            let token = try Token(parsing: Array(json.utf8))
            let purchase = try #require(token.purchase, "\(json)")
            return receipt(0, [purchase]) { ($0.kind, $0.createdAt) = (.transaction, token.signedAt) }
        }
        let asOf = Instant(milliseconds: 1_767_225_600_000 + Int64(tokens.count) * 30 * 86_400_000 - 86_400_000)
        var figures = SubscriptionFigures(asOf: asOf, policy: Policy())
        let key = GroupKey(.originalTransaction, octets: Array("460".utf8))
        figures.take(
            try #require(try Subscription(ArrayGroup(key: key, observations: observations), asOf: asOf, Policy())))
        var numbers: [String: Double] = [:]
        figures.forEachMetric { row in
            guard row.bundleID.isEmpty, row.productID.isEmpty, !row.metric.hasPrefix("subscriptions_") else { return }
            numbers[row.metric, default: 0] += Double(row.value.description) ?? 0
        }
        return numbers
    }
}
