public import Checks
public import Encodings
import Inputs
import Proofs
import Receipts

/// Writes an inspection for people: the verdict first, then the checks, then the whole content of the proof.
public struct InspectionText {
    let inspection: Inspection
    let paint: Paint
    /// The other rows with the same content as the claim.
    let others: (sources: [ExactText], count: Int)
    /// The maximum length of a line, unless a word is longer.
    let width: Int

    /// - Parameters:
    ///   - others: rows with the same content as the claim, and their number.
    ///   - isColored: whether to colour it, for a terminal.
    ///   - width: the width of the terminal, in columns.
    public init(
        _ inspection: Inspection, others: (sources: [ExactText], count: Int) = ([], 0), isColored: Bool,
        width: Int = 100
    ) {
        self.inspection = inspection
        self.others = others
        self.width = max(40, width)
        paint = Paint(isColored: isColored)
    }

    public var lines: [String] {
        var lines = head
        lines += section("Checks", checks)
        lines += section(inspection.facts.format == .token ? "Token" : "Container", container)
        lines += section(chainTitle, chain)
        lines += section("Attributes", attributes)
        lines += section("Purchases", purchases)
        lines += section("Payload", payload)
        return lines
    }

    /// Returns a label, with a wrapped text next to it.
    func field(_ label: String, _ text: String, indentation: Int = 2, labelWidth: Int = 14) -> [String] {
        TextLayout.field(label, text, indentation: indentation, labelWidth: labelWidth, width: width)
    }

    private func section(_ title: String, _ body: [String]) -> [String] {
        body.isEmpty ? [] : ["", paint(title, .bold)] + body
    }

    private var head: [String] {
        let facts = inspection.facts
        let verdict = facts.verdict.rawValue.uppercased()
        let codes = facts.failed.sorted.map(\.code).joined(separator: ", ")
        // A pass always states what it leaves open.
        let open = facts.verdict == .valid && facts.deviceHash == .notChecked ? "the device was not checked" : codes
        var lines = [paint(verdict, Paint.Color(facts.verdict)) + (open.isEmpty ? "" : "  " + open)]
        lines.append("  receipt  " + TextLayout.safe(facts.claim.source))
        lines += claimed
        if let count = inspection.byteCount {
            lines.append("  size     \(grouped(count)) bytes\(inspection.isBase64 ? " of base64" : "")")
        }
        if let kind = facts.token?.kind {
            lines += field("kind", kind.rawValue, labelWidth: 9)
            let app = "\(facts.bundleID ?? "no bundle id") (\(facts.environment ?? "no environment"))"
            lines += field("app", TextLayout.safe(app), labelWidth: 9)
            lines += field("signed", facts.createdAt?.description ?? "no date", labelWidth: 9)
        } else if facts.purchaseCount != nil {
            let app = "\(facts.bundleID ?? "no bundle id") \(facts.appVersion ?? "no version")"
            let environment = facts.environment ?? "no environment"
            lines += field("app", TextLayout.safe("\(app) (\(environment))"), labelWidth: 9)
            lines += field("created", facts.createdAt?.description ?? "no date", labelWidth: 9)
        }
        return lines + field("as of", inspection.asOf.description, labelWidth: 9)
    }

    /// Who presents the proof and asks for what, for a claim of an export.
    private var claimed: [String] {
        let facts = inspection.facts
        guard facts.id != .none else { return [] }
        var lines = field("claim", facts.id.description, labelWidth: 9)
        lines += field("case", facts.caseID.description, labelWidth: 9)
        if !others.sources.isEmpty {
            let shown = others.sources.prefix(5).map { TextLayout.safe($0, limit: 100) }
            let rest = others.count > shown.count ? " and \(grouped(others.count - shown.count)) more" : ""
            lines += field("also", shown.joined(separator: ", ") + rest, labelWidth: 9)
        }
        for (name, value) in facts.claim.asked where !value.isEmpty {
            lines += field(name, TextLayout.safe(value), labelWidth: max(9, name.count + 2))
        }
        return lines
    }
}

