import Encodings
import FoundationEssentials
import Testing

@testable import SampleStore

struct `The content of a token` {
    static let verification = DeviceVerification(
        nonce: "0B5EB5F1-8CB3-4C5C-8B7B-A30000000001", deviceID: "7F3A9C1E-2D4B-4E6F-8A90-B40000000002")

    @Test func `of a transaction has the members of a genuine one, in their order, and no others`() throws {
        let content = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "com.example.notes.year", transactionID: "42",
            purchasedAt: .utc(2024, 3, 1)
        ).with {
            $0.price = 1990
            $0.currency = "EUR"
        }
        #expect(
            String(decoding: content.json.octets, as: UTF8.self)
                == #"{"transactionId":"42","originalTransactionId":"42","bundleId":"com.example.notes","#
                + #""productId":"com.example.notes.year","purchaseDate":1709251200000,"#
                + #""originalPurchaseDate":1709251200000,"quantity":1,"type":"Auto-Renewable Subscription","#
                + #""inAppOwnershipType":"PURCHASED","signedDate":1709251200000,"environment":"Production","#
                + #""transactionReason":"PURCHASE","storefront":"USA","storefrontId":"143441","price":1990,"#
                + #""currency":"EUR"}"#)
    }

    @Test func `says the same of a purchase as the receipt`() throws {
        let purchase = Samples.purchase.with {
            $0.kind = .autoRenewable
            $0.originalTransactionID = "1"
            $0.webOrderLineItemID = 7
            $0.expiresAt = .utc(2024, 4)
            $0.cancelledAt = .utc(2024, 2, 20)
            $0.isTrial = true
        }
        let members = try members(
            of: TransactionContent(purchase, bundleID: "com.example.notes", signedAt: .utc(2024, 3)))
        #expect(members["transactionId"] == .text(purchase.transactionID))
        #expect(members["originalTransactionId"] == .text("1"))
        #expect(members["webOrderLineItemId"] == .text("7"))
        #expect(members["revocationDate"] == .number(Int(Instant.utc(2024, 2, 20).milliseconds)))
        #expect(members["offerType"] == .number(1) && members["offerDiscountType"] == .text("FREE_TRIAL"))
        #expect(members["transactionReason"] == .text("RENEWAL"))
    }

    @Test func `has only names that the documentation has`() throws {
        let uuid = "00000000-0000-4000-8000-000000000001"
        let info: SampleJSON = .object([])
        let transaction = TransactionContent(
            Samples.purchase, bundleID: "b", signedAt: Samples.created
        ).with {
            ($0.webOrderLineItemID, $0.subscriptionGroupID, $0.expiresAt) = ("1", "2", Samples.created)
            ($0.accountToken, $0.revocationReason, $0.revokedAt) = (uuid, 0, Samples.created)
            ($0.revocationType, $0.revocationPercentage, $0.isUpgraded) = ("REFUND_FULL", 50000, true)
            $0.offer = OfferContent(1, identifier: "i", discountType: "d", period: "p")
            ($0.price, $0.currency) = (1, "EUR")
            ($0.appTransactionID, $0.advancedCommerceInfo, $0.billingPlanType) = ("3", info, "")
            ($0.commitmentInfo, $0.previousOriginalTransactionID) = (info, "4")
            $0.deviceVerification = Self.verification
        }
        #expect(try members(of: transaction).count == 36)
        let renewal = RenewalContent(originalTransactionID: "1", productID: "p", signedAt: Samples.created).with {
            ($0.expirationIntent, $0.isInBillingRetryPeriod, $0.priceIncreaseStatus) = (1, true, 0)
            ($0.gracePeriodExpiresAt, $0.recentSubscriptionStartedAt) = (Samples.created, Samples.created)
            ($0.offer, $0.renewsAt) = (OfferContent(1, identifier: "i", discountType: "d", period: "p"), .utc(2025))
            ($0.currency, $0.renewalPrice, $0.eligibleWinBackOfferIDs) = ("EUR", 1, ["w"])
            ($0.accountToken, $0.appTransactionID, $0.advancedCommerceInfo) = (uuid, "3", info)
            ($0.commitmentInfo, $0.renewalBillingPlanType) = (info, "")
            $0.deviceVerification = Self.verification
        }
        #expect(try members(of: renewal).count == 26)
        let app = AppTransactionContent(bundleID: "b", createdAt: Samples.created).with {
            ($0.versionExternalID, $0.preorderedAt, $0.appTransactionID) = (1, Samples.created, "3")
            $0.originalPlatform = "iOS"
            $0.deviceVerification = Self.verification
        }
        #expect(try members(of: app).count == 13)
        let request = RealtimeRequestContent(
            requestIdentifier: uuid, originalTransactionID: "1", signedAt: Samples.created)
        #expect(try members(of: request.with { $0.productID = "p" }).count == 7)
    }

    @Test(arguments: ["data", "summary", "externalPurchaseToken", "appData"])
    func `of a notification has one body`(name: String) throws {
        let body: NotificationBody =
            switch name {
            case "data":
                .data(NotificationData(bundleID: "b").with { ($0.signedTransaction, $0.status) = ("a.b.c", 1) })
            case "summary": .summary(NotificationSummary(requestIdentifier: "r", bundleID: "b"))
            case "appData": .appData(NotificationAppData(bundleID: "b").with { $0.signedAppTransaction = "a.b.c" })
            default: .externalPurchaseToken(ExternalPurchaseTokenContent("t", bundleID: "b", createdAt: nil))
            }
        let members = try members(of: NotificationContent("TEST", uuid: "u", body: body, signedAt: Samples.created))
        #expect(Set(members.keys) == ["notificationType", "notificationUUID", "signedDate", "version", name])
        #expect(members[name]?["bundleId"] == .text("b"))
    }

    @Test func `is bound to a device by base64 of 48 octets and a nonce in lower case`() throws {
        let content = AppTransactionContent(bundleID: "b", createdAt: Samples.created)
        let members = try members(of: content.with { $0.deviceVerification = Self.verification })
        #expect(members["deviceVerificationNonce"] == .text(Self.verification.nonce.lowercased()))
        let text = Data(Self.verification.hash).base64EncodedString()
        #expect(members["deviceVerification"] == .text(text))
        #expect(text.count == 64)
    }

    @Test func `of Xcode is signed by one certificate and has dates with fractions`() throws {
        let token = try XcodeToken.token(AppTransactionContent(bundleID: "b", createdAt: Samples.created))
        let header = String(decoding: token.header.octets, as: UTF8.self)
        #expect(header.hasSuffix(#""],"kid":"Apple_Xcode_Key","typ":"JWT"}"#))
        #expect(header.components(separatedBy: "MII").count == 2)
        #expect(String(decoding: token.payload.octets, as: UTF8.self).contains("1709251200000.375,"))
    }

    /// The members as another reader than ours reads them.
    private func members(of payload: some TokenPayload) throws -> [String: DecodedJSON] {
        try JSONDecoder().decode([String: DecodedJSON].self, from: Data(payload.json.octets))
    }
}

