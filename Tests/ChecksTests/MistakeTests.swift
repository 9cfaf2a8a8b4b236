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
            ClaimDoubt.sentTransactionJSON
        ),
        (#"{"bundleId": "com.example.notes", "transactionId": "1", "price": 1990}"#, .sentTransactionJSON),
        (#"[{"originalTransactionId":"1"}]"#, .sentTransactionJSON),
        (#"{"receiptType":"Production","deviceVerification":"aa"}"#, .sentTransactionJSON),
        (
            #"{"orderId":"GPA.3300-0000-0000-00000","packageName":"com.example.a","purchaseToken":"a.b"}"#,
            .sentGooglePlay
        ),
        (#"{"json":"{\"packageName\":\"com.example.a\"}","signature":"aa=="}"#, .sentGooglePlay),
        (#"{"a":1}"#, .sentJSON), ("[]", .sentJSON), (#"{"receipt-data":"MIIT"}"#, .sentJSON),
        (#"{"signedPayload":"eyJ.e.c"}"#, .sentJSON), (#"{"status":0,"receipt":{}}"#, .sentJSON),
        ("<30821388 06092a86 4886f70d>", .sentDataDescription),
        ("<3082138806092a864886f70d010702>", .sentDataDescription),
        ("{length = 5000, bytes = 0x30821388 06092a86 4886f70d ... 00000000 }", .sentDataDescription),
        ("{length=4,bytes=0x30820000}", .sentDataDescription),
        ("{ productIdentifier = gold; }", .sentPropertyList),
        ("{ \"product-id\" = a; \"transaction-id\" = 1; }", .sentPropertyList),
    ])
    func `is recognised as it stands and in base64, and no tool made it up`(text: String, doubt: ClaimDoubt) {
        for stored in [text, "\n " + text, Data(text.utf8).base64EncodedString()] {
            let facts = facts(ofStored: stored)
            #expect(facts.mistake == doubt, "\(stored)")
            #expect(facts.failed == [.unknownFormat] && facts.fabrication == nil)
        }
    }

    private static let start = "MIIOgQYJKoZIhvcNAQcCoIIOcjCCDm4CAQExDzANBglghkgBZQMEAgEF"
    private static let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"

    @Test(arguments: [
        (start + "AA BB CC", ClaimDoubt.sentBlanksForPlus), (start + "\\/\\/AA", .sentWithEscapes),
        (start + "\\nAAAA", .sentWithEscapes), (start + "%2BAA%3D", .sentPercentEncoded),
        (Data(start.utf8).base64EncodedString(), .sentBase64Twice),
        (Data(token.utf8).base64EncodedString(), .sentBase64Twice),
        ("\\x" + Hex.string(Array(token.utf8).span), .sentHexOfText),
        (Hex.string(Array(start.utf8).span), .sentHexOfText), ("\"\(token)\"", .sentInQuotes),
        ("\"\(start)\"", .sentInQuotes),
        ("eyJhbGciOi\nJFUzI1NiJ9.e30.c2ln", .sentBrokenToken),
        ("{\"Store\":\"AppleAppStore\",\"Payload\":\"\(start)\"}", .sentProofInJSON),
        ("{\"jws\":\"\(token)\"}", .sentProofInJSON),
        ("\"{\\\"jws\\\":\\\"\(token)\\\"}\"", .sentProofInJSON), ("Bearer \(token)", .sentBearer),
        ("M\0I\0I\0O\0g\0Q\0Y\0J\0", .sentUTF16),
    ])
    func `is recognised by what became of a proof on its way`(text: String, doubt: ClaimDoubt) {
        #expect(mistake(ofStored: Array(text.utf8)) == doubt)
    }

    @Test func `is recognised by the first bytes of a file`() {
        #expect(mistake(ofStored: [0xff, 0xfe, 0x4d, 0, 0x49, 0]) == .sentUTF16)
        #expect(mistake(ofStored: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]) == .sentGzip)
    }

    @Test(arguments: [start, start + "\r\nAAAA", "text", "eyJhbGciOiJFUzI1NiJ9.e30", "\"text\"", "a b c", "%2B"])
    func `is not recognised where the cause is another`(text: String) {
        #expect(mistake(ofStored: Array(text.utf8)) == nil)
    }

    /// What a run recognises by the bytes of a cell or a file.
    private func mistake(ofStored stored: [UInt8]) -> ClaimDoubt? {
        var decoded: [UInt8] = []
        var claim = Claim(source: "a")
        let isDecoded = ReceiptForm.decode(stored.span, into: &decoded)
        claim.isReceiptBase64 = isDecoded && ReceiptForm.isOther(decoded.span)
        let bytes = isDecoded ? decoded : stored
        var facts = checker.facts(of: claim, receipt: bytes.span)
        facts.recognise(stored: stored.span)
        return facts.mistake
    }

    @Test(arguments: [
        "<html>no</html>", "<a/>", "text",
        "<?xml version=\"1.0\"?><plist/>", "<dead>",
    ])
    func `is not every text, and none of these is made up`(text: String) {
        for stored in [text, Data(text.utf8).base64EncodedString()] {
            let facts = facts(ofStored: stored)
            #expect(facts.mistake == nil && facts.fabrication == nil, "\(stored)")
        }
    }

    @Test(arguments: [
        ("{ \"purchase-info\" = \"ewp9\"; }", FabricatedReceipt.unsignedPropertyList),
        ("{ \"purchase-info\" = \"\"; }", .unsignedPropertyList),
    ])
    func `is not what a tool makes up`(text: String, fabrication: FabricatedReceipt) {
        for stored in [text, Data(text.utf8).base64EncodedString()] {
            let facts = facts(ofStored: stored)
            #expect(facts.mistake == nil && facts.fabrication == fabrication)
        }
    }

    @Test func `is recognised by a long text's beginning, wherever that is cut`() {
        for count in 65_530..<65_540 {
            let text =
                #"{"packageName":""# + String(repeating: "a", count: count) + String(repeating: "é", count: 90) + "\"}"
            #expect(facts(ofStored: text).mistake == .sentGooglePlay)
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
