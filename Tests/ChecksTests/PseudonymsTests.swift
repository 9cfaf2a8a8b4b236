import Encodings
import Inputs
import Proofs
import Receipts
import Testing

@testable import Checks

struct `A keyed hash` {
    /// RFC 4231, test cases 1 and 2: the second key is shorter than any that we take from a file.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
    ])
    func `is HMAC-SHA-256`(key: [UInt8], text: String, expected: String) throws {
        let hash = try KeyedHash(key: key)
        for _ in 0..<2 {
            let octets = try hash.hash(of: Array(text.utf8))
            #expect(Hex.string(octets.span) == expected)
        }
    }
}

struct `The pseudonyms` {
    private let pseudonyms: Pseudonyms

    init() throws { pseudonyms = try Pseudonyms(key: Array("a key of sixteen".utf8)) }

    private func claim(device: ExactText, account: ExactText = "") -> Claim {
        var claim = Claim(source: "x")
        claim.deviceID = device
        claim.accountID = account
        var facts = Facts(claim: claim)
        facts.claimedDevice = DeviceIdentifiers(device)
        pseudonyms.replaceIdentities(in: &facts)
        return facts.claim
    }

    @Test func `of a device are a UUID of version 8, however it is written`() {
        let id = claim(device: "a4:83:e7:3c:6e:f2").deviceID
        #expect(id == claim(device: "A483E73C6EF2").deviceID)
        #expect(id.utf8.count == 36 && id.utf8.dropFirst(14).first == UInt8(ascii: "8"))
    }

    @Test func `of alternatives are alternatives`() {
        let (one, other): (ExactText, ExactText) = ("a4:83:e7:3c:6e:f2", "a4:83:e7:3c:6e:f3")
        #expect(
            claim(device: "\(one)|\(other)").deviceID
                == "\(claim(device: one).deviceID)|\(claim(device: other).deviceID)")
    }

    @Test(arguments: ["nonsense", "a4:83:e7:3c:6e:f2|nonsense"])
    func `of what is no device hide all of it`(text: String) {
        let id = claim(device: ExactText(text)).deviceID
        #expect(id.hasPrefix("p-") && id.utf8.count == 34)
        #expect(DeviceIdentifiers(id).isMalformed)
    }

    @Test func `of nothing are nothing`() {
        let nothing = claim(device: "")
        #expect(nothing.deviceID == "")
        #expect(nothing.accountID == "")
        #expect(nothing.deviceVerificationID == "" && nothing.accountToken == "" && nothing.ip == "")
    }

    @Test func `leave a device id that stands for nothing as it is`() {
        #expect(claim(device: "02:00:00:00:00:00").deviceID == "02:00:00:00:00:00")
    }

    @Test(arguments: ["NULL", "nil", "0", "1E+15"])
    func `leave a placeholder as it is`(text: String) {
        let text = ExactText(text)
        let known = claim(device: "a4:83:e7:3c:6e:f2").deviceID
        #expect(claim(device: "", account: text).accountID == text)
        guard Placeholder.matches(text) else { return }
        #expect(claim(device: text).deviceID == text)
        #expect(claim(device: "\(text)|a4:83:e7:3c:6e:f2").deviceID == "\(known)|\(text)")
    }

    @Test func `hide all else that names somebody, in whatever case it is written`() {
        func replaced(_ id: ExactText) -> Claim {
            var claim = Claim(source: "x")
            claim.deviceVerificationID = id
            claim.accountToken = id
            claim.ip = id
            var facts = Facts(claim: claim)
            pseudonyms.replaceIdentities(in: &facts)
            return facts.claim
        }
        let (upper, lower) = (replaced("AB"), replaced("ab"))
        let ids = [upper.deviceVerificationID, upper.accountToken, upper.ip]
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0.hasPrefix("p-") && $0.utf8.count == 34 })
        #expect(ids == [lower.deviceVerificationID, lower.accountToken, lower.ip])
    }

    @Test func `of a UUID are those of the same UUID in another form`() {
        let texts: [ExactText] = [
            "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01", "0a5c9b0e7e0c4c5b9d532f8c8e0d0a01",
            "{0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01}",
        ]
        let claims = texts.map { text in
            var claim = Claim(source: "x")
            (claim.accountID, claim.accountToken) = (text, text)
            var facts = Facts(claim: claim)
            pseudonyms.replaceIdentities(in: &facts)
            return facts.claim
        }
        #expect(Set(claims.map(\.accountID)).count == 1 && Set(claims.map(\.accountToken)).count == 1)
        let token = claims[0].accountUUID
        #expect(token == claims[0].accountToken && Pseudonyms.isPseudonym(accountToken: token))
        #expect(Set(texts.map { pseudonyms.subject("account:\($0)") }) == ["account:\(claims[0].accountID)"])
    }

    @Test(arguments: ["null", "00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000"])
    func `of an account token that stands for nothing name nobody`(text: String) {
        #expect(Placeholder.matches(pseudonyms.accountToken(ExactText(text))))
    }

    @Test func `of an account and of a device with the same name differ`() {
        let claim = claim(device: "name", account: "name")
        #expect(claim.deviceID != claim.accountID)
    }

    @Test func `of what a token says of somebody are those of the claim and of subjects`() {
        var claim = Claim(source: "x")
        claim.accountToken = "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01"
        var facts = Facts(claim: claim)
        var token = Token(kind: .transaction)
        (token.appAccountToken, token.appTransactionID) = ("0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01", "704")
        facts.token = token
        pseudonyms.replaceIdentities(in: &facts)
        #expect(facts.token?.appAccountToken == facts.claim.accountToken)
        let person = facts.token?.appTransactionID ?? ""
        #expect(person.hasPrefix("p-") && pseudonyms.subject("person:704") == "person:\(person)")
    }

    @Test(arguments: [
        "device:a4:83:e7:3c:6e:f2", "device:6F9619FF-8B86-D011-B42D-00C04FC964FF", "account:alice", "person:704",
    ])
    func `of a subject are made once`(subject: String) {
        let subject = ExactText(subject)
        let once = pseudonyms.subject(subject)
        #expect(once != subject)
        #expect(pseudonyms.subject(once) == once)
    }

    @Test func `of a subject are those of its claims`() {
        let claim = claim(device: "6f9619ff8b86d011b42d00c04fc964ff", account: "alice")
        #expect(pseudonyms.subject("device:6F9619FF-8B86-D011-B42D-00C04FC964FF") == "device:\(claim.deviceID)")
        #expect(pseudonyms.subject("account:alice") == "account:\(claim.accountID)")
    }

    @Test(arguments: ["source:devices.csv:17", "receipt:abc", "transaction:1", "account", ""])
    func `of other subjects are themselves`(subject: String) {
        #expect(pseudonyms.subject(ExactText(subject)) == ExactText(subject))
    }
}
