import Checks
import Corpus
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Reports
import Testing

/// Compares inspections of published receipts with the results of an independent decoder.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `An inspection of a genuine receipt` {
    static let names = Exhaustive.cases(
        Corpus.files(in: "receipts", ending: ".der").map { String($0.dropLast(4)) }, every: 3)

    /// Where we know better than the independent decoder what an attribute is called.
    static let renamed = [
        "date_8": "download_date", "unknown_9": "fulfillment_tool_version", "unknown_11": "developer_id",
        "unknown_13": "ios_version", "unknown_25": "platform",
    ]

    @Test(arguments: names)
    func `shows every attribute with its name and value`(name: String) throws {
        let inspection = try inspect(name)
        let text = InspectionText(inspection, isColored: false).lines.drop { $0 != "Attributes" }
        let expected = try expectation(of: name)
        for attribute in expected["attributes"]?.elements ?? [] where attribute["type"] != .number(17) {
            let row = try #require(text.first { fields(of: $0).first == "\(attribute["type"]?.integer ?? -1)" })
            let known = attribute["name"]?.string ?? ""
            let shown = Self.renamed[known] ?? (known.hasPrefix("unknown_") ? "–" : known)
            #expect(fields(of: row).dropFirst().first == shown)
            let value = attribute["type"] == .number(13) ? "." : value(of: attribute)
            #expect(row.contains(value), "\(row)")
        }
    }

    @Test(arguments: names)
    func `has every attribute's octets in JSON, those of purchases too`(name: String) throws {
        let text = try InspectionJSON.text(of: inspect(name))
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let expected = try expectation(of: name)
        let listed = json["attributes"]?.elements ?? []
        #expect(listed.map(Octets.init) == (expected["attributes"]?.elements ?? []).map(Octets.init))
        let purchases = listed.filter { $0["kind"] == .text("purchase") }
        let inApp = expected["in_app"]?.elements ?? []
        #expect(purchases.count == inApp.count)
        for (purchase, expected) in zip(purchases, inApp) {
            let attributes = purchase["value"]?["attributes"]?.elements ?? []
            #expect(attributes.map(Octets.init) == (expected["attributes"]?.elements ?? []).map(Octets.init))
            for case (let name, .text(let value)) in members(of: expected["fields"]) {
                let attribute = attributes.first { $0["name"] == .text(name) }
                #expect(attribute?["value"]?.string == utc(value), "\(name)")
            }
        }
    }

    @Test(arguments: names)
    func `names the same certificates`(name: String) throws {
        let expected = try expectation(of: name)["certs"]?.elements ?? []
        let fingerprints = try inspect(name).certificates.map { try $0.get().fingerprint }
        let published = Set(expected.compactMap { $0["sha256"]?.string })
        #expect(published.isSubset(of: fingerprints))
    }

    /// An attribute's number, version and bytes.
    private struct Octets: Equatable {
        let type: Int?
        let version: Int?
        let raw: String?

        init(_ attribute: JSONValue) {
            type = attribute["type"]?.integer
            version = attribute["version"]?.integer
            // The independent decoder leaves out the bytes of purchases, which it decodes.
            raw = type == 17 ? nil : attribute["raw"]?.string ?? attribute["raw_hex"]?.string
        }
    }

    private func inspect(_ name: String) throws -> Inspection {
        let asOf = try #require(Instant(rfc3339: "2026-06-01T00:00:00Z"))
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: asOf))
        return checker.inspection(of: Claim(source: ExactText(name)), receipt: Corpus.bytes("receipts/\(name).der"))
    }

    private func expectation(of name: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(Corpus.bytes("expected/\(name).json")))
    }

    private func fields(of row: String) -> [String] { row.split(separator: " ").map(String.init) }

    private func members(of value: JSONValue?) -> [(String, JSONValue)] {
        if case .object(let members)? = value { members.sorted { $0.key < $1.key } } else { [] }
    }

    /// What the row of an attribute shows.
    private func value(of attribute: JSONValue) -> String {
        if let letters = attribute["as_ascii"]?.string { return letters }
        switch attribute["value"] {
        case .number(let number)?: return "\(number)"
        case .text("")?: return "(empty)"
        case .text(let text)?: return utc(text)
        default: return String((attribute["raw_hex"]?.string ?? "").prefix(32))
        }
    }

    /// A date in UTC; other text as it is.
    private func utc(_ text: String) -> String { Instant(rfc3339: text)?.description ?? text }
}
