import Corpus
import Encodings
import Testing

@testable import Receipts

/// What a payload says that no text of Apple's names.
struct `What is not known of a payload` {
    private func unknown(_ kind: Token.Kind, _ change: (inout SamplePayload) -> Void) throws -> [UnknownMember] {
        var payload = SamplePayload(kind)
        change(&payload)
        return try payload.token.unknown
    }

    @Test func `is a value of an enumeration, with what it decides`() throws {
        #expect(
            try unknown(.transaction) { $0.values["revocationType"] = "\"ASSIGNMENT\"" }
                == [UnknownMember(.transaction, "revocationType", value: "ASSIGNMENT", isDecisive: true)])
        #expect(
            try unknown(.renewalInfo) { $0.values["expirationIntent"] = "6" }
                == [UnknownMember(.renewalInfo, "expirationIntent", value: "6")])
        #expect(
            try unknown(.appTransaction) { $0.values["originalPlatform"] = "\"managed\"" }.map(\.value) == ["managed"])
    }

    @Test func `is a member, named by its path, without its value and what is in it`() throws {
        let items = "[{\"x\":1},{\"x\":2},{\"y\":{\"z\":[1]}}]"
        #expect(
            try unknown(.transaction) { $0.values["advancedCommerceInfo.items"] = items } == [
                UnknownMember(.transaction, "advancedCommerceInfo.items[].x", value: nil),
                UnknownMember(.transaction, "advancedCommerceInfo.items[].y", value: nil),
            ])
    }

    @Test func `is a value of another type, which is shown only where a list has the values`() throws {
        #expect(
            try unknown(.transaction) { $0.values["currency"] = "1.99" }
                == [UnknownMember(.transaction, "currency", value: "(of another type)")])
        #expect(
            try unknown(.transaction) { $0.values["inAppOwnershipType"] = "5" }
                == [UnknownMember(.transaction, "inAppOwnershipType", value: "5", isDecisive: true)])
        #expect(try unknown(.transaction) { $0.values["price"] = "null" } == [])
    }

    private static let amounts: [(Token.Kind, ExactText)] = [
        (.transaction, "price"), (.transaction, "quantity"), (.transaction, "multiSeatInfo.priceTiers[].price"),
        (.transaction, "multiSeatInfo.priceTiers[].quantity"), (.transaction, "multiSeatInfo.revokedSeatQuantity"),
        (.transaction, "advancedCommerceInfo.items[].refunds[].refundAmount"), (.renewalInfo, "renewalPrice"),
        (.renewalInfo, "renewalQuantity"), (.renewalInfo, "multiSeatInfo.renewalPriceTiers[].price"),
        (.renewalInfo, "multiSeatInfo.renewalPriceTiers[].quantity"),
    ]

    @Test(arguments: amounts.indices, ["-1", "9223372036854775808", "4611686018427387904000", "1.5", "\"1\""])
    func `is an amount that cannot be`(index: Int, value: String) throws {
        let (kind, path) = Self.amounts[index]
        let shown = ExactText(value.filter { $0 != "\"" })
        #expect(
            try unknown(kind) { $0.values[path] = value } == [
                UnknownMember(kind, path, value: shown, isDecisive: true)
            ])
    }

    @Test func `is a number of seats beyond 32 bits, which multiplies no price`() throws {
        func token(_ change: (inout SamplePayload) -> Void) throws -> Purchase? {
            var payload = SamplePayload(.transaction)
            (payload.values, payload.left) = (
                ["type": "\"Auto-Renewable Subscription\"", "inAppOwnershipType": "\"PURCHASED\"", "price": "9990"],
                ["multiSeatInfo", "advancedCommerceInfo"]
            )
            change(&payload)
            return try payload.token.purchase
        }
        #expect(try token { $0.values["quantity"] = "10" }?.amount?.millionths == 99_900_000)
        #expect(try token { $0.values["quantity"] = "2147483648" }?.amount == nil)
        #expect(try token { $0.values["quantity"] = "\"10\"" }?.amount == nil)
    }

    @Test func `is a tier of seats without a price, so that all seats have none`() throws {
        var payload = SamplePayload(.transaction)
        payload.values = [
            "inAppOwnershipType": "\"PURCHASED\"",
            "multiSeatInfo.priceTiers": "[{\"price\":9990,\"quantity\":10},{\"quantity\":2}]",
        ]
        #expect(try payload.token.purchase?.amount == nil)
        payload.values["multiSeatInfo.priceTiers"] = "[{\"price\":9990,\"quantity\":10}]"
        #expect(try payload.token.purchase?.amount?.millionths == 99_900_000)
    }

    @Test(arguments: [("REFUND", true), ("REVOKE", true), ("DID_RENEW", false)])
    func `is a subtype, which decides something of a refund`(type: String, isDecisive: Bool) throws {
        let found = try unknown(.notification) {
            $0.values = ["notificationType": "\"\(type)\"", "subtype": "\"PART\""]
        }
        #expect(found == [UnknownMember(.notification, "subtype", value: "PART", isDecisive: isDecisive)])
    }

    @Test func `is cut at 64 octets, and 64 of it are kept`() throws {
        let long = String(repeating: "ä", count: 50)
        let found = try unknown(.transaction) { $0.values["revocationType"] = "\"\(long)\"" }
        #expect(found.map(\.value) == [ExactText(String(repeating: "ä", count: 32))])
        let odd = try unknown(.transaction) { $0.values["revocationType"] = "\"x\(long)\"" }
        #expect(odd.map(\.value) == [ExactText("x" + String(repeating: "ä", count: 31))])
        let many = "{" + (0..<1000).map { "\"x\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try unknown(.transaction) { $0.values["commitmentInfo"] = many }.count == 64)
    }
}

