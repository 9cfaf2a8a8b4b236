import Corpus
import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// What a value looks like.
struct `A value that was seen` {
    private func form(_ text: String) -> SeenForm? { SeenValue(Array(text.utf8).span)?.form }

    private static let start = "MIIOgQYJKoZIhvcNAQcCoIIOcjCCDm4CAQExDzANBglghkgBZQMEAgEF"
    private static let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"

    @Test(arguments: [
        ("{\n\t\"signature\" = \"AnTJ\";\n\t\"purchase-info\" = \"ewoJ\";\n}", SeenForm.transactionReceipt),
        ("{ key = value; }", .oldPropertyList),
        ("{\"receipt-data\": \"TQ\", \"password\": \"\"}", .verifyReceiptRequest),
        ("{\"status\":0,\"receipt\":{}}", .verifyReceiptResponse), ("{\"signedPayload\":\"eyJ\"}", .notification),
        ("{\"notificationType\":\"REFUND\",\"notificationUUID\":\"1\"}", .decodedNotification), ("[1, 2]", .json),
        ("{\"transactionId\":\"1\",\"originalTransactionId\":\"1\"}", .transactionJSON),
        ("{\"orderId\":\"GPA.1\",\"purchaseToken\":\"a\"}", .googlePlay), ("<30820000 06092a86>", .dataDescription),
        ("{length = 4, bytes = 0x30820000}", .dataDescription), ("\u{feff}{\"a\": 1}", .json),
        ("<!DOCTYPE HTML>\n<title>404</title>", .html), ("<table><tr><td>a</td></tr></table>", .html),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist></plist>", .xmlPropertyList),
        ("<?xml version=\"1.0\"?><a/>", .xml), ("bplist00\u{1}\u{2}", .binaryPropertyList),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", .certificate),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB", .pem), ("PK\u{3}\u{4}\u{14}", .archive), ("\0\0\0\0", .zeros),
        ("[FILTERED]", .redacted), ("hidden", .redacted), ("***", .redacted), ("<redacted>", .redacted),
        ("NULL", .placeholder), ("2000000812345678", .transactionID), ("GPA.3312-1234-1234-12345", .googlePlayToken),
        ("hnopbkc.AO-J1OyN3eTqEmXpJ1rS4", .googlePlayToken), ("6F9619FF-8B86-D011-B42D-00C04FC964FF", .uuid),
        ("0123456789abcdef01", .hexadecimal), ("2026-06-30", .date), ("1556043139", .date), ("30.6.2026 12:00", .date),
        ("46163.4166", .date),
        ("https://example.com/a", .address),
        ("2026/06/1.der", .fileName), ("a@example.com", .email), ("a=b&c=d", .formEncoded), ("a=b c=d", .keyValues),
        ("0\u{fffd}\u{6}\t*", .lostBytes), ("the receipt is missing", .text),
    ])
    func `is told by its characters`(text: String, form: SeenForm) { #expect(self.form(text) == form) }

    @Test(arguments: [
        (start, SeenForm.receipt), (token, .token), (start + "AA BB CC", .blanksForPlus),
        (start + "\\/\\/AA", .escaped),
        (start + "\\nAAAA", .escaped), (start + "%2BAA%3D", .percentEncoded),
        (Data(start.utf8).base64EncodedString(), .base64Twice), (Data(token.utf8).base64EncodedString(), .base64Twice),
        ("\\x" + Hex.string(Array(token.utf8).span), .hexOfText), (Hex.string(Array(start.utf8).span), .hexOfText),
        ("\"\(token)\"", .quoted), ("'\(start)'", .quoted), ("eyJhbGciOi\nJFUzI1NiJ9.e30.c2ln", .brokenToken),
        ("{\"Store\":\"AppleAppStore\",\"Payload\":\"\(start)\"}", .proofInJSON),
        ("{\"jws\":\"\(token)\"}", .proofInJSON),
        ("\"{\\\"jws\\\":\\\"\(token)\\\"}\"", .proofInJSON), ("Bearer \(token)", .bearer),
        ("data:application/jose,\(token)", .bearer),
        ("data:application/jose;base64," + Data(token.utf8).base64EncodedString(), .base64Twice),
        (start + "|A9", .proofAndMore), (token + ",x", .proofAndMore),
        ("M\0I\0I\0O\0g\0Q\0Y\0J\0", .utf16),
    ])
    func `is told as a proof that was changed on its way`(text: String, form: SeenForm) {
        #expect(self.form(text) == form)
    }

    @Test(arguments: [
        ([0x1f, 0x8b, 0x08, 0x00] as [UInt8], SeenForm.gzip), ([0xff, 0xfe, 0x4d, 0, 0x49, 0], .utf16),
        ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .image), ([0xde, 0xad, 0xbe, 0xef], .bytes),
        ([0x30, 0x82, 0x04, 0xbb, 0x30, 0x82, 0x03, 0xa3, 0xa0, 0x03, 0x02, 0x01, 0x02], .certificate),
        ([0x41, 0x20, 0, 0, 7, 0x5f, 0x69, 0x64, 0, 1], .bson),
    ])
    func `is told by its first bytes`(bytes: [UInt8], form: SeenForm) { #expect(SeenValue(bytes.span)?.form == form) }

    @Test(arguments: [("{\"a\": [1, 2, 3]}", SeenForm.json), ("{ \"purchase-info\" = \"\"; }", .transactionReceipt)])
    func `is told through base64`(text: String, form: SeenForm) {
        let base64 = Data(text.utf8).base64EncodedString()
        for text in [base64, base64.prefix(8) + "\r\n" + base64.dropFirst(8)] {
            let seen = SeenValue(Array(text.utf8).span)
            #expect(seen?.form == form && seen?.isBase64 == true)
        }
    }

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: [
            ("negative/apple-mock-legacytransaction.b64", SeenForm.transactionReceipt),
            ("negative/revenuecat-unsupported-1.b64", .transactionReceipt),
            ("negative/mbaasy-transaction-sandbox.json", .json), ("negative/tamtamchik-invalid.b64", .receipt),
            ("jws/xcode-apple-transaction.jws", .token), ("certs/AppleRootCA.cer", .certificate),
        ])
    func `is told where others published it`(file: String, form: SeenForm) {
        #expect(SeenValue(Corpus.bytes(file).span)?.form == form)
    }
}

