import Checks
import Encodings
import Receipts

extension SharedAccount {
    static let examples: [RuleExample] = [
        .raised(
            "two accounts present one purchase", .medium, claim(account: "ann"), claim(account: "bob", device: "B")),
        .raised("they do so on one device", .medium, claim(account: "ann"), claim(account: "bob")),
        .raised(
            "six accounts may be a family", .medium, claims: (1...6).map { claim(account: "user-\($0)") }),
        .raised("seven accounts", .high, claims: (1...7).map { claim(account: "user-\($0)") }),
        .clear("one account presents it on two devices", claim(account: "ann"), claim(account: "ann", device: "B")),
        .clear(
            "eight employees have a seat each, under one original transaction",
            claims: (1...8).map { seat(account: "user-\($0)", transaction: $0) }),
        .clear(
            "they do, and nobody knows their kind of seat",
            claims: (1...8).map { seat(account: "user-\($0)", transaction: $0, ownership: "LOANED") }),
        .raised(
            "seven accounts present one employee's token, and another presents one of its own", .high,
            claims: (1...7).map { seat(account: "user-\($0)", transaction: 1) }
                + [seat(account: "user-8", transaction: 2)]),
        .raised(
            "ten accounts present the token of who bought ten seats", .medium,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }),
        .raised(
            "ten accounts do, and seven present the token of somebody who has a seat", .high,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }
                + (1...7).map { seat(account: "user-\($0)", transaction: 2) }),
        .raised(
            "eleven accounts present it", .high,
            claims: (1...11).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }),
        .raised(
            "ten seats that were refunded cover no copies of a later token of one seat", .high,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 2, ownership: "PURCHASED") } + [
                seat(
                    account: "user-1", transaction: 1, ownership: "PURCHASED", quantity: 10, refunded: "2026-03-02",
                    presented: "2026-03-04")
            ]),
        .raised(
            "nor do ten seats that nobody gave back", .high,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 2, ownership: "PURCHASED") }
                + [seat(account: "user-1", transaction: 1, ownership: "PURCHASED", quantity: 10)]
        ).about(marking: Array(repeating: .info, count: 10) + [nil]),
        .raised(
            "ten accounts present the token of ten seats after these were refunded", .high,
            claims: (1...10).map {
                seat(
                    account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10,
                    presented: "2026-03-05")
            } + [
                seat(
                    account: "user-1", transaction: 1, ownership: "PURCHASED", quantity: 10, refunded: "2026-03-02",
                    presented: "2026-03-04")
            ]),
        .raised(
            "ten accounts present a receipt while ten seats are valid", .medium,
            claims: (1...10).map { claim(account: "user-\($0)", presented: "2026-03-02") }
                + [seat(account: "user-1", transaction: 1, ownership: "PURCHASED", quantity: 10)]),
        .raised(
            "they do so when the seats have ended", .high,
            claims: (1...10).map { claim(account: "user-\($0)", presented: "2026-05-02") }
                + [seat(account: "user-1", transaction: 1, ownership: "PURCHASED", quantity: 10)]),
        .raised(
            "seven accounts present a receipt, and two old tokens name none of the members", .high,
            claims: (1...7).map { claim(account: "user-\($0)") } + [
                seat(account: "user-1", transaction: 1, ownership: "FAMILY_SHARED", person: ""),
                seat(account: "user-1", transaction: 2, ownership: "FAMILY_SHARED", person: ""),
            ]),
        .raised(
            "seven accounts present a receipt, and two members are known", .high,
            claims: (1...7).map { claim(account: "user-\($0)") } + [
                seat(account: "user-1", transaction: 1, ownership: "FAMILY_SHARED"),
                seat(account: "user-1", transaction: 2, ownership: "FAMILY_SHARED"),
            ]),
        .raised(
            "two accounts present receipts, and a third two tokens of one member, the older of which names nobody",
            .medium, claim(account: "ann"), claim(account: "bob", device: "B"),
            seat(account: "cat", transaction: 1, ownership: "FAMILY_SHARED", person: ""),
            seat(account: "cat", transaction: 1, ownership: "FAMILY_SHARED")),
        .clear(
            "two members are known, and two accounts present receipts", claim(account: "ann"),
            claim(account: "bob", device: "B"),
            seat(account: "ann", transaction: 1, ownership: "FAMILY_SHARED"),
            seat(account: "bob", transaction: 2, ownership: "FAMILY_SHARED")),
        .raised("two spellings of one account present it", .low, claim(account: "ann"), claim(account: "'Ann ")),
        .raised(
            "a third account presents it, too", .medium, claim(account: "ann"), claim(account: "'Ann "),
            claim(account: "bob")),
        .clear("a claim without an account proves nothing", claim(account: "ann"), claim(account: "", device: "B")),
        .clear(
            "two accounts present purchases of their own", claim(account: "ann"),
            claim(account: "bob", device: "B", transaction: "460000000000002")),
        .raised(
            "seven accounts present a paid app's receipt without a device", .high,
            claims: (1...7).map { app(account: "user-\($0)", device: "") }),
        .raised(
            "seven accounts present its app transaction", .high,
            claims: (1...7).map { number in
                ExampleClaim(
                    device: "", account: ExactText("user-\(number)"),
                    token: ExampleToken(1, kind: .appTransaction, isBound: false))
            }),
        .raised(
            "its owner and seven others who invent device ids that are none", .high,
            claims: [app(account: "ann")]
                + (1...7).map { app(account: "user-\($0)", device: "", malformed: "id-\($0)") }),
        .raised(
            "a couple present it, one of them without a device", .medium, app(account: "ann"),
            app(account: "bob", device: "")),
        .clear(
            "seven accounts on one shared tablet, which the receipt matches",
            claims: (1...7).map { app(account: "user-\($0)") }),
        .clear(
            "two accounts present it on two devices: a shared receipt, which is as severe",
            app(account: "ann", presented: "2026-03-01"),
            app(account: "bob", device: "B", presented: "2026-03-02")),
        .raised(
            "of two devices one is handed over, but seven accounts present it", .high,
            claims: [
                app(account: "ann", presented: "2026-03-01"), app(account: "bob", device: "B", presented: "2026-03-02"),
            ] + (1...6).map { app(account: "user-\($0)", device: "") }),
        .raised(
            "four invented devices make a shared receipt, which is not about the seven accounts without one", .high,
            claims: ["B", "C", "D", "E"].map { app(account: "user-1", device: $0) }
                + (1...7).map { app(account: "user-\($0)", device: "") }),
        .clear("a guest presents it, too", app(account: "ann"), app(account: "", device: "")),
        .raised(
            "seven who have the receipt and its device id present it in the morning, its owner in the evening", .high,
            claims: (1...7).map { claim(account: "user-\($0)", presented: "2026-03-01T08:0\($0):00Z") }
                + [claim(account: "ann", presented: "2026-03-01T20:00:00Z")]
        ).about(marking: [.info] + Array(repeating: .medium, count: 7)),
        .raised(
            "the day says nothing of who was first", .high,
            claims: (1...7).map { claim(account: "user-\($0)", presented: "2026-03-01") }
                + [claim(account: "ann", presented: "2026-03-01T20:00:00Z")]
        ).about(marking: Array(repeating: .medium, count: 8)),
        .raised(
            "seven people with one Apple Account have receipts of their own, each for their own device", .high,
            claims: (1...7).map {
                claim(account: "user-\($0)", device: "D\($0)", number: $0, presented: "2026-03-0\($0)")
            }
        ).about(marking: Array(repeating: .info, count: 7)),
    ]

    private static func claim(
        account: ExactText, device: String = "A", number: Int = 1, transaction: ExactText = "460000000000001",
        presented: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, account: account, presented: presented,
            receipt: ExampleReceipt(number, ExamplePurchase("gold", transaction)))
    }

    /// Returns a claim to a token of a subscription with seats.
    private static func seat(
        account: ExactText, transaction: Int, ownership: ExactText = "ASSIGNED", quantity: Int? = nil,
        refunded: String? = nil, presented: String? = nil, person: ExactText? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: "", account: account, presented: presented,
            token: ExampleToken(
                person == "" ? 100 + transaction : transaction, signed: refunded == nil ? "2026-03-01" : "2026-03-03",
                person: person ?? "70\(transaction)", isBound: false,
                ExamplePurchase(
                    "gold", "46000000000000\(transaction)", of: "460000000000001", expires: "2026-04-01",
                    refunded: refunded, ownership: ownership, quantity: quantity)))
    }

    /// Returns a claim to a paid app's receipt, for device A.
    private static func app(
        account: ExactText, device: String = "A", malformed: ExactText = "", presented: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, malformedDevice: malformed, deviceHashMatches: device == "A", account: account,
            presented: presented, failed: malformed.isEmpty ? [] : [.deviceIDMalformed], receipt: ExampleReceipt(1))
    }
}
