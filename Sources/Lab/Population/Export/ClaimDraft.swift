import DER
public import Encodings
import FoundationEssentials

/// A genuine claim before it is signed. A forger may change it.
public struct ClaimDraft: Sendable {
    public internal(set) var index: Int
    public var app: SampleApp
    public var receipt: ReceiptContent
    public var digest: SampleDigest
    public var row: SampleRow
    /// Whether the file holds base64 with line breaks instead of DER.
    public var isBase64: Bool
    /// The token that is presented instead of the receipt, if there is one.
    public var token: SampleToken?

    /// Makes up a claim that was presented before `asOf`; the same arguments make the same claim.
    public init(index: Int, seed: UInt64, asOf: Instant) {
        var random = SeededGenerator(seed: seed, index: index)
        let app = SampleApp.catalogue[random.below(SampleApp.catalogue.count)]
        let first = Instant.utc(2019)
        let createdAt = first.adding(
            seconds: Int64(random.below(Int(asOf.seconds - first.seconds) - PurchaseHistory.day)))
        let isSandbox = random.chance(percent: 3)
        let device = Self.device(isMac: app.isMac, index: index, seed: seed, &random)
        self.index = index
        self.app = app
        digest = createdAt < .utc(2025, 1, 24) ? .sha1 : .sha256
        receipt = Self.receipt(for: app, device, createdAt, isSandbox, index, &random)
        isBase64 = random.chance(percent: 4)
        row = SampleRow(file: Self.path(index, isBase64))
        row.deviceID = Self.deviceID(of: device, &random)
        row.accountID = Self.accountID(index, &random)
        row.bundleID = random.chance(percent: 95) ? receipt.bundleID : ""
        row.appVersion = random.chance(percent: 90) ? receipt.appVersion : ""
        row.productID = receipt.purchases.last?.productID ?? ""
        let maxDelay = min(asOf.seconds - createdAt.seconds, Int64(7 * PurchaseHistory.day))
        row.presentedAt = createdAt.adding(seconds: Int64(random.below(Int(maxDelay))))
    }

    /// Returns a purchase that a forger adds.
    func inventedPurchase(_ random: inout SeededGenerator) -> PurchaseContent {
        var history = PurchaseHistory(
            app: app, createdAt: receipt.createdAt, isSandbox: false, index: index, startingAt: 90)
        return history.oneTime(&random)
    }

    /// Returns the bytes in the form of the file.
    func encoded(_ container: [UInt8]) -> [UInt8] {
        guard isBase64 else { return container }
        let options: Data.Base64EncodingOptions = [.lineLength76Characters, .endLineWithLineFeed]
        return Array(Data(container).base64EncodedData(options: options)) + [0x0a]
    }

    /// Returns the file, signed by the store.
    func file(by authorities: SampleAuthorities) throws(SigningError) -> [UInt8] {
        if let token { return try authorities.tokens.token(octets: token.octets).encoded }
        return encoded(try authorities.genuine.receipt(receipt, digest: digest))
    }

    static func receipt(
        for app: SampleApp, _ device: SampleDevice, _ createdAt: Instant, _ isSandbox: Bool, _ index: Int,
        _ random: inout SeededGenerator
    ) -> ReceiptContent {
        var history = PurchaseHistory(app: app, createdAt: createdAt, isSandbox: isSandbox, index: index)
        var receipt = ReceiptContent(bundleID: app.bundleID, device: device, createdAt: createdAt)
        receipt.purchases = history.purchases(&random)
        receipt.opaqueValue = random.octets(16)
        receipt.attribute6 = random.octets(random.within(40...106))
        receipt.attribute7 = random.octets(random.within(39...89))
        receipt.toolVersion = ["P247", "P253", "P256", "P302"][random.below(4)]
        receipt.ageRating = app.ageRating
        receipt.attribute13 = 100_201 + 1_000 * random.below(60)
        receipt.attribute14 = app.isMac ? 1 : random.within(27...332)
        let version = random.below(app.versions.count)
        receipt.appVersion = app.versions[version]
        if isSandbox {
            receipt.environment = "ProductionSandbox"
            receipt.appItemID = 0
            receipt.developerID = 0
            receipt.downloadID = 0
            receipt.versionExternalID = 0
            receipt.downloadedAt = nil
            receipt.originallyPurchasedAt = Instant(rfc3339: "2013-08-01T07:00:00Z")
            receipt.originalAppVersion = "1.0"
        } else {
            receipt.appItemID = app.itemID
            receipt.developerID = app.developerID
            receipt.downloadID = 64_000_000_000_000 + index
            receipt.versionExternalID = 820_000_000 + version
            if random.chance(percent: 30) {
                receipt.downloadedAt = createdAt.adding(seconds: -Int64(random.below(400 * PurchaseHistory.day)))
            }
            let first = receipt.purchases.map(\.originallyPurchasedAt).min() ?? createdAt
            receipt.originallyPurchasedAt = first.adding(seconds: -Int64(random.below(100 * PurchaseHistory.day)))
            receipt.originalAppVersion = app.versions[random.below(version + 1)]
        }
        return receipt
    }

