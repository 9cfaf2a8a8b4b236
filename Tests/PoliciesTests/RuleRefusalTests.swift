import Testing

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
        ("{shared-receipt: {minutes: 3}}", "1:26: unknown key “minutes”; known: severity, devices"),
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
        ("ana", "“subject” must be source:, receipt:, transaction:, device: or account: and what comes behind it"),
        ("user:ana", "“subject” must be source:, receipt:, transaction:, device: or account: and what comes behind it"),
        (
            "'account: '",
            "“subject” must be source:, receipt:, transaction:, device: or account: and what comes behind it"
        ),
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
