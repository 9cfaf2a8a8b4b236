public import Checks
import Encodings
import Inputs
import Proofs
import Receipts

/// An inspection for a person: the verdict first, then why, then all that the receipt holds.
public struct InspectionText {
    let inspection: Inspection
    let paint: Paint

    /// - Parameter isColored: whether to colour it, for a terminal.
    public init(_ inspection: Inspection, isColored: Bool) {
        self.inspection = inspection
        paint = Paint(isColored: isColored)
    }

    public var lines: [String] {
        var lines = head
        lines += section("Checks", checks)
        lines += section("Container", container)
        lines += section(chainTitle, chain)
        lines += section("Attributes", attributes)
        lines += section("Purchases", purchases)
        return lines
    }

    private func section(_ title: String, _ body: [String]) -> [String] {
        body.isEmpty ? [] : ["", paint(title, .bold)] + body
    }

    private var head: [String] {
        let facts = inspection.facts
        let verdict = facts.verdict.rawValue.uppercased()
        let codes = facts.failed.sorted.map(\.code).joined(separator: ", ")
        // A pass is never said without what it leaves open.
        let open = facts.verdict == .valid && facts.deviceHash == .notChecked ? "the device was not checked" : codes
        var lines = [paint(verdict, Paint.Color(facts.verdict)) + (open.isEmpty ? "" : "  " + open)]
        lines.append("  receipt  " + TextLayout.safe(facts.claim.source))
        if let count = inspection.byteCount {
            lines.append("  size     \(grouped(count)) bytes\(inspection.isBase64 ? " of base64" : "")")
        }
        if facts.purchaseCount != nil {
            let app = "\(facts.bundleID ?? "no bundle id") \(facts.appVersion ?? "no version")"
            let environment = facts.environment ?? "no environment"
            lines += TextLayout.field("app", TextLayout.safe("\(app) (\(environment))"), labelWidth: 9)
            lines += TextLayout.field("created", facts.createdAt?.description ?? "no date", labelWidth: 9)
        }
        return lines + TextLayout.field("as of", inspection.asOf.description, labelWidth: 9)
    }
}
