import Encodings
import Testing

@testable import Inputs

struct `A text that stands for no id` {
    @Test(arguments: [
        "NULL", "null", "Null", "(null)", "(NULL)", "nil", "None", "undefined", "NaN", "nan", "[FILTERED]",
        "[redacted]",
        "0", "0.0", "000", "-1", "{}", "[]", "\"\"", "{ }", "00000000-0000-0000-0000-000000000000",
        "00:00:00:00:00:00", "00000000000000000000000000000000", "#N/A", "#REF!", "#NAME?", "#NULL!",
        "[NULL]", "<null>", "(none)", "[object Object]",
    ])
    func `is a word for nothing, empty JSON or nothing but zeros`(text: String) {
        #expect(Placeholder.matches(ExactText(text)))
        #expect(Placeholder.matchesAccount(ExactText(text)))
    }

    @Test(arguments: [
        "", "alice", "nullable", "null0", "nul", "-2", "-10", "-", ":", "1", "10", "0a", "{1}", "{", "[0]", "\"a\"",
        "n/a", "none@example.com", "1000", "00000000-0000-0000-0000-000000000001", "nıl",
    ])
    func `is nothing else`(text: String) {
        #expect(!Placeholder.matches(ExactText(text)))
        #expect(!Placeholder.matchesAccount(ExactText(text)))
    }

    @Test(arguments: [
        ("1E+15", 15), ("1.23457E+15", 15), ("9.0E+05", 5), ("5E+123", 123), ("1,23E+15", 15), ("1.23E15", 15),
        ("1e+15", 15), ("1.2e+18", 18),
    ])
    func `may be a number of a spreadsheet in place of an account`(text: String, exponent: Int) {
        let text = ExactText(text)
        #expect(Placeholder.Form(account: text) == .number && Placeholder.exponent(of: text) == exponent)
        #expect(!Placeholder.matchesAccount(text) && !Placeholder.matches(text))
    }

    @Test(arguments: [
        "unknown", "ANONYMOUS", "Guest", "hidden", "Masked", "REDACTED", "N/A", "*", "***", "********", "-", "?",
        "k.A.", "NaT",
    ])
    func `may be a word that a person could choose as a name`(text: String) {
        #expect(Placeholder.Form(account: ExactText(text)) != nil && !Placeholder.matchesAccount(ExactText(text)))
    }

    @Test(arguments: ["-", "--", "?", "n/a", "missing", "NULL"])
    func `is no device`(text: String) {
        let device = DeviceIdentifiers(ExactText(text))
        #expect(!device.isMalformed && device.identifiers.isEmpty && device.placeholder == ExactText(text))
    }

    @Test(arguments: [
        "1E15", "12e34", "1E+1", "1E+1000", "a***", "unknown1", "[hidden]", "guests", "12E+15", "1.E+15", ".5E+15",
        "1E-15", "1E+", "E+15", "1E+15x", "-1E+15",
        "1.2.3E+15", "deadE+10",
    ])
    func `is no id that looks like one, such as hexadecimal digits`(text: String) {
        #expect(Placeholder.Form(account: ExactText(text)) == nil && !Placeholder.matchesAccount(ExactText(text)))
    }

    @Test func `is no account of a claim, which keeps what was written`() {
        var claim = Claim(source: "a")
        (claim.accountID, claim.accountToken) = ("NULL", "nil")
        #expect(claim.account == "" && claim.accountUUID == "")
        #expect(claim.accountID == "NULL" && claim.accountToken == "nil")
        (claim.accountID, claim.accountToken) = ("alice", "alice")
        #expect(claim.account == "alice" && claim.accountUUID == "")
        let nothing: ExactText = "urn:uuid:00000000-0000-0000-0000-000000000000"
        (claim.accountID, claim.accountToken) = (nothing, nothing)
        #expect(claim.account == "" && claim.accountUUID == "")
    }

    @Test(arguments: ["NULL", "(null)", "unknown", "0", "-1", "nan", "{}", "0-0", "NULL|nil"])
    func `is no device, and not malformed`(text: String) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers == [] && devices.smallestUsable == nil && !devices.isMalformed)
        #expect(devices.placeholder == ExactText(text.split(separator: "|").first.map(String.init) ?? ""))
    }

    @Test(arguments: ["f0:18:98:a1:b2:c3|NULL", "nil | f01898a1b2c3"])
    func `leaves the other alternatives of a device`(text: String) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers == [[0xf0, 0x18, 0x98, 0xa1, 0xb2, 0xc3]] && devices.smallestUsable == 0)
        #expect(!devices.isMalformed && devices.placeholder != nil)
    }

    @Test func `hides no alternative that is malformed`() {
        #expect(DeviceIdentifiers("NULL|en0").isMalformed)
    }

    @Test func `is part of what identifies a claim`() {
        var bytes: [UInt8] = []
        DeviceIdentifiers.appendIdentity(of: "nil|F01898A1B2C3", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "f01898a1b2c3|nil")
    }

    @Test(arguments: ["android", "iOS", "Simulator"])
    func `is not the kind of a device, which is malformed and told apart`(text: String) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.isMalformed && devices.kindOfDevice == ExactText(text) && devices.placeholder == nil)
    }

    @Test(arguments: ["00000000-0000-0000-0000-000000000000", "null", "0"])
    func `is no device verification id`(text: String) {
        #expect(DeviceIdentifiers.device(ofVerificationID: ExactText(text)) == nil)
    }
}