/// A value of JSON, read by Foundation.
indirect enum DecodedJSON: Decodable, Equatable {
    case text(String)
    case number(Int)
    case object([String: DecodedJSON])
    case other

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = (try? value.decode([String: DecodedJSON].self)).map { .object($0) } ?? .other
        }
    }

    subscript(name: String) -> DecodedJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

struct `JSON of the sample store` {
    private let json = SampleJSON.object([("a", .list([.number(1), .bool(false), .null])), ("b", .object([]))])

    @Test func `is compact, indented or full of white space`() {
        #expect(text(json.octets) == #"{"a":[1,false,null],"b":{}}"#)
        #expect(text(json.file) == "{\n  \"a\": [\n    1,\n    false,\n    null\n  ],\n  \"b\": {}\n}\n")
        #expect(
            text(json.octets(around: " ")) == #" { "a" : [ 1 , false , null ] , "b" : {} } "#)
    }

    @Test func `can be edited into what no writer writes`() {
        let edited = json.edited([
            .add("c", .raw("1e2")), .replace("a", with: .text("\"")), .leaveOut("b"), .add("a", .null),
            .addEscaped(#"\u0061"#, .number(2)),
        ])
        #expect(text(edited.octets) == #"{"a":"\"","c":1e2,"a":null,"\u0061":2}"#)
    }

    private func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
}
