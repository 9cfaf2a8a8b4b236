public import Checks
public import Encodings
import Inputs
import Proofs
import Receipts

/// Writes an inspection for programs: one JSON object with keys that never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `receipt` | the file's path, or `standard input` |
/// | `size`, `is_base64` | the number of bytes received; whether they were base64 |
/// | `as_of` | the reference time |
/// | `verdict` | `valid`, `invalid` or `unreadable` |
/// | `failed_checks` | their codes, in the contract's order |
/// | `checks` | each check's `code`, `outcome` (`passed`, `failed`, `not-checked`) and `reason` |
/// | `guid` | `match`, `mismatch` or `not-checked` |
/// | `container` | `is_canonical`, `deviation`, `digest`, `content_size`, `content_sha256`, `certificates` (their number) |
/// | `chain` | `trust` (`trusted`, `untrusted`, `no-signer`), `reason`, `certificates`, signer first |
/// | `attributes` | `type`, `name`, `version`, `kind`, `value`, `raw` (hex), in the receipt's order |
/// | `kind` | `app-receipt`, or the kind of token: `transaction`, `renewal-info`, `app-transaction`, … |
/// | `claim_id`, `claim` | of a claim in an export: its id, and the values of its row by column name |
/// | `also` | the other rows of the export with the same content, at most a hundred |
/// | `answer` | of a receipt: what Apple's verifyReceipt would have answered, as far as the receipt proves it |
/// | `payload` | a token's members: `name` (a path, joined by dots), `kind`, `value`, `written` (a date as written), `unknown` (`member` or `value`: the part of it that this version does not know) |
/// | `unreadable` | bytes that are not attributes: `position`, `raw` |
///
/// The `kind` of an attribute is that of its `value`: `text`, `number`, `date` (in UTC), `empty` (`""`), `octets`
/// (`null`: there is only `raw`) or `purchase` (an object with its own `attributes` and `unreadable`). All keys are
/// always present; an unknown value is `null`.
public enum InspectionJSON {
    /// Returns the object, keys sorted, safe to print on a terminal.
    public static func text(of inspection: Inspection, others: [ExactText] = []) throws -> String {
        let facts = inspection.facts
        let tree: JSONTree = [
            "receipt": .text(facts.claim.source.text),
            "size": inspection.byteCount.map { .number($0) } ?? .null,
            "is_base64": .bool(inspection.isBase64),
            "as_of": .text(inspection.asOf.description),
            "verdict": .text(facts.verdict.rawValue),
            "failed_checks": .texts(facts.failed.sorted.map(\.code)),
            "checks": .array(
                inspection.checks.map {
                    [
                        "code": .text($0.check.code), "outcome": .text($0.outcome.rawValue), "reason": .text($0.reason),
                    ]
                }),
            "guid": .text(facts.deviceHash.rawValue),
            "container": container(inspection),
            "chain": chain(inspection),
            "attributes": .array((inspection.attributes?.attributes ?? []).map(attribute)),
            "unreadable": unreadable(inspection.attributes),
            "claim_id": .text(orNull: facts.id == .none ? nil : facts.id.description),
            "case_id": .text(orNull: facts.caseID == .none ? nil : facts.caseID.description),
            "claim": claim(facts),
            "also": .texts(others.map(\.text)),
            "kind": .text(orNull: facts.kind.isEmpty ? nil : facts.kind),
            "payload": payload(inspection.payload),
            "answer": try answer(inspection),
        ]
        return try tree.prettyText()
    }

    /// Returns the object for an inspection that was not possible: `error`, with its kind (`code`) and a `message`.
    public static func text(of failure: InspectionFailure, _ message: String) throws -> String {
        let tree: JSONTree = ["error": ["code": .text(failure.rawValue), "message": .text(message)]]
        return try tree.prettyText()
    }

    private static func answer(_ inspection: Inspection) throws -> JSONTree {
        guard inspection.facts.format == .container else { return .null }
        let answer = VerifyReceiptAnswer(inspection.facts, content: inspection.contents?.content)
        return try JSONTree(parsing: answer.json.bytes)
    }

    private static func claim(_ facts: Facts) -> JSONTree {
        guard facts.id != .none else { return .null }
        let members = facts.claim.asked.map { ($0.name, $0.value.isEmpty ? JSONTree.null : .text($0.value.text)) }
        return .object(Dictionary(members) { first, _ in first })
    }

    private static func container(_ inspection: Inspection) -> JSONTree {
        guard let contents = inspection.contents, let signature = inspection.facts.signature else { return .null }
        let contentDigest = signature.contentDigest
        return [
            "is_canonical": .bool(signature.deviation == nil),
            "deviation": .text(orNull: inspection.deviation),
            "digest": .text(orNull: signature.digestAlgorithm?.rawValue),
            "content_size": .number(contents.content.count),
            "content_sha256": .text(Hex.string(contentDigest.octets)),
            "certificates": .number(contents.certificates.count),
        ]
    }

    private static func chain(_ inspection: Inspection) -> JSONTree {
        guard let chain = inspection.facts.signature?.chain else { return .null }
        let (trust, reason): (String, String?) =
            switch chain.trust {
            case .noSigner: ("no-signer", nil)
            case .untrusted(let openSSL): ("untrusted", openSSL)
            case .trusted: ("trusted", nil)
            }
        let certificates = inspection.certificates.compactMap { try? $0.get() }
        return [
            "trust": .text(trust), "reason": .text(orNull: reason),
            "certificates": .array(certificates.map(certificate)),
        ]
    }

    private static func certificate(_ certificate: CertificateDescription) -> JSONTree {
        [
            "subject": .text(certificate.subject),
            "issuer": .text(certificate.issuer),
            "serial_number": .text(certificate.serialNumber),
            "not_before": .text(certificate.notBefore.description),
            "not_after": .text(certificate.notAfter.description),
            "public_key": .text(certificate.publicKey),
            "signature_algorithm": .text(certificate.signatureAlgorithm),
            "sha256": .text(certificate.fingerprint),
        ]
    }

    private static func attribute(_ attribute: ListedAttribute) -> JSONTree {
        let (kind, value): (String, JSONTree) =
            switch attribute.reading {
            case .text(let text): ("text", .text(text.text))
            case .number(let number): ("number", .number(number))
            case .date(let date, _): ("date", .text(date.description))
            case .empty: ("empty", .text(""))
            case .purchase(let listing):
                (
                    "purchase",
                    ["attributes": .array(listing.attributes.map(self.attribute)), "unreadable": unreadable(listing)]
                )
            case .octets: ("octets", .null)
            }
        return [
            "type": .number(attribute.type), "name": .text(orNull: attribute.name),
            "version": .number(attribute.version), "kind": .text(kind), "value": value,
            "raw": .text(Hex.string(attribute.octets.span)),
        ]
    }

    private static func unreadable(_ listing: AttributeListing?) -> JSONTree {
        .array(
            (listing?.unreadable ?? []).map {
                ["position": .number($0.position), "raw": .text(Hex.string($0.octets.span))]
            })
    }
}