/// Values that Apple has not published, instead of those that it has.
struct `A value that nobody knows` {
    private static let words = [
        "REFUND", "REVOKE", "ASSIGNMENT", "UNBUNDLED", "FULL", "TRIAL", "X", "", " ", "ÄÖ", "null",
    ]

    /// A value that the member does not have: other texts, its own in another case, with blanks, and numbers, as JSON.
    private static func value(_ member: PayloadMember, _ numbers: inout Seeded) -> String {
        var known = words
        if case .texts(let texts) = member.values { known = texts.map(\.text) }
        let word = known[numbers.below(known.count)]
        let other = words[numbers.below(words.count)]
        let drawn = numbers.below(1 << 31) - (1 << 30)
        var isAmount = false
        if case .range = member.values { isAmount = true }
        let number = isAmount ? -abs(drawn) - 1 : drawn
        switch numbers.below(8) {
        case 0: return "\"\(word.lowercased())\(word == word.lowercased() ? "x" : "")\""
        case 1: return "\"\(word) \""
        case 2: return "\"\(word)_\(other)\""
        case 3: return "\"\(other)\(number)\""
        case 4: return "\"\""
        case 5: return ["0.5", "-1", "1e3", "18446744073709551616", "99"][numbers.below(isAmount ? 4 : 5)]
        case 6: return "\(number + (number >= 0 ? 100 : -100))"
        default: return ["true", "[]", "{}", "[1]"][numbers.below(4)]
        }
    }

    /// A transaction with known values.
    private struct Life {
        let payload: SamplePayload
        let purchase: Purchase
        let revocation: Revocation?

        init(_ values: [ExactText: String], withItems: Bool) throws {
            var payload = SamplePayload(.transaction)
            payload.values = values
            if !withItems { payload.left = ["advancedCommerceInfo"] }
            self.payload = payload
            purchase = try #require(try payload.token.purchase)
            revocation = purchase.revocation()
        }
    }

