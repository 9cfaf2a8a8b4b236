import Policies
import Testing

/// One thing is wrong in each; people see the message and nothing else.
struct `A policy is refused` {
    @Test(arguments: [
        ("rule: {}", "1:1: unknown key “rule”; did you mean “rules”?"),
        ("frequency: 1", "1:1: unknown key “frequency”; known: version, environments, apps, rules, allow"),
        ("- rules", "1:1: a policy must be a table of keys, not a list"),
        ("rules", "1:1: a policy must be a table of keys, not “rules”"),
        ("version: 2", "1:10: “version” must be 1, the only version, not “2”"),
        ("version:\nrules:", "1:9: “version” must be 1, the only version, and is empty"),
        ("rules: {}\nrules: {}", "1:1: the key “rules” occurs more than once"),
    ])
    func `for its keys`(text: String, message: String) { #expect(complaint(text) == "policy.yml:" + message) }

    @Test func `for its length`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: PolicyFile.limit + 1)
        #expect(complaint(bytes) == "policy.yml: is over 8 MiB")
        #expect(complaint(Array(bytes.dropLast())) == "")
    }

    @Test func `for all that is wrong in it, in order, up to twenty`() {
        #expect(
            complaint("version: 3\nrules:\n  shared-receipt: {devices: many, severity: bad}\n") == """
                policy.yml:1:10: “version” must be 1, the only version, not “3”
                policy.yml:3:29: “devices” must be a whole number from 2 to 4000, not “many”
                policy.yml:3:45: “severity” must be one of info, low, medium, high, critical, not “bad”
                """)
        let many = complaint("version: 1\napps:\n" + (1...50).map { "  a\($0): 1\n" }.joined())
        #expect(many.split(separator: "\n").count == 21)
        #expect(many.hasSuffix("\npolicy.yml: and 30 more"))
    }

    @Test(arguments: [
        ("Production", "1:15: “environments” must be a list of environments, not “Production”"),
        ("", "1:14: “environments” must be a list of environments, and is empty"),
        ("{Production: }", "1:15: “environments” must be a list of environments, not a table of keys"),
        ("[]", "1:15: “environments” is an empty list; leave the key out instead"),
        ("[[Xcode]]", "1:16: “environments” must be a list of environments, not a list"),
        ("[Xcode, production]", "1:23: the environment “production” is written “Production”"),
        ("[Xcode, ' ']", "1:23: “environments” must be a list of environments, not “ ”"),
    ])
    func `for its environments`(value: String, message: String) {
        #expect(complaint("environments: " + value) == "policy.yml:" + message)
    }

    @Test(arguments: [
        ("com.example", "1:7: “apps” must be a table of keys, not “com.example”"),
        ("{' ': {}}", "1:8: a key under “apps” must not be blank"),
        ("{a: [x]}", "1:11: “a” must be a table of keys, not a list"),
        ("{a: {version: [1]}}", "1:12: unknown key “version”; did you mean “versions”?"),
        ("{a: {versions: 1.0}}", "1:22: “versions” must be a list of versions, not “1.0”"),
        ("{a: {versions: [1, ~]}}", "1:26: “versions” must be a list of versions, and is empty"),
        ("{a: {products: [lamp]}}", "1:22: “products” must be a table of keys, not a list"),
        ("{a: {products: {lamp: 4.99}}}", "1:29: “lamp” must be a table of keys, not “4.99”"),
    ])
    func `for its apps`(value: String, message: String) {
        #expect(complaint("apps: " + value) == "policy.yml:" + message)
    }

    @Test(arguments: [
        ("colour: red", "unknown key “colour”; known: kind, group, price, currency, period"),
        (
            "kind: consumeable",
            "“kind” must be one of non-consumable, consumable, non-renewing, auto-renewable, free-subscription, "
                + "not “consumeable”; did you mean “consumable”?"
        ),
        (
            "period: 30",
            "“period” must be one of day, week, month, two-months, quarter, half-year, year, not “30”"
        ),
        ("group: ''", "“group” must be the name of a subscription group, not “”"),
        ("price: 1", "“price” needs a “currency” beside it"),
        ("currency: USD", "“currency” needs a “price” beside it"),
        ("price: 1, currency: usd", "“currency” must be three capital letters (ISO 4217) such as USD, not “usd”"),
        ("price: 1, currency: €", "“currency” must be three capital letters (ISO 4217) such as USD, not “€”"),
    ])
    func `for a product`(settings: String, message: String) {
        let text = "apps: {a: {products: {lamp: {\(settings)}}}}"
        #expect(complaint(text).split(separator: ": ", maxSplits: 1).last ?? "" == message)
    }

    @Test(arguments: [
        "-1", "+1", "4,99", ".99", "4.", "1e3", "4.9999999", "1234567890123", "0x10", "1 000", "٤", "1.2.3",
    ])
    func `for a price that is no amount`(price: String) {
        let text = "apps: {a: {products: {lamp: {currency: USD, price: '\(price)'}}}}"
        let expectation = "“price” must be an amount such as 4.99, with at most 12 digits and 6 decimals"
        #expect(complaint(text) == "policy.yml:1:52: \(expectation), not “\(price)”")
    }
}

