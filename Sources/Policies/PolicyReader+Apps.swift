import Encodings
import Receipts
import Rules
import YAML

extension PolicyReader {
    /// `apps`: by bundle id.
    mutating func apps(_ value: YAMLValue) -> [ExactText: Policy.App] {
        var apps: [ExactText: Policy.App] = [:]
        for entry in table(value, "“apps”") { apps[entry.key] = app(entry) }
        return apps
    }

    private mutating func app(_ app: YAMLEntry) -> Policy.App {
        var result = Policy.App()
        for entry in table(app.value, app.key.quoted, keys: ["versions", "products"]) {
            switch entry.key {
            case "versions": result.versions = Set(texts(entry.value, "versions", of: "versions").map(\.text))
            default:
                var products: [ExactText: Product] = [:]
                for entry in table(entry.value, "“products”") { products[entry.key] = product(entry) }
                result.products = products
            }
        }
        return result
    }

    private mutating func product(_ product: YAMLEntry) -> Product {
        var result = Product()
        var price: (value: YAMLValue, millionths: Int64?)?
        var currency: (value: YAMLValue, code: ExactText?)?
        for entry in table(product.value, product.key.quoted, keys: ["kind", "group", "price", "currency", "period"]) {
            let value = entry.value
            switch entry.key {
            case "kind":
                result.kind = word(value, "kind", among: Purchase.Kind.words.map(\.word)).flatMap { word in
                    Purchase.Kind.words.first { $0.word == word }?.kind
                }
            case "group": result.group = text(value, "group", "the name of a subscription group")
            case "price": price = (value, millionths(value))
            case "currency": currency = (value, currencyCode(value))
            default:
                result.period = word(value, "period", of: Product.Period.self)
            }
        }
        switch (price, currency) {
        case (let price?, nil): report(price.value.place, "“price” needs a “currency” beside it")
        case (nil, let currency?): report(currency.value.place, "“currency” needs a “price” beside it")
        case (let price?, let currency?):
            if let millionths = price.millionths, let code = currency.code {
                result.price = Product.Price(millionths: millionths, currency: code)
            }
        case (nil, nil): break
        }
        return result
    }

    /// Reads a price in millionths, without floating point.
    private mutating func millionths(_ value: YAMLValue) -> Int64? {
        let parts = (value.text ?? "").text.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard isNumber, (1...2).contains(parts.count), parts[0].utf8.count <= 12, decimals.utf8.count <= 6 else {
            refuse(value, "“price” must be an amount such as 4.99, with at most 12 digits and 6 decimals")
            return nil
        }
        return Int64(parts[0] + decimals + String(repeating: "0", count: 6 - decimals.utf8.count))
    }

    private mutating func currencyCode(_ value: YAMLValue) -> ExactText? {
        if let text = value.text, text.utf8.count == 3, text.utf8.allSatisfy({ (65...90).contains($0) }) { return text }
        refuse(value, "“currency” must be three capital letters (ISO 4217) such as USD")
        return nil
    }
}

extension Purchase.Kind {
    /// The words for kinds in a policy.
    static let words: [(word: ExactText, kind: Purchase.Kind)] = [
        ("non-consumable", .nonConsumable), ("consumable", .consumable), ("non-renewing", .nonRenewing),
        ("auto-renewable", .autoRenewable), ("free-subscription", .freeSubscription),
    ]
}
