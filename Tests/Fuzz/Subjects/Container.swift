import Corpus
import DER
import Encodings
import FoundationEssentials
import Inputs
import Reports

@testable import Checks
@testable import Proofs

/// Containers: every check that is made of bytes, strict and lenient, the chain, the signature, and what is shown of them.
struct ContainerSubject: Subject {
    private let trust: TrustAnchors
    /// Has met all inputs before this one, as the judge of a run has.
    private let checker: Checker
    private let verifier: SignatureVerifier

    init() throws {
        trust = try Settings.trust()
        checker = try Checker(trust: trust, expectations: Expectations(asOf: Settings.asOf))
        verifier = try SignatureVerifier(trust: trust)
    }

    func read(_ bytes: [UInt8]) {
        let facts = checker.facts(of: Settings.claim, receipt: bytes.span)
        demand(checker.failure == nil, "a digest could not be computed")
        rewrite(bytes)
        compareForms(bytes, facts)
        if facts.verdict == .valid { checkValid(bytes, facts) }
        if facts.verdict == .valid || bytes.choice(of: 64) == 0 { compareWithNewcomer(bytes, facts) }
        if bytes.choice(of: 16) == 0 { show(bytes, facts) }
    }

    /// What was rewritten as DER is DER: rewriting it changes nothing.
    private func rewrite(_ bytes: [UInt8]) {
        guard let der = try? DERRewriter.der(of: bytes.span) else { return }
        demand((try? DERRewriter.der(of: der.span)) == der, "rewriting DER changed it")
        demand(der.count <= bytes.count, "DER is longer than BER")
    }

    /// What the strict reader accepts, the lenient one accepts with the same content and the same signature.
    private func compareForms(_ bytes: [UInt8], _ facts: Facts) {
        guard let strict = try? SignedData(strict: bytes.span) else {
            return demand(facts.verdict != .valid, "valid, but not in the strict form")
        }
        let content = strict.content.indices.map { strict.content[$0] }
        guard let lenient = try? LenientSignedData(bytes.span, deviation: .contentType) else {
            return demand(facts.verdict != .valid, "valid, but the lenient reader refuses it")
        }
        demand(lenient.content.indices.map { lenient.content[$0] } == content, "the forms have other contents")
        guard let signature = facts.signature, signature.deviation == nil else { return }
        guard let signer = try? verifier.signer(of: lenient) else {
            return demand(facts.verdict != .valid, "valid, but the lenient reader finds no signer")
        }
        let other = verifier.verdict(on: lenient, by: signer, at: facts.createdAt)
        demand(other.signature == signature.signature, "\(signature.signature), but lenient \(other.signature)")
        demand(other.contentDigest.octets.isSame(as: signature.contentDigest.octets), "the forms have other digests")
        demand(other.chain.trust == signature.chain.trust, "\(signature.chain.trust), but lenient \(other.chain.trust)")
    }

    /// What is valid is the one encoding of its parsed fields, and OpenSSL accepts it.
    private func checkValid(_ bytes: [UInt8], _ facts: Facts) {
        demand((try? DERRewriter.der(of: bytes.span)) == bytes, "valid, but not DER")
        demand(CanonicalContainer.isCanonical(bytes, facts), "valid, but not the encoding of what was parsed")
        demand(OpenSSLAnswer(bytes, roots: [], at: Settings.asOf).signed != nil, "valid, but OpenSSL refuses it")
    }

    /// What was met before makes no difference.
    private func compareWithNewcomer(_ bytes: [UInt8], _ facts: Facts) {
        guard let newcomer = try? Checker(trust: trust, expectations: Expectations(asOf: Settings.asOf)) else {
            return demand(false, "no checker")
        }
        let other = newcomer.facts(of: Settings.claim, receipt: bytes.span)
        demand(other.failed == facts.failed, "\(facts.failed), but at first sight \(other.failed)")
        demand(other.notChecked == facts.notChecked, "other checks were made at first sight")
    }

    private func show(_ bytes: [UInt8], _ facts: Facts) {
        let inspection = checker.inspection(of: Settings.claim, receipt: bytes)
        checkShown(inspection)
        guard !inspection.isBase64 else { return }
        demand(inspection.facts.failed == facts.failed, "\(facts.failed), but inspected \(inspection.facts.failed)")
    }
}

/// What is shown of an inspection is safe for a terminal, and the JSON is JSON.
func checkShown(_ inspection: Inspection) {
    for line in InspectionText(inspection, isColored: false).lines {
        demand(isPrintable(line), "not fit for a terminal: \(line.debugDescription)")
    }
    guard let json = try? InspectionJSON.text(of: inspection) else { return demand(false, "no JSON") }
    demand(json.split(separator: "\n").allSatisfy { isPrintable(String($0)) }, "JSON that is not fit for a terminal")
    demand((try? JSONDecoder().decode(AnyValue.self, from: Data(json.utf8))) != nil, "the JSON is none")
    let facts = inspection.facts
    for result in inspection.checks {
        demand((result.outcome == .failed) == facts.failed.contains(result.check), "\(result.check): \(result.outcome)")
        guard facts.notChecked.contains(result.check) else { continue }
        demand(result.outcome != .passed, "\(result.check) is a pass, and was not made")
    }
}

/// Any JSON value, not looked into.
struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
}
