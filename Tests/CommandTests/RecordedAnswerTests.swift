import Corpus
import Encodings
import Foundation
import Testing

/// Answers that Apple's verifyReceipt gave, as those who published a receipt recorded them.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `A recorded answer of verifyReceipt` {
    /// What was recorded of one field. `match` is false where the publishers changed it by hand.
    private struct Recorded: Decodable {
        let source: String
        let field: String
        /// `nil` in what is not of verifyReceipt.
        let expected: Value?
        let match: Bool

        enum Value: Decodable {
            case text(String)
            case number(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }

        var isOfVerifyReceipt: Bool { source.contains("verifyReceipt") && match && !field.contains("count vs") }
    }

    private struct Decode: Decodable {
        struct Purchase: Decodable {
            let fields: Fields
        }

        struct Fields: Decodable {
            let transaction_id: String
        }

        let publisher_expectations: [Recorded]
        let in_app: [Purchase]
    }

    private static let numbers: Set = ["adam_id", "app_item_id", "download_id", "version_external_identifier"]

    @Test func `has the fields of ours, character by character`() throws {
        let folder = try #require(Corpus.folder)
        let run = try AuditProcess(
            "run", folder.appending(path: "receipts").path(), "--as-of", "2026-06-30", "--quiet", "--report",
            "answers=-.ndjson")
        #expect(run.exitCode == 0 && run.messages == "")
        var (compared, receipts, latest) = (0, 0, 0)
        for line in run.output.split(separator: "\n") {
            let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let source = try #require(row["source"] as? String)
            let answer = try #require(row["answer"] as? [String: Any])
            // Xcode signs its receipts itself, and the one of 2010 has no marker of the App Store.
            let isTrusted = source.hasPrefix("sandbox-")
            #expect(answer["status"] as? Int == (isTrusted ? 0 : 21003), "\(source)")
            guard isTrusted, source.hasSuffix(".der") else {
                #expect(isTrusted || answer.count == 1)
                continue
            }
            let decode = try JSONDecoder().decode(
                Decode.self, from: Data(Corpus.bytes("expected/" + source.replacing(".der", with: ".json"))))
            let recorded = decode.publisher_expectations.filter(\.isOfVerifyReceipt)
            let receipt = try #require(answer["receipt"] as? [String: Any])
            let purchases = receipt["in_app"] as? [[String: Any]]
            #expect(
                purchases?.map { $0["transaction_id"] as? String } == decode.in_app.map(\.fields.transaction_id),
                "\(source)")
            for field in recorded { try compare(field, receipt, source) }
            latest += try compareLatest(recorded, folder, source)
            compared += recorded.count
            receipts += recorded.isEmpty ? 0 : 1
        }
        #expect(compared > 6000 && receipts >= 10 && latest > 3000)
    }

    /// Compares what was recorded of `latest_receipt_info` with the answer of a run over the receipt alone: other receipts
    /// were made later, and say other things.
    ///
    /// - Returns: how many fields were compared.
    private func compareLatest(_ recorded: [Recorded], _ folder: URL, _ source: String) throws -> Int {
        let fields = recorded.filter { $0.source.hasPrefix("latest_receipt_info") && $0.field.hasPrefix("in_app[") }
        guard !fields.isEmpty else { return 0 }
        let run = try AuditProcess(
            "run", folder.appending(path: "receipts/" + source).path(), "--as-of", "2026-06-30", "--quiet", "--report",
            "answers=-.ndjson")
        let row = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let answer = try #require(row?["answer"] as? [String: Any], "\(source)")
        let latest = try #require(answer["latest_receipt_info"] as? [[String: Any]], "\(source)")
        for field in fields { try compare(field, ["in_app": latest], source) }
        return fields.count
    }

    private func compare(_ recorded: Recorded, _ receipt: [String: Any], _ source: String) throws {
        let purchases = try #require(receipt["in_app"] as? [[String: Any]])
        var (members, name) = (receipt, String(recorded.field.prefix { $0 != " " }))
        if recorded.field == "in_app count" {
            members = ["in_app": String(purchases.count)]
        } else if let parts = recorded.field.wholeMatch(of: /in_app\[(\d+)\]\.(\w+)/) {
            members = purchases.first { $0["transaction_id"] as? String == String(parts.1) } ?? [:]
            name = String(parts.2)
        }
        let place = Comment(rawValue: "\(source) \(recorded.field)")
        switch try #require(recorded.expected, place) {
        case .number(let number) where Self.numbers.contains(name):
            #expect(members[name] as? Int == number && !(members[name] is String), place)
        case .number(let number) where name.hasPrefix("is_"):
            #expect(members[name] as? String == (number == 0 ? "false" : "true"), place)
        case .number(let number): #expect(members[name] as? String == String(number), place)
        case .text(let text) where name.hasSuffix("_date"):
            let date = try #require(Instant(rfc3339: text), place)
            let local = date.adding(seconds: PacificTime.offset(at: date))
            #expect(members[name] as? String == clock(date) + " Etc/GMT", place)
            #expect(members[name + "_ms"] as? String == String(date.milliseconds), place)
            #expect(members[name + "_pst"] as? String == clock(local) + " America/Los_Angeles", place)
        case .text(let text): #expect(members[name] as? String == text, place)
        }
    }

    private func clock(_ date: Instant) -> String {
        date.description.replacing("T", with: " ").replacing("Z", with: "")
    }
}
