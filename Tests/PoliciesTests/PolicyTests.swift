import Encodings
import Policies
import Receipts
import Rules
import Testing
import YAML

struct `A policy` {
    @Test(arguments: [
        "version: 1\n", "\n# nothing\nversion: 1", "---\nversion: 1", "rules:\napps:\nallow:\n", "\u{feff}rules: {}",
    ])
    func `that says nothing leaves everything as it is`(text: String) throws {
        let policy = try policy(text)
        #expect(policy.apps.isEmpty)
        #expect(policy.environments == nil)
        #expect(policy.rules.values.allSatisfy { $0 == Policy.RuleSettings() })
        #expect(policy.allowances.isEmpty)
    }

    @Test(arguments: ["", "\n# nothing\n", "---\n", "~", "{}"])
    func `that is empty is refused, as something may have emptied it`(text: String) {
        #expect(throws: YAMLFileError.self) { try PolicyFile.read(bytes: Array(text.utf8), name: "policy.yml") }
    }

    @Test func `says its version`() {
        let settings = Array("rules: {}\n".utf8)
        #expect(throws: YAMLFileError.self) { try PolicyFile.read(bytes: settings, name: "policy.yml") }
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

struct `An allowance` {
    @Test func `has a subject and a reason`() throws {
        let policy = try policy("allow:\n- subject: account:ana\n  reason: our tester\n")
        #expect(policy.allowances == [Policy.Allowance(subject: "account:ana", reason: "our tester")])
    }

    @Test func `is for all rules, or for some`() throws {
        #expect(try read("rules: [shared-receipt, trial-abuse]")?.rules == ["shared-receipt", "trial-abuse"])
        #expect(try read("rules: [trial-abuse]")?.rules == ["trial-abuse"])
    }

    @Test(arguments: [
        ("2026-12-31", "2027-01-01T00:00:00Z"), ("2028-02-28", "2028-02-29T00:00:00Z"),
        ("2026-12-31T12:00:00Z", "2026-12-31T12:00:00Z"), ("2026-12-31T12:00:00+02:00", "2026-12-31T10:00:00Z"),
    ])
    func `holds until the end of a day, or until a time`(text: String, end: String) throws {
        #expect(try read("until: \(text)")?.until?.description == end)
        #expect(try read("until: '\(text)'")?.until?.description == end)
    }

    @Test(arguments: [
        ("device:7eb61f70-e56d-46f1-ac3a-84d1b43829d3", "device:7EB61F70-E56D-46F1-AC3A-84D1B43829D3"),
        ("device:7EB61F70E56D46F1AC3A84D1B43829D3", "device:7EB61F70-E56D-46F1-AC3A-84D1B43829D3"),
        ("device:00-1A-2B-3C-4D-5E", "device:00:1a:2b:3c:4d:5e"),
        ("'device: 001A2B3C4D5E'", "device:00:1a:2b:3c:4d:5e"),
        ("receipt:" + String(repeating: "AB", count: 32), "receipt:" + String(repeating: "ab", count: 32)),
        ("claim:00aa11bb22cc33dd44ee55ff", "claim:00aa11bb22cc33dd44ee55ff"),
        ("finding:00aa11bb22cc33dd44ee55ff", "finding:00aa11bb22cc33dd44ee55ff"),
        ("app:com.example.notes:2026-01-31T12:00:00Z", "app:com.example.notes:2026-01-31T12:00:00Z"),
        ("transaction:460000000000001", "transaction:460000000000001"), ("account:Ana", "account:Ana"),
    ])
    func `names its subject as findings do`(text: String, subject: String) throws {
        #expect(
            try policy("allow: [{subject: \(text), reason: test}]").allowances.map(\.subject) == [ExactText(subject)])
    }

    private func read(_ setting: String) throws -> Policy.Allowance? {
        try policy("allow:\n- {subject: account:ana, reason: test, \(setting)}").allowances.first
    }
}

/// Reads the policy in a text. If the text has no version, one is added at the end.
func policy(_ text: String) throws(YAMLFileError) -> Policy {
    let hasVersion = text.split(separator: "\n").contains { $0.hasPrefix("version:") }
    let whole = hasVersion ? text : text + "\nversion: 1\n"
    return try PolicyFile.read(bytes: Array(whole.utf8), name: "policy.yml")
}

/// What is said of a text that is no policy, whatever its version; empty if it is one.
func complaint(_ text: String) -> String { complaint(Array(text.utf8)) }

func complaint(_ bytes: [UInt8]) -> String {
    do throws(YAMLFileError) {
        _ = try PolicyFile.read(bytes: bytes, name: "policy.yml")
        return ""
    } catch {
        return error.description.split(separator: "\n").filter { !$0.contains("“version: 1” is missing") }
            .joined(separator: "\n")
    }
}
