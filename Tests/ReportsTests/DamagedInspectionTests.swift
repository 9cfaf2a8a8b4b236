import Checks
import Encodings
import Inputs
import Proofs
import Reports
import SampleStore
import Testing

struct `An inspection of a damaged receipt` {
    @Test func `is made wherever the receipt was cut, and is never valid`() throws {
        let bytes = try PrivateAuthority().receipt(InspectionSamples.receipt)
        let judge = try judge()
        for count in stride(from: 0, to: bytes.count, by: 61) {
            try check(judge.inspection(of: Claim(source: "cut"), receipt: Array(bytes.prefix(count))))
        }
    }

    @Test func `is made wherever a byte was changed, and is never valid`() throws {
        let receipt = ReceiptContent(
            bundleID: "com.example.notes", device: InspectionSamples.device, createdAt: .utc(2024, 3, 1))
        let bytes = try PrivateAuthority().receipt(receipt)
        let judge = try judge()
        for position in stride(from: 0, to: bytes.count, by: 17) {
            var damaged = bytes
            damaged[position] ^= 0xff
            try check(judge.inspection(of: Claim(source: "changed"), receipt: damaged))
        }
    }

    private func judge() throws -> Checker {
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
