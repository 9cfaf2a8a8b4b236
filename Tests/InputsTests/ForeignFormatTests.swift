import Corpus
import FoundationEssentials
import Inputs
import Testing

struct `Bytes that are no receipt` {
    @Test(arguments: [
        ("{\n\t\"signature\" = \"AnTJ\";\n\t\"purchase-info\" = \"ewoJ\";\n}", ForeignFormat.transactionReceipt),
        ("{ key = value; }", .oldPropertyList),
        ("eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl\n", .signedToken),
        ("{\"receipt-data\": \"MIIT\", \"password\": \"\"}", .verifyReceiptRequest),
        ("{\"status\":0,\"receipt\":{}}", .verifyReceiptResponse),
        ("{\"signedPayload\":\"eyJ\"}", .serverNotification),
        ("[1, 2]", .json),
        ("{\"transactionId\":\"1\",\"originalTransactionId\":\"1\"}", .storeKitJSON),
        ("{\"orderId\":\"GPA.1\",\"purchaseToken\":\"a\"}", .googlePlay),
        ("<30820000 06092a86>", .dataDescription),
        ("{length = 4, bytes = 0x30820000}", .dataDescription),
        ("\u{feff}{\"a\": 1}", .json),
        ("<!DOCTYPE HTML>\n<title>404</title>", .html),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist></plist>", .xmlPropertyList),
        ("<?xml version=\"1.0\"?><a/>", .xml),
        ("bplist00\u{1}\u{2}", .binaryPropertyList),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", .certificate),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB", .pem(label: "RSA PRIVATE KEY")),
        ("PK\u{3}\u{4}\u{14}", .file(kind: "a zip archive")),
        ("the receipt is missing", .text),
        ("\0\0\0\0", .zeros),
    ])
    func `are told by their looks`(bytes: String, format: ForeignFormat) {
        #expect(ForeignFormat(sniffing: Array(bytes.utf8)) == format)
    }

    @Test(arguments: [
        ([0x1f, 0x8b, 0x08, 0x00] as [UInt8], ForeignFormat.file(kind: "gzip data")),
        ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .file(kind: "a PNG image")),
        ([0x30, 0x82, 0x04, 0xbb, 0x30, 0x82, 0x03, 0xa3, 0xa0, 0x03, 0x02, 0x01, 0x02], .certificate),
    ])
    func `are told by their first bytes`(bytes: [UInt8], format: ForeignFormat) {
        #expect(ForeignFormat(sniffing: bytes) == format)
    }

    @Test(arguments: [
        ("{\"a\": [1, 2, 3]}", ForeignFormat.json), ("{ \"purchase-info\" = \"\"; }", .transactionReceipt),
    ])
    func `are told through base64`(text: String, format: ForeignFormat) {
        let base64 = Data(text.utf8).base64EncodedString()
        #expect(ForeignFormat(sniffing: Array(base64.utf8)) == .base64(of: format))
        let broken = base64.prefix(8) + "\r\n" + base64.dropFirst(8)
        #expect(ForeignFormat(sniffing: Array(broken.utf8)) == .base64(of: format))
    }

    @Test(arguments: [[], [0x30, 0x03, 0x02, 0x01, 0x05], [0xde, 0xad, 0xbe, 0xef]] as [[UInt8]])
    func `are left unnamed where nothing is known`(bytes: [UInt8]) {
        #expect(ForeignFormat(sniffing: bytes) == nil)
    }

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: [
            ("negative/apple-mock-legacytransaction.b64", ForeignFormat.base64(of: .transactionReceipt)),
            ("negative/mbaasy-transaction-sandbox.b64", .base64(of: .transactionReceipt)),
            ("negative/revenuecat-unsupported-1.b64", .base64(of: .transactionReceipt)),
            ("negative/revenuecat-unsupported-2.b64", .base64(of: .transactionReceipt)),
            ("negative/mbaasy-transaction-sandbox.json", .json),
            ("negative/tamtamchik-invalid.b64", .damagedBase64),
            ("jws/xcode-apple-transaction.jws", .signedToken),
            ("certs/AppleRootCA.cer", .certificate),
        ])
    func `published by others are recognised`(file: String, format: ForeignFormat) {
        #expect(ForeignFormat(sniffing: Corpus.bytes(file)) == format)
    }
}