    private static let lives = Result {
        try [
            [:],
            ["revocationType": "\"FAMILY_REVOKE\"", "inAppOwnershipType": "\"FAMILY_SHARED\""],
            ["revocationType": "\"FAMILY_REVOKE\"", "revocationReason": "1", "isUpgraded": "false"],
            ["inAppOwnershipType": "\"ASSIGNED\"", "revocationType": "\"REFUND_FULL\"", "isUpgraded": "false"],
            ["revocationType": "null", "revocationReason": "2", "isUpgraded": "false"],
            ["revocationType": "null", "revocationReason": "0", "isUpgraded": "false"],
            ["revocationType": "null"],
            ["price": "0", "offerDiscountType": "\"PAY_UP_FRONT\""],
            ["price": "0", "offerType": "null", "offerDiscountType": "null"],
            ["isUpgraded": "false", "advancedCommerceInfo.items[].refunds[].refundReason": "\"MODIFY_ITEMS_REFUND\""],
        ].flatMap { [try Life($0, withItems: false), try Life($0, withItems: true)] }
    }

    @Test(arguments: 0..<Exhaustive.count(100, sampled: 2))
    func `makes no refund, no trial and no kind of a transaction`(seed: Int) throws {
        var numbers = Seeded(state: UInt64(seed))
        let members = PayloadTable.transaction.members.filter { $0.listsValues && $0.path != "environment" }
        let lives = try Self.lives.get()
        for number in 0..<1000 {
            let before = lives[number % lives.count]
            var payload = before.payload
            let member = members[numbers.below(members.count)]
            let value = Self.value(member, &numbers)
            payload.values[member.path] = value
            let token = try payload.token
            let purchase = try #require(token.purchase)
            let hasItems = purchase.details?.commerce != nil
            let revocation = purchase.revocation()
            let what = "\(member.path): \(value) in \(before.payload.values)"
            #expect(before.revocation?.isRefund == true || revocation?.isRefund != true, "\(what)")
            #expect(before.revocation == .refund || revocation != .refund, "\(what)")
            #expect(before.purchase.isTrialPeriod || !purchase.isTrialPeriod, "\(what)")
            switch member.path {
            case "revocationType", "inAppOwnershipType": #expect(revocation?.isRefund != true || hasItems, "\(what)")
            // Items have reasons of their own.
            case "revocationReason": #expect(revocation != .refund || hasItems, "\(what)")
            case "offerDiscountType": #expect(!purchase.isTrialPeriod, "\(what)")
            case "type": #expect(purchase.kind == nil && purchase.expiresDate != nil, "\(what)")
            default: break
            }
            if hasItems || !member.path.hasPrefix("advancedCommerceInfo") {
                #expect(token.unknown.contains { $0.member == member.path }, "\(what)")
            }
        }
    }

    @Test func `says nothing of how a subscription renews`() throws {
        var numbers = Seeded(state: 7)
        for path: ExactText in ["autoRenewStatus", "commitmentInfo.commitmentAutoRenewStatus"] {
            let member = try #require(PayloadTable.renewalInfo.members.first { $0.path == path })
            for _ in 0..<200 {
                var payload = SamplePayload(.renewalInfo)
                payload.values[path] = Self.value(member, &numbers)
                let renewal = try #require(try payload.token.renewal)
                let isKnown = path == "autoRenewStatus" ? renewal.renewsByItself : renewal.commitmentRenews
                #expect(isKnown == nil, "\(payload.values)")
            }
        }
    }

    @Test func `of a discount is no trial, and without one only the price of a known offer is`() throws {
        func isTrial(_ values: [ExactText: String]) throws -> Bool? {
            var payload = SamplePayload(.transaction)
            payload.values = values
            return try payload.token.purchase?.isTrialPeriod
        }
        #expect(try isTrial(["price": "0", "offerDiscountType": "null"]) == true)
        #expect(try isTrial(["price": "0", "offerDiscountType": "null", "offerType": "5"]) == false)
        #expect(try isTrial(["price": "0", "offerDiscountType": "\"FREE\""]) == false)
        #expect(try isTrial(["price": "9", "offerDiscountType": "\"FREE_TRIAL\""]) == true)
    }
}