extension InspectionText {
    /// Every check, with a mark, its subject and the reason for its outcome.
    private var checks: [String] {
        let isMoot = { (result: CheckResult) in
            result.outcome == .notChecked && self.mootReasons.contains(ExactText(result.reason))
        }
        return inspection.checks.filter { !isMoot($0) }.flatMap { result in
            let code = result.outcome == .failed ? " [\(result.check.code)]" : ""
            return row(result.outcome, result.check.subject, TextLayout.safe(result.reason, limit: 4000) + code)
        }
            + mootReasons.flatMap { reason in
                let subjects = inspection.checks.filter { isMoot($0) && ExactText($0.reason) == reason }.map(
                    \.check.subject)
                return row(.notChecked, "all else", subjects.joined(separator: ", ") + ": " + TextLayout.safe(reason))
            }
    }

    /// The reasons why more than three checks did not run, which share one line each.
    private var mootReasons: [ExactText] {
        let reasons = inspection.checks.filter { $0.outcome == .notChecked }.map { ExactText($0.reason) }
        return Set(reasons).filter { reason in reasons.count { $0 == reason } > 3 }.sorted()
    }

    /// Returns one check in columns: mark, subject, text.
    private func row(_ outcome: CheckResult.Outcome, _ subject: String, _ text: String) -> [String] {
        let start = 4 + Self.subjectWidth
        let blank = String(repeating: " ", count: start)
        return TextLayout.wrapped(text, indentation: start, width: width).enumerated().map { index, line in
            index > 0 ? blank + line : "  \(mark(outcome)) \(TextLayout.padded(subject, to: Self.subjectWidth))\(line)"
        }
    }

    private static let subjectWidth = 2 + (Check.allCases.map(\.subject.count).max() ?? 0)

    private func mark(_ outcome: CheckResult.Outcome) -> String {
        switch outcome {
        case .passed: paint("✓", .green)
        case .failed: paint("✗", .red)
        case .notChecked: paint("–", .dim)
        }
    }
}

// The container, and the signer's certificates.
extension InspectionText {
    private var container: [String] {
        guard let contents = inspection.contents else { return [] }
        var lines = field("content", "\(grouped(contents.content.count)) bytes")
        guard let signature = inspection.facts.signature else { return lines }
        let digest = signature.contentDigest
        lines += field("SHA-256", Hex.string(digest.octets))
        let form = inspection.deviation.map { "not as Apple writes it: \($0)" } ?? "as Apple writes it"
        lines += field("form", TextLayout.safe(form))
        if inspection.facts.format == .container {
            lines += field("digest", name(of: signature.digestAlgorithm))
        }
        return lines + field("certificates", "\(contents.certificates.count)")
    }

    private var chainTitle: String {
        guard case .trusted = inspection.facts.signature?.chain.trust else {
            return inspection.facts.format == .token ? "Certificates in x5c" : "Certificates in the container"
        }
        return "Chain, signer first"
    }

    private var chain: [String] {
        inspection.certificates.enumerated().flatMap { index, certificate in
            switch certificate {
            case .success(let description): return block(index + 1, description)
            case .failure(let error): return ["  \(index + 1)  " + TextLayout.safe("unreadable: \(error)")]
            }
        }
    }

    private func block(_ number: Int, _ certificate: CertificateDescription) -> [String] {
        let issuer = certificate.isSelfIssued ? "itself" : certificate.issuerName
        var lines = ["  \(TextLayout.padded(String(number), to: 3))\(TextLayout.safe(certificate.subjectName))"]
        for (label, text) in [
            ("issuer", issuer), ("serial", certificate.serialNumber),
            ("valid", "\(certificate.notBefore) to \(certificate.notAfter)"),
            ("key", "\(certificate.publicKey), signed with \(certificate.signatureAlgorithm)"),
            ("SHA-256", certificate.fingerprint),
        ] {
            lines += field(label, TextLayout.safe(text), indentation: 5, labelWidth: 9)
        }
        return lines
    }

    private func name(of algorithm: DigestAlgorithm?) -> String {
        switch algorithm {
        case .sha1?: "SHA-1"
        case .sha256?: "SHA-256"
        case nil: "neither SHA-1 nor SHA-256"
        }
    }
}
