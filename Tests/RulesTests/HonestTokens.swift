import Checks
import Encodings
import Receipts

@testable import Rules

/// Tokens of honest customers, as the members of their payloads, and who presents them; from a seed.
///
/// There are families, groups of both kinds, refunds, reversed ones, upgrades, trials, bundles and changed accounts.
struct HonestTokens {
    /// A token, and who presents it; evidence if nobody does.
    struct Shown {
        var members: [String: String]
        var account: ExactText = ""
        var device: String = ""
        var accountToken: ExactText = ""
        var presentedDay = 0
        var asked: ExactText = ""
        var isEvidence = false
    }

    private(set) var all: [Shown] = []
    private var random: RandomObservations
    private var customer = 0
    private var next = 1

    init(seed: UInt64) {
        random = RandomObservations(seed: seed)
        for _ in 0..<8 {
            customer += 1
            switch random.next(below: 10) {
            case 0: addSubscription(isRefunded: false)
            case 1: addSubscription(isRefunded: true)
            case 2: addOffers()
            case 3: addUpgrade()
            case 4: addFamily()
            case 5: addMembers()
            case 6: addBuyerOfSeats()
            case 7: addBundle()
            case 8: addReversal()
            default: addSingle()
            }
        }
    }

    private static func text(_ value: String) -> String { "\"\(value)\"" }

    private static func day(_ day: Int) -> String { String(1_767_225_600_000 + day * 86_400_000) }

    /// A transaction of the customer, bought and signed on these days.
    private mutating func transaction(
        _ product: String = "gold", bought: Int, signed: Int? = nil, of original: String? = nil
    ) -> [String: String] {
        next += 1
        let id = "4600\(customer)\(next)"
        return [
            "transactionId": Self.text(id), "originalTransactionId": Self.text(original ?? id),
            "bundleId": Self.text("com.example.notes"), "productId": Self.text(product),
            "purchaseDate": Self.day(bought), "originalPurchaseDate": Self.day(bought),
            "expiresDate": Self.day(bought + 30), "signedDate": Self.day(signed ?? bought),
            "webOrderLineItemId": Self.text("77\(next)"), "environment": Self.text("Production"),
            "type": Self.text("Auto-Renewable Subscription"), "inAppOwnershipType": Self.text("PURCHASED"),
            "quantity": "1", "price": "9990", "currency": Self.text("USD"), "storefront": Self.text("USA"),
            "appTransactionId": Self.text("70\(customer)"),
        ]
    }

    /// Presents a token, by one of the customer's devices, or adds it as evidence besides.
    private mutating func show(_ members: [String: String], on day: Int, person: String? = nil) {
        let name = person ?? "\(customer)"
        var shown = Shown(members: members, account: "user-\(name)", device: "D\(name)-\(random.next(below: 2))")
        (shown.presentedDay, shown.asked) = (day, random.one(of: ["gold", "silver", ""], ""))
        if random.isOneIn(5) { (shown.account, shown.device) = ("", "D\(name)-0") }
        all.append(shown)
        guard random.isOneIn(4) else { return }
        (shown.isEvidence, shown.account, shown.device) = (true, "", "")
        all.append(shown)
    }

    private mutating func addSubscription(isRefunded: Bool) {
        let first = transaction(bought: 0)
        show(first, on: 1)
        for period in 1..<(2 + random.next(below: 3)) {
            var renewal = transaction(bought: 30 * period, of: first["originalTransactionId"].map(Self.bare))
            if isRefunded, random.isOneIn(2) {
                renewal["revocationDate"] = Self.day(30 * period + 5)
                renewal["signedDate"] = Self.day(30 * period + 6)
                renewal["revocationType"] = random.one(
                    of: [Self.text("REFUND_FULL"), Self.text("REFUND_PRORATED"), nil], nil)
                renewal["revocationReason"] = random.one(of: ["0", "1", nil], nil)
            }
            show(renewal, on: 30 * period + 10)
        }
    }

    private static func bare(_ text: String) -> String { String(text.dropFirst().dropLast()) }

