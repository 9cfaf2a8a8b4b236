import Encodings
import Inputs
import Rules

@testable import audit

/// The words that inputs are made of, for libFuzzer's mutations.
enum Words {
    /// A dictionary in libFuzzer's format: one quoted word a line.
    static func list(of kind: FuzzTarget) -> [UInt8] {
        let words: [[UInt8]] =
            switch kind {
            case .container, .receipt: der + texts(attributeTexts)
            case .json: texts(columns.map { "\"\($0)\":" } + json)
            case .csv: texts(columns + csv)
            case .base64: texts(base64)
            case .reduce: texts(RuleBook.ids.map { "\"\($0)\"" } + lines)
            case .yaml: texts((RuleBook.ids + JobReader.keys).map(\.text) + yaml)
            case .token, .evidence: texts((members + ["alg", "ES256", "x5c"]).map { "\"\($0)\"" } + json)
            case .workbook: texts(xml)
            }
        return words.flatMap { word in
            var line: [UInt8] = [UInt8(ascii: "\"")]
            for byte in word { line += Array("\\x".utf8) + [digit(byte >> 4), digit(byte & 15)] }
            return line + [UInt8(ascii: "\""), 0x0a]
        }
    }

    private static func texts(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

    /// The members of tokens and of what they are stored in.
    private static let members = [
        "notificationType", "notificationUUID", "requestIdentifier", "transactionId", "originalTransactionId",
        "bundleId",
        "productId", "purchaseDate", "signedDate", "autoRenewStatus", "autoRenewProductId", "receiptType",
        "receiptCreationDate", "data", "signedPayload", "signedTransactionInfo", "signedRenewalInfo",
        "signedTransactions",
        "deviceVerification", "deviceVerificationNonce", "externalPurchaseToken", "expiresDate", "revocationDate",
    ]

    /// Tags with lengths, and object identifiers whole.
    private static let der: [[UInt8]] =
        [0x30, 0x31, 0x02, 0x04, 0x06, 0x05, 0x0c, 0x16, 0x03, 0xa0, 0xa1, 0x80, 0x24, 0x17].flatMap { tag in
            [[tag, 0x00], [tag, 0x01], [tag, 0x80], [tag, 0x82, 0x01, 0x00], [tag, 0x84, 0xff, 0xff, 0xff, 0xff]]
        } + [
            [0x00, 0x00], [0x05, 0x00], [0x02, 0x01, 0x01], [0x80, 0x01, 0x00], [0xbf, 0x81, 0x00],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04],
            [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03],
            [0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a], [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
            [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01], [0x06, 0x03, 0x55, 0x1d, 0x0e],
        ] + (0...25).map { [0x02, 0x01, $0] } + (0xa5...0xba).map { [0x02, 0x02, 0x06, $0] }

    private static let attributeTexts = ["2025-04-30T02:30:31Z", "+01:00", "Production", "Xcode", "\u{202e}", "\u{0}"]
    private static let columns = [
        "file", "receipt_data", "receipt-data", "device_id", "account_id", "bundle_id", "app_version", "product_id",
        "presented_at",
    ]
    private static let json = [
        "{", "}", "[", "]", ":", ",", "null", "true", "false", "\\u00e9", "\\ud83d", "\\ude00", "\\\"", "\\n",
        "-1.5e+3",
        "\u{feff}", "\n", "2025-04-30T02:30:31Z",
    ]
    private static let csv = [
        "\"", "\"\"", "\"\"\"", "\",\"", ",\"", "\",", "\r\n", "\n", "\r", " ", "\t", "\u{feff}", ",,,", "\"\n", "\n\"",
    ]
    private static let base64 = [
        "=", "==", "MII", "-----BEGIN ", "-----END ", "-----", "PKCS7", "\r\n", "\u{feff}", "-_", "+/", "AAAA",
        "data:application/octet-stream;base64,", "\\x", "0x",
    ]
    private static let lines = [
        "\t[3,", "]\n", ",[", "null", "r", "t1", "d", "a", "j\t[3,", "0\t[3,", "s\t[3,", "c00", "f", "b",
        "\"",
        "\\\"",
        "%25", "{\"table\":\"fraud\",\"csv\":\"", "-1", "9223372036854775807", "-9223372036854775808", "0.001",
        "AAAAAAAAAAAAAAAAAAAAAA", "[]", "{}", "\"severity\":\"high\"", "\"rule\":\"", "[[", "]]",
    ]
    private static let xml = [
        "<row r=\"2\">", "<row>", "</row>", "<row/>", "<c>", "<c r=\"B2\"", " t=\"s\"", " t=\"inlineStr\"", ">", "</c>",
        "<c/>", "<is>", "</is>", "<t>", "</t>", "<v>", "</v>", "<r>", "</r>", "<rPh>", "</rPh>", "<si>", "</si>",
        "<sst>",
        "</sst>", "&amp;", "&#10;", "&#x202e;", "_x0041_", "finding_id", "status", "note", "<![CDATA[", "]]>", "<!--",
        "-->", "<!DOCTYPE x [", "<?xml version=\"1.0\"?>", " xmlns:x=\"urn:x\"", "x:", "XFD1048576",
    ]
    private static let yaml = [
        "\n", "  ", ": ", "- ", "{", "}", "[", "]", "\"", "'", "|\n", ">-\n", "#", "---\n", "...\n", "? ", "!!str ",
        "!<tag:yaml.org,2002:str>", "%YAML 1.1\n", "\\x41", "\\u263a", "\t", "~", "null", "versions", "products",
        "kind",
        "price", "currency", "period", "auto-renewable", "severity", "subject", "reason", "until", "rules", "allow",
        "environments", "apps", "account:", "claim:", "device:", "finding:", "receipt:", "source:", "transaction:",
        "${HOME}", "$$", "off",
        "\u{85}", "\u{2028}", "\u{feff}",
    ]
}

/// Lines of JSON that look at every turn of the reader.
enum JSONSeeds {
    static let all: [[UInt8]] = [
        #"{"receipt_data":"TQ==","device_id":" x ","Account_ID":12,"colour":[1,{"a":null}],"flag":true}"#,
        "\u{feff}{\"receipt-data\":\"\\u004dDE=\\n\",\"presented_at\":\"2025-04-30T02:30:31Z\",\"bundle_id\":null}\r\n",
        #"{"file":"./a.der","receipt_data":" ","product_id":"\ud83d\ude00\"\\\/\b\f\n\r\t"}"# + "\n\n \n{}",
        #"{"account_id":"é\u00e9","device_id":"1b671a64-40d5-491e-99b0-da01ff1f3341|02:00:00:00:00:00","a":-1.5e+3}"#,
        #"{"file":"x","a":[[[[[[[[[{"b":{"c":[0,0.1,1e9,false,"d"]}}]]]]]]]]],"app_version":"1.0"}"#,
    ].map { Array($0.utf8) }
}

/// Tables with quotes where they may stand and where they may not.
enum CSVSeeds {
    static let all: [[UInt8]] = [
        "receipt_data,device_id\nTQ==,x\n\"TQ==\",\"x\"\n",
        "\u{feff}device_id , \"receipt_data\",note\r\n\"a \"\"b\"\" c\",TQ==,\"one,\r\ntwo\"\r\n\r\nx,TQ,\r\n",
        "receipt_data,device_id,account_id\nTQ,\"a\"b,x\nTQ,,\nTQ,,\"x\nTQ,,\n", "receipt_data\r\rTQ\rTQ\r",
        "file,device_id\n./a.der,x\n../b,y\n/c,z\n,\nfile,device_id\na//b/./c,\"\"\n",
        "receipt_data,device_id,account_id\nTQ,,\"a\n\"\"b,c,d\"\"\ne,f,g\"\nTg,,\nTQ,\"\"\",\nTQ,\"a\" \"b,\n",
    ].map { Array($0.utf8) }
}

/// A policy that says all that a policy can say, and a job.
enum YAMLSeeds {
    static let all = """
        version: 1
        environments: [Production, "", Sandbox]
        apps:
          com.example.notes: {versions: ["1", '2.0'], products: {pro: {kind: auto-renewable, group: g, price: 4.99,
            currency: USD, period: month}}}
        rules: {shared-receipt: {severity: low, devices: 3}, expired-receipt: off}
        allow:
          - {subject: "account:u1", reason: |
              tests
            , until: 2026-12-31, rules: [shared-account]}
        inputs: [a, b]
        reports: [fraud=fraud-{date}.csv, "-"]
        as-of: 2026-06-30
        workers: 2
        memory: 500M
        roots: &a !!str root.cer
        """
}
