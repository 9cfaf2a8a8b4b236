import Encodings
import SampleStore
import Testing

struct `A genuine draft` {
    static let drafts = (0..<3000).map { ClaimDraft(index: $0, seed: 4, asOf: SampleExport.asOf) }

    @Test func `was created between 2019 and the sample's as-of, and presented after that`() {
        for draft in Self.drafts {
            #expect(draft.receipt.createdAt >= .utc(2019) && draft.receipt.createdAt < SampleExport.asOf)
            #expect(draft.row.presentedAt.map { $0 >= draft.receipt.createdAt && $0 <= SampleExport.asOf } == true)
        }
    }

    @Test func `is signed with SHA-1 until 24 January 2025, and with SHA-256 since`() {
        for draft in Self.drafts {
            #expect((draft.digest == .sha1) == (draft.receipt.createdAt < .utc(2025, 1, 24)))
        }
        #expect(Set(Self.drafts.map(\.digest)).count == 2)
    }

    @Test func `has no impossible dates`() {
        for draft in Self.drafts {
            for purchase in draft.receipt.purchases {
                #expect(purchase.purchasedAt <= draft.receipt.createdAt)
                #expect(purchase.originallyPurchasedAt <= purchase.purchasedAt)
                #expect(purchase.expiresAt.map { $0 > purchase.purchasedAt } != false)
                #expect(
                    purchase.cancelledAt.map { $0 >= purchase.purchasedAt && $0 <= draft.receipt.createdAt } != false)
                if draft.receipt.environment == "Production", let end = purchase.expiresAt {
                    #expect(end >= purchase.purchasedAt.adding(seconds: 86_400))
                }
            }
        }
    }

    @Test func `shares no device, transaction or line item with another`() {
        let devices = Self.drafts.map(\.receipt.device)
        #expect(Set(devices).count == devices.count)
        let purchases = Self.drafts.flatMap(\.receipt.purchases)
        #expect(Set(purchases.map(\.transactionID)).count == purchases.count)
        let items = purchases.map(\.webOrderLineItemID).filter { $0 != 0 }
        #expect(Set(items).count == items.count)
    }

    @Test func `has at most one trial or offer in its subscription, and periods that do not overlap`() {
        for draft in Self.drafts {
            let periods = draft.receipt.purchases.filter { $0.kind == .autoRenewable }
            #expect(periods.count <= 24)
            #expect(periods.count { $0.isTrial || $0.isIntroOffer } <= 1)
            for (period, next) in zip(periods, periods.dropFirst()) {
                #expect(period.expiresAt.map { $0 <= next.purchasedAt } == true)
            }
        }
    }

    @Test func `may be of every sort`() {
        let receipts = Self.drafts.map(\.receipt)
        let purchases = receipts.flatMap(\.purchases)
        #expect(Set(receipts.map(\.device.isMac)).count == 2)
        #expect(receipts.contains { $0.purchases.isEmpty })
        #expect(Set(purchases.map(\.kind)) == Set(PurchaseContent.Kind.allCases))
        #expect(purchases.contains { $0.isTrial })
        #expect(purchases.contains { $0.isIntroOffer })
        #expect(purchases.contains { $0.cancelledAt != nil })
        #expect(receipts.contains { $0.environment == "ProductionSandbox" })
        #expect(Self.drafts.contains { $0.row.deviceID.contains("|") })
        #expect(Self.drafts.contains { $0.row.deviceID.isEmpty })
    }
}

struct `A row of the manifest` {
    @Test func `quotes a cell that holds a comma or a quote`() {
        var row = SampleRow(file: "0000/000001.der")
        row.accountID = "Sample, Anna \"1\""
        let line = String(decoding: row.line, as: UTF8.self)
        #expect(line == "0000/000001.der,,,\"Sample, Anna \"\"1\"\"\",,,,,\r\n")
    }

    @Test func `has a cell for each column of the header`() {
        let header = String(decoding: SampleRow.header, as: UTF8.self)
        #expect(
            header == """
                file,device_id,device_verification_id,account_id,account_token,bundle_id,app_version,product_id,\
                presented_at\r\n
                """)
    }
}
