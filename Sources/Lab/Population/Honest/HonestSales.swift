import Encodings

/// What the App Store sold to a population, as its daily sales reports tell it: of 365 days, with both changes of
/// daylight saving time.
///
/// A seat is a unit. Free trials, downloads and restores have rows that sell nothing.
public struct HonestSales {
    /// Units that were sold to people whose claims were lost.
    public struct Omission: Codable, Hashable, Sendable {
        public let date: String
        public let productID: String

        enum CodingKeys: String, CodingKey {
            case date
            case productID = "product_id"
        }
    }

    private struct Sale {
        let bundleID: String
        let productID: String
        let kind: PurchaseContent.Kind
        var day: Int64
        var units: Int
        let isFree: Bool
        /// Decides the country and the price tier.
        let number: Int
        var refundedOn: Int64?
    }

    /// The sales by what is the same in each proof of one.
    private var sales: [String: Sale] = [:]

    private static let lastDay = HonestWorld.end.day - 1
    private static let days = lastDay - 364...lastDay
    static let omissions = 100

    /// Adds what a receipt or token in the form of the App Store shows. Days are those of Pacific time, as in reports of
    /// worldwide agreements.
    mutating func add(_ made: HonestReceipt) {
        switch made.token {
        case .transaction(let transaction): add(transaction)
        case nil where made.content.environment.hasPrefix("ProductionVPP") || made.content.environment == "Production":
            for purchase in made.content.purchases { add(purchase, of: made.content.bundleID) }
        default: break
        }
    }

    mutating func add(_ transaction: TransactionContent) {
        guard transaction.environment == "Production", transaction.ownership == "PURCHASED" else { return }
        let isFree = transaction.price == 0
        add(
            transaction.purchase, of: transaction.bundleID, isFree: isFree,
            isAddition: transaction.additionalReason != nil)
    }

    private mutating func add(
        _ purchase: PurchaseContent, of bundleID: String, isFree: Bool = false, isAddition: Bool = false
    ) {
        let isPeriod = purchase.expiresAt != nil
        let line = purchase.webOrderLineItemID
        let identity =
            !isPeriod
            ? purchase.originalTransactionID
            : line != 0 && !isAddition ? "line \(line)" : purchase.transactionID
        let day = PacificTime.day(of: isPeriod ? purchase.purchasedAt : purchase.originallyPurchasedAt)
        var sale =
            sales[identity]
            ?? Sale(
                bundleID: bundleID, productID: purchase.productID, kind: purchase.kind, day: day,
                units: purchase.quantity, isFree: isFree || purchase.isTrial, number: sales.count)
        sale.day = min(sale.day, day)
        sale.units = max(sale.units, purchase.quantity)
        if let date = purchase.cancelledAt { sale.refundedOn = PacificTime.day(of: date) }
        sales[identity] = sale
    }

    private static func date(_ day: Int64) -> String { String(Instant(day: day).description.prefix(10)) }

    /// Returns the reports by file name, and the sales that no proof shows.
    func reports(seed: UInt64) -> (files: [(name: String, text: String)], omissions: [Omission]) {
        var rows: [Int64: [String]] = [:]
        var omissions: [Omission] = []
        let sold = sales.sorted { $0.key < $1.key }.map(\.value).filter { Self.days.contains($0.day) }
        func add(_ units: Int, of sale: Sale, on day: Int64) {
            guard Self.days.contains(day) else { return }
            let app = SampleApp.catalogue.first { $0.bundleID == sale.bundleID }
            let type = sale.kind == .autoRenewable ? "IAY" : sale.kind == .nonRenewing ? "IA9" : "IA1"
            let row = Self.row(
                sale.productID, type + (app?.isMac == true ? "-M" : ""), units, on: day, of: app?.sku ?? sale.bundleID,
                price: sale.isFree ? "0" : "4.\((sale.number % 50).padded(to: 2))", sale.number % 3 == 0 ? "US" : "DE")
            rows[day, default: []].append(row)
        }
        for sale in sold {
            add(sale.units, of: sale, on: sale.day)
            if let day = sale.refundedOn { add(-sale.units, of: sale, on: day) }
        }
        var random = SeededGenerator(seed: seed ^ 0x7361_6c65_73, index: 0)
        let paid = sold.filter { !$0.isFree }
        while omissions.count < min(Self.omissions, paid.count / 3) {
            let sale = paid[random.below(paid.count)]
            let omission = Omission(date: Self.date(sale.day), productID: sale.productID)
            guard !omissions.contains(omission) else { continue }
            omissions.append(omission)
            add(1, of: sale, on: sale.day)
        }
        let files = Self.days.map { day in
            let others = SampleApp.catalogue.flatMap { app in
                [
                    Self.row(app.sku, app.isMac ? "F1" : "1F", 7, on: day, of: " ", price: "0", "US"),
                    Self.row(app.products[0].id, "IA3", 2, on: day, of: app.sku, price: "4.99", "US"),
                ]
            }
            let lines = ([Self.header] + others + (rows[day] ?? [])).map { $0 + "\n" }
            return (name: "S_D_80000001_\(Self.date(day).filter { $0 != "-" }).txt", text: lines.joined())
        }
        return (files, omissions)
    }

    private static let header =
        "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\t"
        + "Begin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\t"
        + "Promo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\t"
        + "Proceeds Reason\tPreserved Pricing\tClient\tOrder Type"

    private static func row(
        _ sku: String, _ type: String, _ units: Int, on day: Int64, of parent: String, price: String, _ country: String
    ) -> String {
        let parts = date(day).split(separator: "-")
        let date = "\(parts[1])/\(parts[2])/\(parts[0])"
        return
            "APPLE\tUS\t\(sku)\tExample\t\(sku)\t \t\(type)\t\(units)\t\(price)\t\(date)\t\(date)\tUSD\t\(country)\tUSD\t"
            + "1500200101\t\(price)\t \t\(parent)\t \t \tGames\t \tiPhone\tiOS\t \t \t \t "
    }
}

extension SampleApp {
    /// The SKU, which is not the bundle id.
    fileprivate var sku: String { "SKU-\(itemID % 1000)" }
}
