import Encodings
import Inputs
import Testing

@testable import Rules

struct `The subject of a group` {
    /// A key of each kind.
    private static func key(_ kind: KeyKind) -> GroupKey {
        let octets: [UInt8] =
            switch kind {
            case .receipt: Array(0..<32)
            case .originalTransaction, .transaction: Array("460000000000001".utf8)
            case .device: Array(0x10...0x1f)
            case .account: Array("account:a:b".utf8)
            case .app: Array("com.example.notes\u{0}1589714703".utf8)
            case .nonce: Array("460000000000001\u{0}n".utf8)
            case .person: Array("Sandbox\u{0}704".utf8)
            case .accountToken: Array("7eb61f70-e56d-46f1-ac3a-84d1b43829d3".utf8)
            }
        return GroupKey(kind, octets: octets)
    }

    @Test(arguments: KeyKind.allCases.filter { ![.nonce, .accountToken].contains($0) })
    func `leads back to the key`(kind: KeyKind) {
        let key = Self.key(kind)
        #expect(GroupKey.all(of: key.subject).contains(key), "\(key.subject)")
    }

    @Test func `leads to a key that claims with a nonce have, too`() {
        let keys = GroupKey.all(of: Self.key(.nonce).subject)
        #expect(keys.contains(Self.key(.transaction)) && keys.contains(Self.key(.originalTransaction)))
    }

    @Test(arguments: ["Production", "Sandbox", "Xcode", "LocalTesting"])
    func `leads to a person whichever App Store has the number`(environment: String) {
        let key = GroupKey(.person, octets: Array("\(environment)\u{0}704".utf8))
        #expect(GroupKey.all(of: "person:704").contains(key))
    }

    @Test(arguments: [
        "app:com.example.notes:2020-05-17T11:25:03Z", "app:a:b:1969-12-31T23:59:59Z", "app::2020-05-17T11:25:03Z",
    ])
    func `names an app by bundle id and date`(subject: ExactText) {
        #expect(GroupKey.all(of: subject).map(\.subject) == [subject])
    }

    @Test(arguments: [
        "claim:000102030405060708090a0b", "receipt:xyz", "device:none", "app:com.example.notes",
        "app:2020-05-17T11:25:03Z",
        "app:com.example.notes:2020-05-17", "signer:00", "source:a.csv:1", "704", "",
    ])
    func `leads to no key where no group has it`(subject: ExactText) {
        #expect(GroupKey.all(of: subject).isEmpty)
    }
}