    /// A trial or three periods at an introductory price, or another offer, and paid periods after it.
    private mutating func addOffers() {
        let first = transaction(bought: 0)
        let original = first["originalTransactionId"].map(Self.bare)
        let type = random.one(of: ["1", "1", "2", "3", "4"], "1")
        let discount = random.one(of: ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT"], "FREE_TRIAL")
        let periods = discount == "PAY_AS_YOU_GO" ? 3 : 1
        for period in 0..<(periods + 2) {
            var renewal = period == 0 ? first : transaction(bought: 30 * period, of: original)
            if period < periods {
                renewal["offerType"] = type
                renewal["offerDiscountType"] = Self.text(discount)
                renewal["price"] = discount == "FREE_TRIAL" ? "0" : "990"
            }
            if random.isOneIn(6) { renewal["billingPlanType"] = Self.text("MONTHLY") }
            show(renewal, on: 30 * period + 1)
        }
    }

    private mutating func addUpgrade() {
        var silver = transaction("silver", bought: 0, signed: 10)
        let old = silver
        silver["isUpgraded"] = "true"
        silver["revocationDate"] = Self.day(10)
        show(silver, on: 12)
        show(transaction(bought: 10, of: old["originalTransactionId"].map(Self.bare)), on: 13)
    }

    /// A child's purchase, which ends with the sharing, or when its buyer is refunded.
    private mutating func addFamily() {
        var shared = transaction(bought: 0)
        shared["inAppOwnershipType"] = Self.text("FAMILY_SHARED")
        show(shared, on: 1)
        var ended = shared
        ended["revocationDate"] = Self.day(20)
        ended["signedDate"] = Self.day(21)
        ended["revocationType"] = random.one(of: [Self.text("FAMILY_REVOKE"), Self.text("REFUND_FULL"), nil], nil)
        ended["revocationReason"] = random.one(of: ["0", nil], nil)
        show(ended, on: 22)
        if random.isOneIn(2) { show(shared, on: 24) }
    }

    /// Employees with transactions of their own under one original, and seats that are added later.
    private mutating func addMembers() {
        let buyer = transaction(bought: 0)
        let original = buyer["originalTransactionId"].map(Self.bare)
        let line = buyer["webOrderLineItemId"]
        for employee in 0..<8 {
            var seat = transaction(bought: 0, of: original)
            seat["inAppOwnershipType"] = Self.text("ASSIGNED")
            seat["quantity"] = "10"
            seat["appTransactionId"] = Self.text("70\(customer)-\(employee)")
            if random.isOneIn(2) { seat["webOrderLineItemId"] = line }
            if random.isOneIn(2) { seat["additionalTransactionReason"] = Self.text("SEAT_ADDITION") }
            show(seat, on: 1 + employee, person: "\(customer)-\(employee)")
            guard random.isOneIn(3) else { continue }
            seat["revocationDate"] = Self.day(15)
            seat["signedDate"] = Self.day(16)
            show(seat, on: 17, person: "\(customer)-\(employee)")
        }
    }

    /// Somebody who bought seats and gives the app's users the token; some that were added are refunded.
    private mutating func addBuyerOfSeats() {
        var buyer = transaction(bought: 0)
        buyer["quantity"] = "8"
        buyer["additionalTransactionReason"] = Self.text("SEAT_ADDITION")
        buyer["multiSeatInfo"] = "{\"priceTiers\":[{\"price\":9990,\"quantity\":8}]}"
        for user in 0..<7 { show(buyer, on: 1 + user, person: "\(customer)-\(user)") }
        var added = transaction(bought: 5, signed: 9, of: buyer["originalTransactionId"].map(Self.bare))
        added["additionalTransactionReason"] = Self.text("SEAT_ADDITION")
        added["webOrderLineItemId"] = buyer["webOrderLineItemId"]
        added["revocationDate"] = Self.day(8)
        added["revocationReason"] = "0"
        show(added, on: 10)
    }

    /// Somebody who changes between a subscription and a bundle.
    private mutating func addBundle() {
        var previous: String?
        for change in 0..<4 {
            var chain = transaction("gold", bought: 10 * change)
            chain["previousOriginalTransactionId"] = previous.map(Self.text)
            previous = chain["originalTransactionId"].map(Self.bare)
            show(chain, on: 10 * change + 1)
            chain["revocationDate"] = Self.day(10 * (change + 1))
            chain["signedDate"] = Self.day(10 * (change + 1))
            chain["revocationReason"] = random.one(of: ["2", nil], nil)
            if change < 3 { show(chain, on: 10 * change + 12) }
        }
    }

    /// A refund that Apple takes back.
    private mutating func addReversal() {
        let bought = transaction(bought: 0)
        show(bought, on: 1)
        var refunded = bought
        refunded["revocationDate"] = Self.day(5)
        refunded["revocationType"] = Self.text("REFUND_FULL")
        refunded["revocationReason"] = "1"
        refunded["signedDate"] = Self.day(5)
        show(refunded, on: 6)
        var whole = bought
        whole["signedDate"] = Self.day(9)
        show(whole, on: 10)
        show(bought, on: 20)
    }

    /// Something that is bought once, and an account that gets another UUID later.
    private mutating func addSingle() {
        var single = transaction("coins", bought: 0)
        single["expiresDate"] = nil
        single["webOrderLineItemId"] = nil
        single["type"] = Self.text(random.one(of: ["Consumable", "Non-Consumable"], "Consumable"))
        single["appAccountToken"] = Self.text("0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01")
        let now: ExactText = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0b02"
        show(single, on: 1)
        all[all.count - 1].accountToken = now
        single["signedDate"] = Self.day(3)
        single["appAccountToken"] = Self.text("\(now)")
        all.append(Shown(members: single, isEvidence: true))
    }
}

extension HonestTokens.Shown {
    /// The checks' answer about it.
    func facts(at index: Int) -> Facts {
        let date = Instant(seconds: 1_767_225_600 + Int64(presentedDay) * 86_400 + 3600)
        let claim = ExampleClaim(
            device: device, account: account, accountToken: accountToken, product: asked,
            presented: isEvidence ? nil : date.description, token: ExampleToken(index, isBound: false))
        var facts = claim.facts(at: index)
        let json = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        facts.token = try? Token(parsing: Array("{\(json)}".utf8))
        return facts
    }
}