    /// Returns a device that no other claim of the export has.
    static func device(
        isMac: Bool, index: Int, seed: UInt64, _ random: inout SeededGenerator
    ) -> SampleDevice {
        guard isMac else {
            return .vendorIdentifier(random.uuid())
        }
        // An odd factor permutes the 24 bits, so addresses repeat only after 16 million claims.
        let low = (UInt64(bitPattern: Int64(index)) &+ seed) &* 0x9e_3779
        return .networkAddress(Self.appleAddress + (0..<3).map { UInt8(truncatingIfNeeded: low >> (16 - 8 * $0)) })
    }

    /// Returns the cell: mostly the device, sometimes a Mac's two addresses, and sometimes nothing.
    private static func deviceID(of device: SampleDevice, _ random: inout SeededGenerator) -> String {
        if random.chance(percent: 5) { return "" }
        guard device.isMac, random.chance(percent: 30) else { return device.text }
        // The second address differs from the first only in the vendor's part, so no other claim has it.
        let other = SampleDevice.networkAddress([0xf0, 0x18, 0x98] + device.octets.suffix(3)).text
        return random.chance(percent: 50) ? "\(device.text)|\(other)" : "\(other)|\(device.text)"
    }

    /// Returns the cell: mostly an id, sometimes a name that needs quotes in CSV, and sometimes nothing.
    private static func accountID(_ index: Int, _ random: inout SeededGenerator) -> String {
        switch random.below(100) {
        case ..<20: ""
        case 20: "Sample, Anna \"\(index)\""
        default: "account-\(index)"
        }
    }

    /// The number of files in one folder.
    static let filesPerFolder = 1000

    /// `0012`: the folder of one claim's file.
    static func folder(of index: Int) -> String { (index / filesPerFolder).padded(to: 4) }

    /// `0012/012345.der`: the path of one claim's file.
    private static func path(_ index: Int, _ isBase64: Bool) -> String {
        folder(of: index) + "/" + index.padded(to: 6) + (isBase64 ? ".b64" : ".der")
    }

    private static let appleAddress: [UInt8] = [0xa4, 0x83, 0xe7]
}

extension ClaimDraft {
    /// Makes a claim in production without purchases, with a row that states all of the receipt's fields.
    init(plainAt index: Int, seed: UInt64, app: SampleApp, createdAt: Instant, device: SampleDevice? = nil) {
        self.init(index: index, seed: seed, asOf: SampleExport.asOf)
        var random = SeededGenerator(seed: ~seed, index: index)
        let own = Self.device(isMac: app.isMac, index: index, seed: seed, &random)
        self.app = app
        digest = createdAt < .utc(2025, 1, 24) ? .sha1 : .sha256
        receipt = Self.receipt(for: app, device ?? own, createdAt, false, index, &random)
        receipt.purchases = []
        receipt.originallyPurchasedAt = createdAt.adding(
            seconds: -Int64(random.within(450...700) * PurchaseHistory.day))
        row.deviceID = receipt.device.text
        row.accountID = "account-\(index)"
        row.bundleID = receipt.bundleID
        row.appVersion = receipt.appVersion
        row.productID = ""
        row.presentedAt = createdAt.adding(seconds: Int64(60 + random.below(PurchaseHistory.day / 2)))
    }

    /// Returns one of the hundred transaction ids that no other claim has.
    func transactionID(_ number: Int) -> String { String(PurchaseHistory.firstInProduction + index * 100 + number) }

    /// Returns a purchase that does not renew, this many days before the receipt.
    func bought(_ product: SampleApp.Product, _ number: Int = 0, daysBefore days: Int = 1) -> PurchaseContent {
        var purchase = PurchaseContent(
            product.kind, productID: product.id, transactionID: transactionID(number),
            purchasedAt: receipt.createdAt.adding(seconds: -Int64(days * PurchaseHistory.day)))
        purchase.productItemID = product.itemID
        return purchase
    }

    /// Returns a subscription's first period, this many days before the receipt.
    func subscribed(to product: SampleApp.Product, _ number: Int = 0, daysBefore days: Int = 1) -> PurchaseContent {
        bought(product, number, daysBefore: days).with {
            $0.webOrderLineItemID = PurchaseHistory.firstLineItem + index * 100 + number
            $0.expiresAt = $0.purchasedAt.adding(seconds: Int64(max(product.days, 1) * PurchaseHistory.day))
            $0.hasAttribute1722 = receipt.createdAt >= .utc(2021, 12)
        }
    }

    /// Returns a purchase of somebody else, restored into this claim's receipt: a new transaction of the same original.
    func restored(_ purchase: PurchaseContent, _ number: Int = 0) -> PurchaseContent {
        purchase.with {
            $0.transactionID = transactionID(number)
            $0.purchasedAt = receipt.createdAt.adding(seconds: -3600)
        }
    }
}

extension SampleApp {
    static let notes = catalogue[0]
    static let kingdoms = catalogue[1]
    static let drafts = catalogue[3]

    /// The product of an app that is restored on every device of an account.
    var unlock: Product { oneTimeProducts[0] }
}
