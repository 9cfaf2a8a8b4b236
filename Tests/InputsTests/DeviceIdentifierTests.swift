import Encodings
import Testing

@testable import Inputs

struct `A device identifier` {
    static let uuid: [UInt8] = [
        0x4c, 0x4c, 0x45, 0x44, 0x00, 0x51, 0x30, 0x10, 0x80, 0x52, 0xb4, 0xc0, 0x4f, 0x4e, 0x34, 0x32,
    ]
    static let address: [UInt8] = [0xf0, 0x18, 0x98, 0xa1, 0xb2, 0xc3]

    @Test(arguments: [
        ("4C4C4544-0051-3010-8052-B4C04F4E3432", uuid),
        ("4c4c45440051301080 52b4c04f4e3432".filter { $0 != " " }, uuid),
        ("f0:18:98:a1:b2:c3", address), ("F0-18-98-A1-B2-C3", address), ("f01898a1b2c3", address),
        ("{4C4C4544-0051-3010-8052-B4C04F4E3432}", uuid), ("urn:uuid:4c4c4544-0051-3010-8052-b4c04f4e3432", uuid),
        ("URN:UUID:4C4C4544-0051-3010-8052-B4C04F4E3432", uuid), ("0x4C4C4544005130108052B4C04F4E3432", uuid),
        ("\\x4c4c4544005130108052b4c04f4e3432", uuid), ("0Xf01898a1b2c3", address), ("\\xf01898a1b2c3", address),
        ("0:17:f2:c4:bc:c0", [0x00, 0x17, 0xf2, 0xc4, 0xbc, 0xc0] as [UInt8]),
        ("1:2:3:4:5:6", [1, 2, 3, 4, 5, 6] as [UInt8]),
    ])
    func `is a UUID or a MAC address`(_ text: String, _ bytes: [UInt8]) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers == [bytes])
        #expect(!devices.isMalformed)
    }

    @Test(arguments: [
        "4C4C4544-0051-3010-8052-B4C04F4E343", "4C4C4544-0051-3010-8052-B4C04F4E343G",
        "4C4C454400-51-3010-8052-B4C04F4E3432", "f0:18:98:a1:b2", "f0:18-98:a1-b2:c3", "f0.18.98.a1.b2.c3",
        "f01898a1b2c", "0x4C4C", "{4C4C4544-0051-3010-8052-B4C04F4E3432", "0x0xf01898a1b2c3", "1::2:3:4:5:6",
        "1:2:3:4:5:6:7", "1:2:3:4:5:678", "urn:uuid:f01898a1b2c3", "TExFRABRMBCAUrTATk40Mg==", "f018.98a1.b2c3",
        "android", "1", "f0:18:98:a1:b2:c3:", "\0", "ｆ01898a1b2c3",
    ])
    func `is nothing else`(_ text: String) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers.isEmpty)
        #expect(devices.isMalformed)
    }

    @Test(arguments: [
        "'%", "=\"%\"", "\"%\"", "'%'", " =\"%\" ", "'%|'%", "=\"%\"|=\"%\"", "=\"%|%\"", "=\"\"|%", "'|%",
    ])
    func `may have the signs that keep spreadsheets from changing it`(_ form: String) {
        for text in ["4C4C4544-0051-3010-8052-B4C04F4E3432", "0:17:f2:c4:bc:c0"] {
            let written = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: text)
            let (devices, plain) = (DeviceIdentifiers(ExactText(written)), DeviceIdentifiers(ExactText(text)))
            #expect(Set(devices.identifiers) == Set(plain.identifiers) && !devices.isMalformed)
            #expect(identity(written) == identity(text))
        }
    }

    private func identity(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        DeviceIdentifiers.appendIdentity(of: ExactText(text), to: &bytes)
        return bytes
    }

    @Test(arguments: ["''f01898a1b2c3", "=f01898a1b2c3", "=(f01898a1b2c3)", "`f01898a1b2c3", "'f01898a1b2c3''"])
    func `has no other signs around it`(_ text: String) {
        #expect(DeviceIdentifiers(ExactText(text)).isMalformed)
    }

    @Test func `may have alternatives`() {
        let devices = DeviceIdentifiers(" f0:18:98:a1:b2:c3 || 4C4C4544-0051-3010-8052-B4C04F4E3432|")
        #expect(devices.identifiers == [Self.address, Self.uuid])
        #expect(!devices.isMalformed)
    }

    @Test func `that is well formed stays beside one that is not`() {
        let devices = DeviceIdentifiers("en0|f01898a1b2c3")
        #expect(devices.identifiers == [Self.address])
        #expect(devices.isMalformed)
    }

    @Test func `has sixteen alternatives at most`() {
        let texts = (0..<17).map { "f01898a1b2" + ($0 < 10 ? "0\($0)" : "\($0)") }
        let sixteen = DeviceIdentifiers(ExactText(texts.prefix(16).joined(separator: "||") + "|"))
        #expect(sixteen.identifiers.count == 16)
        #expect(!sixteen.isMalformed)
        let seventeen = DeviceIdentifiers(ExactText(texts.joined(separator: "|")))
        #expect(seventeen.identifiers == sixteen.identifiers)
        #expect(seventeen.isMalformed)
    }

    @Test(arguments: [
        ("00:00:00:00:00:00", false), ("020000000000", false), ("00000000-0000-0000-0000-000000000000", false),
        ("02:00:00:00:00:01", true), ("020000000000" + "00000000000000000000", true), ("010000000000", true),
        ("00:00:00:00:00:01", true),
    ])
    func `is usable unless many devices have it`(_ text: String, _ isUsable: Bool) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers.map(DeviceIdentifiers.isUsable) == [isUsable])
        #expect(devices.smallestUsable == (isUsable ? 0 : nil))
        #expect(!devices.isMalformed)
    }

    @Test(arguments: [
        ("f01898a1b2c3|4C4C4544-0051-3010-8052-B4C04F4E3432", 0),
        ("4C4C4544-0051-3010-8052-B4C04F4E3432|f01898a1b2c3", 1),
        ("f01898a1b2c3|f01898a1b2c2|f11898a1b2c2", 1), ("000000000000|f01898a1b2c3|020000000000", 1),
        ("en0|f01898a1b2c3", 0),
    ])
    func `that is the smallest usable one is a MAC address, then by octets`(_ text: String, _ index: Int) {
        #expect(DeviceIdentifiers(ExactText(text)).smallestUsable == index)
    }

    @Test(arguments: [
        ("", ""), ("F0-18-98-A1-B2-C3", "f01898a1b2c3"),
        ("4C4C4544-0051-3010-8052-B4C04F4E3432", "4c4c4544005130108052b4c04f4e3432"),
        (" f0:18:98:a1:b2:c3 |4c| En0|F01898A1B2C3|00:00:00:00:00:00", "000000000000|4c|En0|f01898a1b2c3"),
    ])
    func `has one text for its claim's identity`(_ text: String, _ identity: String) {
        var bytes: [UInt8] = []
        DeviceIdentifiers.appendIdentity(of: ExactText(text), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == identity)
    }

    @Test(arguments: ["", "  ", "|", " | "])
    func `that is empty claims nothing`(_ text: String) {
        let devices = DeviceIdentifiers(ExactText(text))
        #expect(devices.identifiers.isEmpty)
        #expect(!devices.isMalformed)
    }
}