struct `A policy is refused for what it says of rules` {
    @Test(arguments: [
        ("[shared-receipt]", "1:8: “rules” must be a table of keys, not a list"),
        ("{sharedreceipt: off}", "1:9: unknown rule “sharedreceipt”; did you mean “shared-receipt”?"),
        (
            "{shared-receipt: high}",
            "1:25: “shared-receipt” must be on, off, or a table of “severity” and limits, not “high”"
        ),
        ("{shared-receipt: [off]}", "1:25: “shared-receipt” must be a table of keys, not a list"),
        ("{shared-receipt: {sevrity: high}}", "1:26: unknown key “sevrity”; did you mean “severity”?"),
        (
            "{shared-receipt: {minutes: 3}}",
            "1:26: unknown key “minutes”; known: severity, devices, hand-over-devices, hand-over-days"
        ),
        ("{forged-signature: {devices: 3}}", "1:28: unknown key “devices”; known: severity"),
        (
            "{shared-receipt: {severity: hgh}}",
            "1:36: “severity” must be one of info, low, medium, high, critical, not “hgh”; did you mean “high”?"
        ),
        (
            "{shared-receipt: {severity: }}",
            "1:36: “severity” must be one of info, low, medium, high, critical, and is empty"
        ),
    ])
    func `in its rules`(value: String, message: String) {
        #expect(complaint("rules: " + value) == "policy.yml:" + message)
    }

    @Test func `with an id that is near to none`() {
        #expect(
            complaint("rules: {grand-theft-auto: off}").hasPrefix("policy.yml:1:9: unknown rule “grand-theft-auto”"))
    }

    @Test(arguments: ["many", "1", "4001", "-2", "2.0", "1e2", "0x10", "", "99999999999999999999", "3 devices"])
    func `with a limit that is out of its range`(number: String) {
        #expect(
            complaint("rules:\n  shared-receipt:\n    devices: '\(number)'")
                == "policy.yml:3:14: “devices” must be a whole number from 2 to 4000, not “\(number)”")
    }

    @Test(arguments: [
        ("{subject: account:ana}", "1:8: “allow” must be a list of subjects, each with a reason, not a table of keys"),
        ("[account:ana]", "1:9: an entry of “allow” must be a table with “subject” and “reason”, not “account:ana”"),
        ("[~]", "1:9: an entry of “allow” must be a table with “subject” and “reason”, and is empty"),
        ("[{subject: account:ana}]", "1:9: an entry of “allow” needs “reason”"),
        ("[{reason: test}]", "1:9: an entry of “allow” needs “subject”"),
        ("[{subject: account:ana, reason: ' '}]", "1:40: “reason” must be a text that says why, not “ ”"),
        ("[{subject: account:ana, reason: x, untl: 1}]", "1:43: unknown key “untl”; did you mean “until”?"),
        (
            "[{subject: account:ana, reason: x, rules: shared-receipt}]",
            "1:50: “rules” must be a list of rule ids, not “shared-receipt”"
        ),
        (
            "[{subject: account:ana, reason: x, rules: [fraud-rings]}]",
            "1:51: unknown rule “fraud-rings”; did you mean “fraud-ring”?"
        ),
    ])
    func `in its allowances`(value: String, message: String) {
        #expect(complaint("allow: " + value) == "policy.yml:" + message)
    }

    @Test(arguments: [
        (
            "ana",
            "“subject” must be claim:, finding:, receipt:, transaction:, device:, account:, app: or person: "
                + "followed by an id"
        ),
        (
            "user:ana",
            "“subject” must be claim:, finding:, receipt:, transaction:, device:, account:, app: or person: "
                + "followed by an id"
        ),
        (
            "'account: '",
            "“subject” must be claim:, finding:, receipt:, transaction:, device:, account:, app: or person: "
                + "followed by an id"
        ),
        (
            "source:devices.csv:17",
            "“source:” is the position of a row, not a claim: name the finding's subject (claim:…) or id "
                + "(finding:…), as the report has them"
        ),
        ("claim:devices.csv:17", "a claim must be named by the 24 hex digits of its case_id"),
        ("claim:00AA11BB22CC33DD44EE55FF", "a claim must be named by the 24 hex digits of its case_id"),
        ("finding:00aa11bb22cc33dd44ee55", "a finding must be named by the 24 hex digits of its finding_id"),
        ("device:phone", "a device must be one UUID or one MAC address"),
        ("device:001A2B3C4D5E|001A2B3C4D5F", "a device must be one UUID or one MAC address"),
        ("receipt:12ab", "a receipt must be named by the 64 hex digits of its receipt_sha256"),
    ])
    func `with a subject that no finding has`(subject: String, message: String) {
        let found = "“\(subject.filter { $0 != "'" })”"
        #expect(complaint("allow:\n- subject: \(subject)\n  reason: x") == "policy.yml:2:12: \(message), not \(found)")
    }

    @Test func `with a subject that none of its rules can have`() {
        #expect(
            complaint("allow:\n- {subject: account:ana, reason: x, rules: [shared-receipt, crowded-device]}")
                == "policy.yml:2:13: no rule of this entry has a subject account:…, so it would hide nothing: "
                + "shared-receipt has receipt:…, crowded-device has device:…")
    }

    @Test(arguments: ["tomorrow", "2026-02-30", "31.12.2026", "2026-12-31T12:00", "2026", ""])
    func `with an end that is no time`(until: String) {
        let expectation = "“until” must be a date such as 2026-12-31 or a time such as 2026-12-31T12:00:00Z"
        #expect(
            complaint("allow:\n- {subject: account:ana, reason: x, until: '\(until)'}")
                == "policy.yml:2:44: \(expectation), not “\(until)”")
    }
}
