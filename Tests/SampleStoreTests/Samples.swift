import Encodings
import SampleStore

/// Receipts that several tests start from.
enum Samples {
    static let phone = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    static let mac = SampleDevice.networkAddress([0xa4, 0x83, 0xe7, 0x01, 0x02, 0x03])
    static let created = Instant.utc(2024, 3, 1)

    static var purchase: PurchaseContent {
        PurchaseContent(
            .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
            purchasedAt: .utc(2024, 2, 1))
    }

    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: phone, createdAt: created).with {
            $0.purchases = [purchase]
        }
    }
}
