import Encodings
import SampleStore
import Testing

@testable import Receipts

struct `The table of members` {
    @Test(arguments: Token.Kind.allCases) func `has each member once, behind what it is in`(kind: Token.Kind) {
        var seen: Set<ExactText> = [""]
        for member in PayloadTable.of(kind).members {
            #expect(seen.contains(member.parent), "\(member.path) is in nothing")
            #expect(seen.insert(member.path).inserted, "\(member.path) is there twice")
            #expect(member.meaning.hasSuffix("."), "\(member.path)")
            #expect(!member.isDecisive || member.listsValues, "\(member.path)")
        }
    }

    @Test(arguments: Token.Kind.allCases) func `finds each by its name, and no others`(kind: Token.Kind) {
        let table = PayloadTable.of(kind)
        for (number, member) in table.members.enumerated() {
            let parent = table.members.firstIndex { $0.path == member.parent } ?? PayloadTable.root
            #expect(table.number(of: member.name.utf8.span, in: parent) == number)
            #expect(table.number(of: member.name.lowercasedASCII.utf8.span, in: table.members.count) == nil)
        }
        for name: ExactText in ["", "x", "transactionid", "Data"] {
            #expect(table.number(of: name.utf8.span, in: PayloadTable.root) == nil)
        }
    }

    @Test(arguments: Token.Kind.allCases) func `knows all that it has`(kind: Token.Kind) throws {
        let token = try SamplePayload(kind).token
        #expect(token.kind == kind && token.error == nil)
        #expect(token.unknown == [])
    }

    /// The bodies of notifications say the same, so that each is tried without the others.
    private static let bodies: Set<ExactText> = ["data", "summary", "appData", "externalPurchaseToken", "unclaimInfo"]

    @Test(arguments: Token.Kind.allCases) func `has an effect wherever it says that it is read`(kind: Token.Kind) throws
    {
        let table = PayloadTable.of(kind)
        for member in table.members where member.treatment == .read {
            var payload = SamplePayload(kind)
            if kind == .notification {
                let own = ExactText(String(member.path.text.prefix { $0 != "." }))
                payload.left = Self.bodies.subtracting([own])
            }
            payload.values = [
                "externalPurchaseToken.externalPurchaseId": "\"SANDBOX_1\"",
                "advancedCommerceInfo.items[].revocationDate": "1710000000000",
            ]
            // Renewal infos have one of two.
            if member.path == "autoRenewProductId" { payload.left.insert("autoRenewStatus") }
            let whole = try "\(payload.token)"
            payload.left.insert(member.path)
            let without = Result { try payload.token }.map { "\($0)" }
            #expect((try? without.get()) != whole, "\(kind.rawValue): \(member.path) changes nothing")
        }
    }

    @Test(arguments: Token.Kind.allCases) func `has no effect where it says that it is not read`(kind: Token.Kind)
        throws
    {
        let table = PayloadTable.of(kind)
        let whole = try "\(SamplePayload(kind).token)"
        for member in table.members where member.treatment != .read && member.form != .object && member.form != .objects
        {
            var payload = SamplePayload(kind)
            payload.left = [member.path]
            #expect(try "\(payload.token)" == whole, "\(kind.rawValue): \(member.path) changes something")
        }
    }

    @Test(arguments: Token.Kind.allCases) func `says what is required`(kind: Token.Kind) throws {
        for member in PayloadTable.of(kind).members where member.isRequired {
            var payload = SamplePayload(kind)
            payload.left = [member.path]
            let missing = Result { try payload.token }.map(\.error)
            #expect((try? missing.get()) ?? .missing(member.name.text) == .missing(member.name.text))
            payload.left = []
            payload.values[member.path] = "[]"
            #expect(try payload.token.error == .type(member.name.text))
        }
    }

    @Test func `has every member that a sample writes`() throws {
        let date = Instant(seconds: 1_780_000_000)
        let transaction = TransactionContent(
            .autoRenewable, bundleID: "b", productID: "p", transactionID: "1", purchasedAt: date
        ).with {
            ($0.webOrderLineItemID, $0.subscriptionGroupID, $0.expiresAt) = ("1", "2", date)
            ($0.accountToken, $0.revocationReason, $0.revokedAt) = ("u", 0, date)
            ($0.revocationType, $0.revocationPercentage, $0.isUpgraded) = ("REFUND_FULL", 50000, true)
            $0.offer = .trial
            ($0.price, $0.currency, $0.appTransactionID, $0.billingPlanType) = (1, "EUR", "3", "MONTHLY")
            ($0.advancedCommerceInfo, $0.commitmentInfo) = (.object([]), .object([]))
            $0.previousOriginalTransactionID = "4"
            $0.deviceVerification = DeviceVerification(nonce: "n", deviceID: "d")
        }
        let renewal = RenewalContent(originalTransactionID: "1", productID: "p", signedAt: date).with {
            ($0.expirationIntent, $0.isInBillingRetryPeriod, $0.priceIncreaseStatus) = (1, true, 0)
            ($0.gracePeriodExpiresAt, $0.recentSubscriptionStartedAt, $0.renewsAt) = (date, date, date)
            ($0.offer, $0.currency, $0.renewalPrice, $0.eligibleWinBackOfferIDs) = (.trial, "EUR", 1, ["w"])
            ($0.accountToken, $0.appTransactionID, $0.renewalBillingPlanType) = ("u", "3", "MONTHLY")
            ($0.advancedCommerceInfo, $0.commitmentInfo) = (.object([]), .object([]))
        }
        let app = AppTransactionContent(bundleID: "b", createdAt: date).with {
            ($0.versionExternalID, $0.preorderedAt, $0.appTransactionID) = (1, date, "3")
            $0.originalPlatform = "iOS"
        }
        let request = RealtimeRequestContent(requestIdentifier: "r", originalTransactionID: "1", signedAt: date)
        let bodies: [NotificationBody] = [
            .data(NotificationData(bundleID: "b").with { ($0.signedTransaction, $0.status) = ("a.b.c", 1) }),
            .summary(NotificationSummary(requestIdentifier: "r", bundleID: "b").with { $0.storefronts = ["USA"] }),
            .appData(NotificationAppData(bundleID: "b").with { $0.signedAppTransaction = "a.b.c" }),
            .externalPurchaseToken(ExternalPurchaseTokenContent("t", bundleID: "b", createdAt: date)),
        ]
        let notifications = bodies.map { NotificationContent("TEST", uuid: "u", body: $0, signedAt: date).json }
        for json in [transaction.json, renewal.json, app.json, request.with { $0.productID = "p" }.json] + notifications
        {
            #expect(try Token(parsing: json.octets).unknown == [])
        }
    }
}
