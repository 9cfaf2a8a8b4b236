import Encodings
import Policies
import Receipts
import Rules
import Testing

struct `A policy` {
    @Test(arguments: [
        "", "\n# nothing\n", "---\n", "~", "version: 1\n", "rules:\napps:\nallow:\n", "\u{feff}rules: {}",
    ])
    func `that says nothing leaves everything as it is`(text: String) throws {
        let policy = try policy(text)
        #expect(policy.apps.isEmpty)
        #expect(policy.environments == nil)
        #expect(policy.rules.values.allSatisfy { $0 == Policy.RuleSettings() })
        #expect(policy.allowances.isEmpty)
    }

    @Test func `says which environments are allowed`() throws {
        #expect(try policy("environments: [Production, 'Sandbox']").environments == ["Production", "Sandbox"])
        #expect(try policy("environments: [Production, \"\"]").environments == ["Production", ""])
    }

    @Test func `keeps versions as they are written`() throws {
        let apps = try policy("apps: {com.example.notes: {versions: [1.10, \"1.1\", 2, on]}}").apps
        #expect(apps == ["com.example.notes": Policy.App(versions: ["1.10", "1.1", "2", "on"])])
    }

    @Test func `has apps of which it says nothing more`() throws {
        #expect(
            try policy("apps:\n  com.example.notes:\n  a: {}\n").apps == ["com.example.notes": .init(), "a": .init()])
    }

    @Test func `tells apart keys that differ only in normalisation`() throws {
        let text =
            "apps:\n  com.example.K: {versions: [caf\u{e9}]}\n  com.example.\u{212a}: {versions: [cafe\u{301}, x]}\n"
        let apps = try policy(text).apps
        #expect(apps.count == 2)
        #expect(apps["com.example.K"] == Policy.App(versions: ["caf\u{e9}"]))
        #expect(apps["com.example.\u{212a}"] == Policy.App(versions: ["cafe\u{301}", "x"]))
        #expect(try policy("apps: {a: {versions: [caf\u{e9}, cafe\u{301}]}}").apps["a"]?.versions?.count == 2)
    }

    @Test func `has a catalogue, in which a product needs no settings`() throws {
        let products = try policy("apps: {a: {products: {lamp: {}, pen: , coins: {kind: consumable}}}}").apps["a"]?
            .products
        #expect(products?.keys.sorted() == ["coins", "lamp", "pen"])
        #expect(products?["lamp"] == Product())
        #expect(products?["pen"] == Product())
        #expect(products?["coins"]?.kind == .consumable)
    }

    @Test(
        arguments: [
            ("non-consumable", .nonConsumable), ("consumable", .consumable), ("non-renewing", .nonRenewing),
            ("auto-renewable", .autoRenewable), ("free-subscription", .freeSubscription),
        ] as [(String, Purchase.Kind)])
    func `knows each kind of product`(word: String, kind: Purchase.Kind) throws {
        #expect(try product("kind: \(word)")?.kind == kind)
    }

    @Test(arguments: Product.Period.allCases)
    func `knows each period`(period: Product.Period) throws {
        #expect(try product("group: pro, period: \(period.rawValue)")?.period == period)
        #expect(try product("group: pro")?.group == "pro")
    }

    @Test(
        arguments: [
            ("4.99", 4_990_000), ("\"4.99\"", 4_990_000), ("0", 0), ("0.000001", 1), ("19", 19_000_000),
            ("1.10", 1_100_000),
            ("999999999999.999999", 999_999_999_999_999_999), ("0.29", 290_000), ("007.5", 7_500_000),
        ] as [(String, Int64)])
    func `reads a price without rounding it`(text: String, millionths: Int64) throws {
        let price = try product("price: \(text), currency: USD")?.price
        #expect(price == Product.Price(millionths: millionths, currency: "USD"))
    }

    @Test(arguments: ["off", "Off", "OFF", "no", "false", "'off'"])
    func `switches a rule off`(word: String) throws {
        #expect(try policy("rules: {shared-receipt: \(word)}").rules["shared-receipt"]?.isOff == true)
    }

    @Test(arguments: ["on", "yes", "true", "", "~", "{}"])
    func `leaves a rule on`(word: String) throws {
        #expect(try policy("rules: {shared-receipt: \(word)}").rules == ["shared-receipt": Policy.RuleSettings()])
    }

    @Test func `sets severities and limits`() throws {
        let settings = try policy("rules:\n  fraud-ring: {severity: low, devices: 4}").rules["fraud-ring"]
        #expect(settings?.isOff == false)
        #expect(settings?.severity == .low)
        #expect(settings?.limits == ["devices": 4])
    }

    private func product(_ settings: String) throws -> Product? {
        try policy("apps: {a: {products: {p: {\(settings)}}}}").apps["a"]?.products?["p"]
    }
}
