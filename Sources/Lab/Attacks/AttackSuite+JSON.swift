import Encodings

extension AttackCase {
    /// The file's name in the suite's folder.
    public var file: String { "cases/\(id).json" }

    /// Returns the case's file.
    func json(_ claim: AttackClaim) -> SampleJSON {
        .object(
            head + [
                ("summary", .text(text.summary)), ("why", .text(text.why)), ("reference", .text(text.reference)),
                ("as_of", .text(claim.asOf.description)), ("device_id", .text(claim.deviceID)),
                ("device_verification_id", claim.deviceVerificationID.map(SampleJSON.text) ?? .null),
                ("bundle_id", .text(claim.bundleID)), ("app_version", claim.appVersion.map(SampleJSON.text) ?? .null),
                ("allowed_environments", claim.allowedEnvironments.map(SampleJSON.texts) ?? .null),
                ("trust_anchors", .list(claim.trustAnchors.map(SampleJSON.base64))),
                ("expected", expected), ("proof_form", .text(claim.isText ? "text" : "octets")),
                ("proof", .base64(claim.proof)),
            ])
    }

    /// The case's entry in the index.
    var indexEntry: SampleJSON {
        .object(head + [("file", .text(file)), ("summary", .text(text.summary)), ("expected", expected)])
    }

    private var head: [(String, SampleJSON)] {
        [
            ("id", .text(id)), ("group", .text(group.rawValue)), ("kind", .text(text.kind.rawValue)),
            ("control", .bool(isControl)), ("may_reject", .bool(text.mayReject)),
        ]
    }

    private var expected: SampleJSON {
        .object([("verdict", .text(verdict)), ("failed_checks", .texts(text.failedChecks.map(\.rawValue)))])
    }

    /// The case's line in the tab-separated index.
    var indexLine: String {
        [
            id, group.rawValue, text.kind.rawValue, verdict, text.failedChecks.map(\.rawValue).joined(separator: ";"),
            text.mayReject ? "yes" : "no", file, text.summary,
        ].joined(separator: "\t")
    }
}

extension AttackSuite {
    /// `index.json`: every case, in order.
    static var index: SampleJSON {
        .object([("version", .number(version)), ("cases", .list(cases.map(\.indexEntry)))])
    }

    /// `index.tsv`: the same for programs that read lines.
    static var indexTable: String {
        (["id\tgroup\tkind\tverdict\tfailed_checks\tmay_reject\tfile\tsummary"] + cases.map(\.indexLine))
            .map { $0 + "\n" }.joined()
    }

    /// `schema.json`: the schema of a case's file (JSON Schema, draft 2020-12).
    static var schema: SampleJSON {
        typealias Members = [(String, SampleJSON)]
        let text = SampleJSON.object([("type", .text("string"))])
        let base64 = ("contentEncoding", SampleJSON.text("base64"))
        func described(_ type: String, _ description: String, _ more: (String, SampleJSON)...) -> SampleJSON {
            .object([("type", .text(type)), ("description", .text(description))] + more)
        }
        func optional(_ type: String, _ description: String) -> SampleJSON {
            .object([("type", .texts([type, "null"])), ("description", .text(description)), ("items", text)])
        }
        func oneOf(_ values: [String], _ more: (String, SampleJSON)...) -> SampleJSON {
            .object([("enum", .texts(values))] + more)
        }
        let id = described("string", "The case's name; never changes.", ("pattern", .text("^[a-z0-9]+(-[a-z0-9]+)*$")))
        let mayReject = "Whether a verifier may refuse a control for a form that it does not read."
        let device = "The claimed device: a UUID or MAC address; alternatives are joined by |."
        let anchors = described(
            "array", "The trusted root certificates in DER, and no others.",
            ("items", .object([("type", .text("string")), base64])))
        let failed = described(
            "array", "The checks of audit that fail; other verifiers need only the verdict.",
            ("items", oneOf(Forgery.ofReceipts.map(\.rawValue))))
        let expected: Members = [("verdict", oneOf(["valid", "invalid", "unreadable"])), ("failed_checks", failed)]
        let form = "octets: DER, or what stands in its place. text: base64, PEM, a token (JWS) or the like."
        let verification = "StoreKit's AppStore.deviceVerificationID on the claimed device, for tokens; null: unknown."
        let members: Members = [
            ("id", id),
            ("group", oneOf(AttackGroup.allCases.map(\.rawValue))),
            (
                "kind",
                oneOf(AttackKind.allCases.map(\.rawValue), ("description", .text("What the proof is, or claims.")))
            ),
            ("control", described("boolean", "Whether the proof is genuine and must be accepted.")),
            ("may_reject", described("boolean", mayReject)),
            ("summary", described("string", "What the proof is, in one sentence.")),
            ("why", described("string", "Why it must be refused, or accepted.")),
            ("reference", described("string", "The standard, document or vulnerability.")),
            ("as_of", described("string", "The instant of the check, RFC 3339.", ("format", .text("date-time")))),
            ("device_id", described("string", device)),
            ("device_verification_id", optional("string", verification)),
            ("bundle_id", described("string", "The bundle id of the app that the proof is presented to.")),
            ("app_version", optional("string", "The version that the receipt must have; null: any.")),
            (
                "allowed_environments",
                optional("array", "The environments (a receipt's attribute 0) that count; null: all.")
            ),
            ("trust_anchors", anchors),
            ("expected", object(of: expected)),
            ("proof_form", oneOf(["octets", "text"], ("description", .text(form)))),
            ("proof", described("string", "The octets that are presented.", base64)),
        ]
        return object(
            of: members, ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text("A case of the attack suite for App Store receipts")))
    }

    /// Returns the schema of an object that has all of these members.
    private static func object(
        of members: [(String, SampleJSON)], _ head: (String, SampleJSON)...
    ) -> SampleJSON {
        .object(
            head + [
                ("type", .text("object")), ("required", .texts(members.map(\.0))), ("properties", .object(members)),
            ])
    }
}