/// What the values of a column look like.
struct `A profile of values` {
    private func profile(_ texts: [String]) -> ValueProfile {
        var profile = ValueProfile()
        for text in texts { profile.add(Array(text.utf8).span) }
        return profile
    }

    @Test(arguments: [
        (["0123456789abcdef01", "0123456789abcdef0123"], "2 values, each hexadecimal digits, 18 to 20 characters"),
        (["x"], "1 value, plain text, 1 character"),
        (
            ["[FILTERED]", "[FILTERED]", ""],
            "2 values, each text that a log filter writes instead of a value (“[FILTERED]”), 10 characters, and 1 empty one"
        ),
        (["{\"a\":\"eyJh.e.c\"}"], "1 value, JSON around a proof (under the key “a”), 16 characters"),
        (["x", "[1]", "[2]"], "3 values: 2 are each JSON, 3 characters; 1 is plain text, 1 character"),
    ])
    func `says what was seen, with numbers`(texts: [String], seen: String) { #expect(profile(texts).seen == seen) }

    @Test func `shows neither ids nor proofs`() {
        let seen = profile(["alice", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "2000000812345678"]).seen
        #expect(!seen.contains("alice") && !seen.contains("6F96") && !seen.contains("20000"))
    }

    @Test func `is the same in any order and in any parts`() {
        let texts = ["x", "NULL", "nil", "0", "[1]", "", "2026-06-30", "none", "nan", "\u{1}", "yy"]
        let whole = profile(texts)
        for split in 0...texts.count {
            var sum = profile(texts[split...].reversed())
            sum += profile(Array(texts[..<split]))
            #expect(sum == whole)
        }
    }

    @Test func `leads to advice where most values have a known form`() {
        #expect(
            KnownShape.ofProofs(profile(["2000000812345678", "x", "2000000812345679"]))?.sentence.contains(
                "App Store Server API") == true)
        #expect(KnownShape.ofProofs(profile(["2000000812345678", "x"])) == nil)
        #expect(KnownShape.ofProofs(ValueProfile()) == nil)
    }
}
