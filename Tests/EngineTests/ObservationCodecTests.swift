import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Rules
import SampleStore
import Testing

@testable import Engine

/// What is written of a purchase in records of every kind, and read again.
struct `A purchase in a record` {
    /// All that a receipt can say of a purchase.
    static let full: Purchase = {
        var purchase = Purchase(productID: "month", transactionID: "2", purchaseDate: .utc(2024, 2, 1))
        purchase.quantity = 3
        purchase.originalTransactionID = "1"
        purchase.originalPurchaseDate = .utc(2024, 1, 1)
        purchase.kind = .autoRenewable
        purchase.expiresDate = .utc(2024, 3, 1)
        purchase.webOrderLineItemID = 500
        purchase.cancellationDate = .utc(2024, 2, 2)
        purchase.cancellationReason = 1
        purchase.isTrialPeriod = true
        purchase.isInIntroOfferPeriod = true
        purchase.statesTrial = true
        purchase.statesIntroOffer = true
        purchase.promotionalOfferID = "loyal"
        var details = TransactionDetails()
        details.price = 4_990
        details.currency = "EUR"
        details.ownership = "PURCHASED"
        details.storefront = "DEU"
        details.isUpgraded = true
        details.offerType = 2
        details.revocationType = "REFUND_PRORATED"
        details.revocationPercentage = 50_000
        details.revocationReason = 1
        details.additionalReason = "ADD_SEATS"
        details.previousOriginalTransactionID = "0"
        details.subscriptionGroupID = "21"
        details.appAccountToken = "7EB61F70-E56D-46F1-AC3A-84D1B43829D3"
        details.billingPlan = "MONTHLY"
        details.commitmentExpiresDate = .utc(2025, 2, 1)
        details.bundleTransactionID = "9"
        details.seats = SeatInfo(tiers: [SeatInfo.Tier(price: 9_990, quantity: 10)], revoked: 4)
        var items = CommerceItems()
        items.refunds = [CommerceItems.Refund(amount: 500, date: .utc(2024, 2, 2), reason: "OTHER")]
        (items.areAllRevoked, items.revokedAt) = (true, .utc(2024, 2, 2))
        details.commerce = items
        details.seatsRefundedAt = .utc(2024, 2, 5)
        details.movedAt = .utc(2024, 2, 3)
        purchase.details = details
        purchase.evidencePrice = SignedPrice(millionths: 3_990_000, currency: "EUR", signedAt: .utc(2024, 2, 3))
        return purchase
    }()

    private func read(
        _ purchase: Purchase, after product: ExactText = "", under key: ExactText = ""
    ) throws -> Purchase {
        try recoded(
            purchase, placeholder: Purchase(productID: "", transactionID: "", purchaseDate: .utc(1970)),
            write: { $0.code(&$1, after: product, underTransaction: key) },
            read: { (purchase, fields) throws(RecordError) in
                try purchase.code(&fields, after: product, underTransaction: key)
            })
    }

    @Test(arguments: ["", "month"], ["", "1", "2", "3"])
    func `is what it was in every field`(product: String, key: String) throws {
        // A field that nobody has set above would be the same however it is written.
        let details = Self.full.details.map { Array(Mirror(reflecting: $0).children) } ?? []
        for field in Array(Mirror(reflecting: Self.full).children) + details {
            let isSet = !["nil", "false"].contains("\(field.value)")
            #expect(isSet, "\(field.label ?? "")")
        }
        #expect(try read(Self.full, after: ExactText(product), under: ExactText(key)) == Self.full)
    }

    @Test(arguments: [1, 2]) func `is what it was if its quantity is one, as usual, or not`(quantity: Int) throws {
        var purchase = Purchase(productID: "month", transactionID: "1", purchaseDate: .utc(2024))
        (purchase.quantity, purchase.statesTrial, purchase.statesIntroOffer) = (quantity, true, true)
        #expect(try read(purchase) == purchase)
    }

    @Test(arguments: ["", "1", "2"])
    func `without what may be absent has none of it`(key: String) throws {
        let bare = Purchase(productID: "month", transactionID: "1", purchaseDate: .utc(2024))
        #expect(try read(bare, under: ExactText(key)) == bare)
    }

    @Test func `keeps the octets of texts that Swift takes for equal`() throws {
        var purchase = Purchase(productID: "caf\u{e9}", transactionID: "\u{e9}", purchaseDate: .utc(2024))
        purchase.originalTransactionID = "e\u{301}"
        let found = try read(purchase, after: "cafe\u{301}", under: "e\u{301}")
        #expect(found.productID.utf8.elementsEqual("caf\u{e9}".utf8))
        #expect(found.originalTransactionID?.utf8.elementsEqual("e\u{301}".utf8) == true)
    }
}

