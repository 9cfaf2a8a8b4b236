import Encodings
import FoundationEssentials
import Reports
import SampleStore
import Testing

struct `The JSON of an inspection` {
    @Test func `always has the same keys`() throws {
        let json = try read(InspectionSamples.receipt)
        #expect(
            json.keys == [
                "as_of", "attributes", "chain", "checks", "container", "failed_checks", "guid", "is_base64", "receipt",
                "size", "unreadable", "verdict",
            ])
        #expect(json["checks"]?.elements.first?.keys == ["code", "outcome", "reason"])
        #expect(
            json["container"]?.keys == [
                "certificates", "content_sha256", "content_size", "deviation", "digest", "is_canonical",
            ])
        #expect(json["chain"]?.keys == ["certificates", "reason", "trust"])
        #expect(
            json["chain"]?["certificates"]?.elements.first?.keys == [
                "issuer", "not_after", "not_before", "public_key", "serial_number", "sha256", "signature_algorithm",
                "subject",
            ])
        for attribute in json["attributes"]?.elements ?? [] {
            #expect(attribute.keys == ["kind", "name", "raw", "type", "value", "version"])
        }
    }

    @Test func `has the verdict, the failed checks and every check's outcome`() throws {
        let json = try read(InspectionSamples.receipt)
        #expect(json["verdict"] == .text("invalid"))
        #expect(json["failed_checks"] == .array([.text("malformed-in-app-purchase")]))
        #expect(json["guid"] == .text("match"))
        #expect(json["as_of"] == .text("2026-01-01T00:00:00Z"))
        let outcomes = Set((json["checks"]?.elements ?? []).compactMap { $0["outcome"]?.string })
        #expect(outcomes == ["passed", "failed", "not-checked"])
    }

    @Test(arguments: [
        (2, "text", JSONValue.text("com.example.notes")),
        (9, "text", .text("P302")),
        (11, "number", .number(1_500_000)),
        (12, "date", .text("2024-03-01T00:00:00Z")),
        (20, "empty", .text("")),
        (5, "octets", .null),
    ])
    func `says what an attribute's value is`(type: Int, kind: String, value: JSONValue) throws {
        let json = try read(InspectionSamples.receipt)
        let attribute = json["attributes"]?.elements.first { $0["type"] == .number(type) }
        #expect(attribute?["kind"] == .text(kind))
        #expect(attribute?["value"] == value)
    }

    @Test func `has each purchase's attributes inside`() throws {
        let json = try read(InspectionSamples.receipt)
        let purchases = (json["attributes"]?.elements ?? []).filter { $0["kind"] == .text("purchase") }
        #expect(purchases.count == 3)
        let unknown = purchases.flatMap { $0["value"]?["attributes"]?.elements ?? [] }.first { $0["name"] == .null }
        #expect(unknown?["raw"] == .text("0c00"))
    }

    @Test func `loses nothing of what it makes safe to print`() throws {
        let bundleID = "com.\u{1b}]0;\u{7}.\u{202e}evil\u{85}"
        let inspection = try InspectionSamples.inspect(InspectionSamples.receipt.with { $0.bundleID = bundleID })
        let text = try InspectionJSON.text(of: inspection)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || TerminalText.escaped(String($0)) == String($0) })
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let attribute = json["attributes"]?.elements.first { $0["type"] == .number(2) }
        #expect(attribute?["value"] == .text(bundleID))
    }

    private func read(_ receipt: ReceiptContent) throws -> JSONValue {
        let text = try InspectionJSON.text(of: InspectionSamples.inspect(receipt))
        return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}
