import Encodings
import FoundationEssentials

@testable import Inputs

/// Files of evidence into which strangers write.
enum HostileEvidence {
    /// A token as long as Apple's, unlike all others. Nobody signed it.
    static func token(_ number: Int) -> String {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        let header = part("{\"alg\":\"ES256\",\"x5c\":[\"\(String(repeating: "MIIB\(number % 7)", count: 90))\"]}")
        return "\(header).\(part("{\"transactionId\":\"\(number)\"}")).\(String(repeating: "s", count: 86))"
    }

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// A string of JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                result += "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
                result += String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A cell of CSV.
    static func cell(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }

    /// A body as Apple posts it.
    static func body(_ token: String) -> String { "{\"signedPayload\":\"\(token)\"}" }

    /// What a company's server may write for a body, each on lines of its own; `text` is what a stranger may choose in
    /// the same record.
    static let records: [(name: String, text: @Sendable (_ token: String, _ text: String) -> String)] = [
        ("a token", { token, _ in token }), ("a body", { token, _ in body(token) }),
        ("a row", { token, text in "2026-01-01,\(cell(text)),\(token)" }),
        ("a row with a body", { token, text in "\(cell(text)),\(cell(body(token)))" }),
        ("a row with tabs", { token, _ in "x\t\(token)\ty" }),
        ("a message of SQS", { token, text in "{\"x\":\(quoted(text)),\"Body\":\(quoted(body(token)))}" }),
        (
            "a message of Pub/Sub",
            { token, text in
                "{\"message\":{\"data\":\"\(base64(body(token)))\",\"x\":\(quoted(text))}}"
            }
        ),
        ("octets", { token, _ in "{\"a\":\"\\\\x\(body(token).utf8.map { String($0, radix: 16) }.joined())\"}" }),
        ("base64 in a row", { token, text in "\(cell(text)),\(base64(body(token)))" }),
        ("base64 of a token", { token, _ in "x,\(base64(token)),y" }),
        ("a line of a log", { token, _ in "INFO token=\(token) ok" }),
        ("a form", { token, _ in "signedPayload=\(token)&x=1" }),
        ("JSON over lines", { token, text in "{\n \"x\": \(quoted(text)),\n \"signedPayload\": \"\(token)\"\n}" }),
        ("a row with JSON over lines", { token, _ in "1,\(cell("{\n\"signedPayload\": \"\(token)\"\n}"))" }),
    ]

    /// Texts that mean something to a reader of CSV, JSON, gzip or base64.
    static let words: [[UInt8]] =
        [
            "\"", "\"\"", ",\"", "\",", "x,y", "z,\"", "\",\"", "[", "]", "{", "}", "[[[[[[[[[[[[", "{\"a\":",
            "{\"a\":\"",
            "{\"signedPayload\":[", "\\", "\\\"", "\u{feff}", "\u{0}", "\r", "\n", "\r\n", "\t", ";", "|", "sep=;",
            "signedPayload,x", "id,signed_transaction_info", "signedPayload", "eyJ", "eyJhbGci.", "eyJhIjoxfQ",
            "ZXlK", "W3si", "=", ".", "..", "Bearer ", "x", "'", "{}", "[]", "null", "data:;base64,", "-----BEGIN X",
            String(repeating: "[", count: 70), String(repeating: "A", count: 300),
        ].map { Array($0.utf8) } + [[0x1f, 0x8b, 0x08, 0], [0xff], [0xc3], [0x28, 0xb5, 0x2f, 0xfd], [0xff, 0xfe]]

    /// A text made of words.
    static func text(_ random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<Int.random(in: 0..<5, using: &random)).flatMap { _ in words.randomElement(using: &random) ?? [] }
    }

    /// Returns what is found in a file, and the number of places where tokens are lost.
    static func read(_ bytes: [UInt8], _ name: String = "told.log") throws -> (tokens: [String], lost: Int) {
        let scratch = try Scratch()
        let source = try EvidenceSource([GivenPath(name, at: scratch.write(name, bytes))])
        var found: (tokens: [String], lost: Int) = ([], 0)
        while let block = try source.nextBlock() {
            for item in block.items {
                let text = EvidenceText(item)
                found.tokens += text.tokens.map { String(decoding: $0, as: UTF8.self) }
                found.lost += text.lost
            }
        }
        return found
    }
}
