import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Reports
import SampleStore
import Testing

struct `The JSON of an inspection` {
    @Test func `always has the same keys`() throws {
        let json = try read(InspectionSamples.receipt)
        #expect(
            json.keys == [
                "also", "answer", "as_of", "attributes", "case_id", "chain", "checks", "claim", "claim_id", "container",
                "failed_checks",
                "guid", "is_base64", "kind", "payload", "receipt", "size", "unreadable", "verdict",
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

    @Test func `has what verifyReceipt would have answered`() throws {
        let answer = try #require(try read(InspectionSamples.receipt)["answer"])
        #expect(answer.keys == ["status"] && answer["status"] == .number(21002))
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

struct `An inspection of a damaged receipt` {
    @Test func `is made wherever the receipt was cut, and is never valid`() throws {
        let bytes = try PrivateAuthority().receipt(InspectionSamples.receipt)
        let checker = try checker()
        for count in stride(from: 0, to: bytes.count, by: 61) {
            try check(checker.inspection(of: Claim(source: "cut"), receipt: Array(bytes.prefix(count))))
        }
    }

    @Test func `is made wherever a byte was changed, and is never valid`() throws {
        let receipt = ReceiptContent(
            bundleID: "com.example.notes", device: InspectionSamples.device, createdAt: .utc(2024, 3, 1))
        let bytes = try PrivateAuthority().receipt(receipt)
        let checker = try checker()
        for position in stride(from: 0, to: bytes.count, by: 17) {
            var damaged = bytes
            damaged[position] ^= 0xff
            try check(checker.inspection(of: Claim(source: "changed"), receipt: damaged))
        }
    }

    private func checker() throws -> Checker {
        let root = try PrivateAuthority().root.certificate
        let trust = try TrustAnchors(files: [(name: "root", bytes: root)])
        return try Checker(trust: trust, expectations: Expectations(asOf: .utc(2026, 1, 1)))
    }

    private func check(_ inspection: Inspection) throws {
        #expect(inspection.facts.verdict != .valid)
        let lines = InspectionText(inspection, isColored: false).lines
        #expect(lines.first?.contains(inspection.facts.verdict.rawValue.uppercased()) == true)
        for line in lines where TerminalText.escaped(line) != line { Issue.record("unsafe: \(line)") }
        #expect(try !InspectionJSON.text(of: inspection).isEmpty)
    }
}

/// Inspections that the tests of both forms start from.
enum InspectionSamples {
    static let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))

    /// A receipt with one of everything.
    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: .utc(2024, 3, 1)).with {
            var trial = PurchaseContent(
                .autoRenewable, productID: "com.example.notes.monthly", transactionID: "460000000000002",
                purchasedAt: .utc(2024, 2, 1))
            trial.originalTransactionID = "460000000000001"
            trial.originallyPurchasedAt = .utc(2024, 1, 1)
            trial.expiresAt = .utc(2024, 2, 8)
            trial.webOrderLineItemID = 460_000_000_000_003
            trial.isTrial = true
            trial.cancelledAt = .utc(2024, 2, 3)
            trial.edits = [.add(AttributeContent(1799, text: "new"))]
            let broken = PurchaseContent(
                .consumable, productID: "com.example.notes.coins", transactionID: "460000000000004",
                purchasedAt: .utc(2024, 2, 2)
            ).with { $0.edits = [.leaveOut(1702), .leaveOut(1709)] }
            let first = PurchaseContent(
                .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000000",
                purchasedAt: .utc(2023, 12, 24))
            $0.purchases = [trial, broken, first]
        }
    }

    /// Inspects a receipt that a trusted authority signed.
    static func inspect(
        _ receipt: ReceiptContent = receipt, source: String = "receipt.der", device: String = device.text
    ) throws -> Inspection {
        let authority = try PrivateAuthority()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: .utc(2026, 1, 1)))
        var claim = Claim(source: ExactText(source))
        claim.deviceID = ExactText(device)
        return try checker.inspection(of: claim, receipt: authority.receipt(receipt))
    }
}