/// What a claim says under one key, as spill files have it.
struct `An observation in a record` {
    /// All that a claim can say.
    static func full(_ kind: KeyKind) -> (key: [UInt8], observation: Observation) {
        let octets: [UInt8] = [1, 2, 3, 4, 5, 6]
        var observation = Observation(claim: 77, source: "export.ndjson:17")
        observation.device = Device(octets: octets.span)
        observation.id = ClaimID(high: 0x0123_4567_89ab_cdef, low: 0x89ab_cdef)
        observation.deviceHash = .match
        observation.askedProduct = "month"
        observation.malformedDevice = "none"
        observation.originalPurchaseDate = .utc(2020)
        observation.accountID = "ana"
        observation.presentedAt = .utc(2026, 1, 2)
        observation.isGenuine = true
        observation.hasTransactions = kind == .receipt
        observation.bundleID = "com.example.notes"
        observation.environment = "ProductionVPP"
        observation.createdAt = .utc(2026, 1, 1)
        observation.purchases = [
            Purchase(productID: "month", transactionID: "7", purchaseDate: .utc(2025)),
            Purchase(productID: "month", transactionID: "8", purchaseDate: .utc(2025, 2)),
        ]
        let key: [UInt8] =
            switch kind {
            case .receipt: [9]
            case .transaction, .originalTransaction: Array("8".utf8)
            case .device: octets
            case .account: Array("ana".utf8)
            case .app: Array("com.example.notes\02020-01-01T00:00:00Z".utf8)
            case .person: Array("ProductionVPP\0704".utf8)
            case .accountToken: Array("0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01".utf8)
            case .nonce: Array("7\08\000000000-0000-4000-8000-000000000001".utf8)
            }
        return (key, observation)
    }

    /// What is left of it under a key, where no rule asks for the rest.
    private static func kept(_ kind: KeyKind) -> (key: [UInt8], observation: Observation) {
        var (key, kept) = full(kind)
        if kind != .receipt { kept.malformedDevice = "" }
        if ![.transaction, .originalTransaction].contains(kind) { kept.askedProduct = "" }
        if kind == .accountToken { kept.claimUUID = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01" }
        kept.originalPurchaseDate = nil
        return (key, kept)
    }

    private func read(_ kind: KeyKind, _ key: [UInt8], _ observation: Observation) throws -> Observation {
        var record = RecordWriter()
        ObservationRecord.write(kind, key.span, observation, to: &record)
        let bytes = record.bytes
        let (found, length) = try ObservationRecord.key(of: bytes.span)
        #expect(found == GroupKey(kind, octets: key))
        return try ObservationRecord.observation(
            of: bytes.span.extracting(length...), in: ObservationContext(kind, key.span))
    }

    @Test(arguments: KeyKind.allCases)
    func `is what it was, but for what no rule asks under its key`(kind: KeyKind) throws {
        let (key, full) = Self.full(kind)
        #expect(try "\(read(kind, key, full))" == "\(Self.kept(kind).observation)")
    }

    @Test func `says nothing of an app that Apple did not sign for`() throws {
        var (key, observation) = Self.full(.account)
        observation.isGenuine = false
        let found = try read(.account, key, observation)
        #expect(!found.isGenuine && found.bundleID == "" && found.environment == "")
    }

    @Test(arguments: ["Production", "Xcode", "", "another", "production", "Xcode\u{301}"] as [ExactText])
    func `has any environment`(environment: ExactText) throws {
        var (key, observation) = Self.full(.account)
        observation.environment = environment
        #expect(try read(.account, key, observation).environment == environment)
    }

    /// What a token says of a subscription, which payload it has, and whose it is.
    @Test(arguments: [KeyKind.originalTransaction, .nonce, .person])
    func `keeps what a token says`(kind: KeyKind) throws {
        var (key, expected) = Self.kept(kind)
        (expected.kind, expected.tokenDigest) = (.transaction, kind == .person ? [] : [UInt8](0..<32))
        if kind != .nonce { expected.appTransactionID = "704" }
        if kind == .originalTransaction {
            (expected.kind, expected.isBound, expected.isEvidence) = (.renewalInfo, false, true)
            (expected.renewedID, expected.status) = ("8", 4)
            var renewal = Token.RenewalInfo()
            renewal.renewsByItself = false
            renewal.nextProductID = "year"
            renewal.expirationIntent = 2
            renewal.isInBillingRetryPeriod = true
            renewal.gracePeriodExpiresDate = .utc(2026, 3, 1)
            renewal.renewalDate = .utc(2026, 2, 1)
            renewal.renewalPrice = 9_990
            renewal.currency = "EUR"
            renewal.offerID = "back"
            renewal.offerType = 3
            renewal.priceIncreaseStatus = 1
            renewal.productID = "month"
            expected.renewal = renewal
        }
        #expect(try "\(read(kind, key, expected))" == "\(expected)")
    }

    @Test(arguments: [nil, Token.Kind.transaction])
    func `is all that the claim said, in the record of the claim`(kind: Token.Kind?) throws {
        var presented = Self.full(.account).observation
        presented.kind = kind
        if kind != nil {
            presented.accountToken = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01"
            presented.claimedAccountToken = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0b02"
        }
        presented.coveredFrom = Instant(seconds: 1_770_000_000)
        let purchases = [`A purchase in a record`.full]
        presented.purchases = []
        presented.verdict = .valid
        let digest = Digest(octets: [UInt8](0..<32))
        var record = RecordWriter()
        ClaimRecord.write(
            ClaimObservations(presented: presented, contentDigest: digest, purchases: purchases), to: &record)
        let bytes = record.bytes
        let found = try ClaimRecord.observations(of: bytes.span)
        if kind == nil { presented.tokenDigest = digest.bytes }
        #expect("\(found.presented)" == "\(presented)")
        #expect(found.contentDigest?.bytes == digest.bytes)
        #expect(found.purchases == purchases)
        for count in 0..<bytes.count {
            #expect(throws: RecordError.self, "\(count) bytes") {
                _ = try ClaimRecord.observations(of: bytes.span.extracting(first: count))
            }
        }
    }
}
