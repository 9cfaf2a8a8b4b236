import Encodings
import FoundationEssentials
import Inputs
import SampleStore
import Testing

@testable import Checks

/// Placeholders, and other things that apps send instead of a proof.
struct `A mistake of an app` {
    private let authority: PrivateAuthority
    private let checker: Checker

    init() throws {
        authority = try PrivateAuthority()
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    private func facts(ofStored text: String) -> Facts {
        checker.inspection(of: Claim(source: "a"), receipt: Array(text.utf8)).facts
    }

    @Test(arguments: [
        (
            #"{"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.a"}"#,
            SeenForm.transactionJSON
        ),
        (#"{"bundleId": "com.example.notes", "transactionId": "1", "price": 1990}"#, .transactionJSON),
        (#"[{"originalTransactionId":"1"}]"#, .transactionJSON),
        (#"{"receiptType":"Production","deviceVerification":"aa"}"#, .transactionJSON),
        (#"{"orderId":"GPA.3300-0000-0000-00000","packageName":"com.example.a","purchaseToken":"a.b"}"#, .googlePlay),
        (#"{"json":"{\"packageName\":\"com.example.a\"}","signature":"aa=="}"#, .googlePlay),
        (#"{"a":1,"b":"c"}"#, .json), (#"{"receipt-data":"TQ"}"#, .verifyReceiptRequest),
        ("<30821388 06092a86 4886f70d>", .dataDescription),
        ("{length = 5000, bytes = 0x30821388 06092a86 4886f70d ... 00000000 }", .dataDescription),
        ("{ productIdentifier = gold; }", .oldPropertyList),
    ])
    func `is seen as it stands and in base64, and no tool made it up`(text: String, form: SeenForm) {
        for stored in [text, "\n " + text, Data(text.utf8).base64EncodedString()] {
            let facts = facts(ofStored: stored)
            #expect(seen(Array(stored.utf8))?.form == form, "\(stored)")
            #expect(facts.failed == [.unknownFormat] && facts.fabrication == nil)
        }
    }

    @Test func `is not seen where a proof can be read`() throws {
        #expect(seen(try authority.receipt(Samples.receipt)) == nil)
    }

    /// What a run sees in the bytes of a cell or a file.
    private func seen(_ stored: [UInt8]) -> SeenValue? {
        var decoded: [UInt8] = []
        var claim = Claim(source: "a")
        let isDecoded = ReceiptForm.decode(stored.span, into: &decoded)
        claim.isReceiptBase64 = isDecoded && ReceiptForm.isOther(decoded.span, of: stored.span)
        let bytes = isDecoded ? decoded : stored
        var facts = checker.facts(of: claim, receipt: bytes.span)
        facts.recognise(stored: stored.span)
        return facts.seen?.value
    }

    @Test(arguments: [
        ("{ \"purchase-info\" = \"ewp9\"; }", FabricatedReceipt.unsignedPropertyList),
        ("{ \"purchase-info\" = \"\"; }", .unsignedPropertyList),
    ])
    func `is not what a tool makes up`(text: String, fabrication: FabricatedReceipt) {
        for stored in [text, Data(text.utf8).base64EncodedString()] {
            #expect(facts(ofStored: stored).fabrication == fabrication)
        }
    }

    @Test func `is recognised by a long text's beginning, wherever that is cut`() {
        for count in 65_530..<65_540 {
            let text =
                #"{"packageName":""# + String(repeating: "a", count: count) + String(repeating: "é", count: 90) + "\"}"
            #expect(seen(Array(text.utf8))?.form == .googlePlay)
        }
    }

    @Test func `is no token, whatever dots it has`() {
        #expect(facts(ofStored: "{\"a\":\"b.c.d\"}").failed == [.unknownFormat])
        #expect(facts(ofStored: "a.b.c").failed == [.malformedContainer])
        #expect(facts(ofStored: "{a.b.c").failed == [.malformedContainer])
    }

    @Test(arguments: ["NULL", "(null)", "0", "unknown", "00000000-0000-0000-0000-000000000000"])
    func `in the place of a device leaves it unchecked`(text: String) throws {
        var claim = Samples.claim
        (claim.deviceID, claim.deviceVerificationID) = (ExactText(text), ExactText(text))
        let receipt = try authority.receipt(Samples.receipt)
        let facts = checker.facts(of: claim, receipt: receipt.span)
        #expect(facts.verdict == .valid && facts.deviceHash == .notChecked && facts.device == nil)
    }

    @Test func `beside a device leaves that one`() throws {
        var claim = Samples.claim
        claim.deviceID = "NULL|\(claim.deviceID)"
        let receipt = try authority.receipt(Samples.receipt)
        let facts = checker.facts(of: claim, receipt: receipt.span)
        #expect(facts.verdict == .valid && facts.deviceHash == .match)
    }

    @Test func `is part of what identifies a claim`() throws {
        let identities = try IdentityHasher()
        let receipt = try authority.receipt(Samples.receipt)
        var ids: Set<ClaimID> = []
        let device = Samples.claim.deviceID
        for (deviceID, account) in [
            (device, ""), ("\(device)|NULL", ""), ("NULL", ""), ("", ""), (device, "NULL"), (device, "1E+15"),
        ] as [(ExactText, ExactText)] {
            var claim = Samples.claim
            (claim.deviceID, claim.accountID) = (deviceID, account)
            var facts = checker.facts(of: claim, receipt: receipt.span)
            identities.identify(&facts, raw: receipt.span)
            ids.insert(facts.id)
        }
        #expect(ids.count == 6)
    }

    @Test(arguments: [
        ("user-12", "accountTokenNoUUID user-12"), ("nil", "accountTokenPlaceholder nil"),
        ("{00000000-0000-0000-0000-000000000000}", "accountTokenPlaceholder {00000000-0000-0000-0000-000000000000}"),
        ("{0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01}", nil),
    ])
    func `is an account token that is no UUID, as is one that names nobody`(text: String, doubt: String?) throws {
        var claim = Samples.claim
        claim.accountToken = ExactText(text)
        var found: [String] = []
        let receipt = try authority.receipt(Samples.receipt)
        checker.facts(of: claim, receipt: receipt.span).forEachDoubt { found.append("\($0) \($1?.text ?? "")") }
        #expect(found == (doubt.map { [$0] } ?? []))
    }

    @Test func `is a doubt, with the text where that names nobody`() throws {
        var claim = Samples.claim
        (claim.deviceID, claim.accountID, claim.accountToken) = ("android", "#N/A", "nil")
        claim.deviceVerificationID = "(null)"
        claim.presentedAt = Instant(seconds: 46_143)
        var found: [String] = []
        let receipt = try authority.receipt(Samples.receipt)
        let facts = checker.facts(of: claim, receipt: receipt.span)
        facts.forEachDoubt { doubt, text in found.append("\(doubt) \(text?.text ?? "")") }
        #expect(
            found == [
                "accountPlaceholder #N/A", "accountTokenPlaceholder nil", "deviceKind android",
                "verificationIDPlaceholder (null)", "presentedInExcelDays ",
            ])
    }
}
