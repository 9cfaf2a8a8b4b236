/// The attack suite: every known way to forge a receipt or a token, and controls that must be accepted.
public enum AttackSuite {
    /// The version of the files' format.
    public static let version = 1

    /// All cases, in the order of their groups.
    public static let cases: [AttackCase] = AttackGroup.allCases.flatMap(grouped)

    /// The cases of tokens.
    public static let tokenCases: [AttackCase] = AttackGroup.ofTokens.flatMap(grouped)

    private static func grouped(_ group: AttackGroup) -> [AttackCase] {
        cases(of: group).map { test in
            var test = test
            test.group = group
            return test
        }
    }

    private static func cases(of group: AttackGroup) -> [AttackCase] {
        switch group {
        case .controls: controls + textControls
        case .containers: containerForms + containerFields + containerKinds
        case .signerIdentifiers: signerIdentifiers
        case .chains: markers + chainShapes + untrustedChains
        case .validity: validity
        case .certificates: certificates
        case .signatures: signedOctets + paddings + numbers + algorithms
        case .content: repeatedAttributes + missingAttributes + contentForms
        case .purchases: purchases
        case .devices: deviceHashes + deviceIdentifiers
        case .apps: apps
        case .environments: environments
        case .rewraps: rewraps
        case .text: armour + alphabets
        case .otherObjects: otherObjects
        case .cost: cost
        case .tokenControls: tokenControls + tokenFormControls
        case .tokenContainers: tokenHeaders + tokenAlphabets + tokenSerializations
        case .tokenSignatures: tokenAlgorithms + tokenNumbers
        case .tokenChains: tokenCertificates + tokenChains + tokenValidity
        case .tokenContent: tokenJSON + tokenMembers + otherTokens
        case .tokenDevices: tokenDevices
        case .tokenApps: tokenApps
        case .tokenRewraps: tokenRewraps
        case .tokenCost: tokenCost
        }
    }
}

/// The groups of the attack suite, in the order of its index.
public enum AttackGroup: String, CaseIterable, Sendable {
    case controls
    case containers
    case signerIdentifiers = "signer-identifiers"
    case chains
    case validity
    case certificates
    case signatures
    case content
    case purchases
    case devices
    case apps
    case environments
    case rewraps
    case text
    case otherObjects = "other-objects"
    case cost
    case tokenControls = "token-controls"
    case tokenContainers = "token-containers"
    case tokenSignatures = "token-signatures"
    case tokenChains = "token-chains"
    case tokenContent = "token-content"
    case tokenDevices = "token-devices"
    case tokenApps = "token-apps"
    case tokenRewraps = "token-rewraps"
    case tokenCost = "token-cost"

    /// The groups of the suite.
    public static let allCases = ofReceipts + ofTokens
    /// The groups of app receipts.
    public static let ofReceipts: [AttackGroup] = [
        .controls, .containers, .signerIdentifiers, .chains, .validity, .certificates, .signatures, .content,
        .purchases, .devices, .apps, .environments, .rewraps, .text, .otherObjects, .cost,
    ]
    /// The groups of tokens.
    public static let ofTokens: [AttackGroup] = [
        .tokenControls, .tokenContainers, .tokenSignatures, .tokenChains, .tokenContent, .tokenDevices, .tokenApps,
        .tokenRewraps, .tokenCost,
    ]

    /// Whether the group contains only controls.
    public var isOfControls: Bool { self == .controls || self == .tokenControls }

    /// A sentence about what the cases of the group have in common.
    public var summary: String {
        switch self {
        case .controls: "Unusual but genuine: these must be accepted."
        case .containers: "The signature holds, but the container around it is not in the one form that Apple writes."
        case .signerIdentifiers: "The SignerInfo names its signer wrongly, ambiguously, or with octets to spare."
        case .chains: "The signer's chain does not lead to the root by the rules, or is not that of receipt signing."
        case .validity: "A certificate was not valid when the receipt was created."
        case .certificates: "The container's certificates are altered, repeated, or do not belong there."
        case .signatures: "The number in the signature field is not the one signature over the content."
        case .content: "What was signed is no receipt, or can be read in two ways."
        case .purchases: "The receipt is one, but a purchase in it is malformed."
        case .devices:
            "The device hash is not that of the claimed device, in every order and encoding that was ever tried."
        case .apps: "The receipt is another app's or version's, also of one whose name looks the same."
        case .environments: "The receipt comes from an environment that does not count."
        case .rewraps: "Genuine content in a container of the forger's, or the other way round."
        case .text: "Base64, PEM and other text around the proof, by which decoders differ."
        case .otherObjects:
            "What Apple signs for other purposes, which accuses nobody, and forgeries that pose as it, which do."
        case .cost: "Made to keep a verifier busy, or out of memory."
        case .tokenControls: "Unusual but genuine tokens: these must be accepted."
        case .tokenContainers: "The three parts of the token, or its header, are not in the one form that Apple writes."
        case .tokenSignatures: "The token is signed by another algorithm, or by numbers that no signature has."
        case .tokenChains: "The certificates in x5c do not lead to the root by the rules, or were not valid then."
        case .tokenContent: "What was signed is no token of a known kind, or can be read in two ways."
        case .tokenDevices: "The device verification is not that of the claimed device."
        case .tokenApps: "The token is another app's or version's, or of an environment that does not count."
        case .tokenRewraps: "Parts of several tokens are put together."
        case .tokenCost: "Made to keep a verifier of tokens busy, or out of memory."
        }
    }
}

/// The folder of a written attack suite: `cases/`, `index.json`, `index.tsv`, `schema.json` and `README.md`.
public struct AttackFolder {
    private let folder: GeneratedFolder

    public init(_ path: String) {
        folder = GeneratedFolder(
            path: path, content: "an attack suite",
            names: ["README.md", "cases", "index.json", "index.tsv", "schema.json"], title: AttackReadme.title)
    }

    /// Writes the whole suite: the same bytes each time.
    ///
    /// - Parameter replacing: whether to remove an earlier suite first.
    /// - Throws: an error with the reason why the folder is not written, or the file that could not be written.
    public func write(replacing: Bool = false) throws {
        try folder.prepare(replacing: replacing, subfolder: "cases")
        let kit = try AttackKit()
        for test in AttackSuite.cases {
            try folder.write(test.json(test.claim(kit)).file, to: test.file)
        }
        try folder.write(AttackSuite.index.file, to: "index.json")
        try folder.write(Array(AttackSuite.indexTable.utf8), to: "index.tsv")
        try folder.write(AttackSuite.schema.file, to: "schema.json")
        try folder.write(Array(AttackReadme.text.utf8), to: "README.md")
    }
}

/// The README of the attack suite, which explains its use and lists every case.
enum AttackReadme {
    /// The first line, which identifies the folder of a suite.
    static let title = "# Attack suite for App Store receipts and tokens"

    static var text: String {
        let controls = AttackSuite.cases.filter(\.isControl).count
        return """
            \(title)

            \(AttackSuite.cases.count - controls) ways to forge an app receipt (PKCS #7) or a StoreKit 2 token (JWS), and \
            \(controls) unusual ones that are genuine, one JSON file each.
            A verifier must refuse the first and accept the second. Everything is signed by a private test store whose keys are
            public: nothing in here is Apple's or anybody's.

            - `cases/ID.json`: one case. `schema.json` (JSON Schema) says what it holds.
            - `index.json`, `index.tsv`: all cases, in order.

            ## How to use it

            For each file: decode `proof` from base64; trust the certificates in `trust_anchors` and no others; take `as_of` for
            the present; check that the receipt is signed, that it belongs to `bundle_id` and `device_id`, and, where they are
            not null, to `app_version` and one of `allowed_environments`; a token belongs to `device_verification_id` instead of
            `device_id`. Then compare with `expected.verdict`:

            - `valid`: it must be accepted, unless `may_reject` is true: then your verifier may not read that form.
            - `invalid`, `unreadable`: it must be refused. The second says that there is nothing to check; a verifier that knows
              no difference refuses both. `expected.failed_checks` are the codes of `audit`; its `audit-lab` wrote this.

            If `proof_form` is `text`, the octets are base64, PEM or something like it, as a device would send them: hand them to
            whatever decodes what devices send. If it is `octets`, they are DER, or what stands in its place.

            A chain is judged at the receipt's creation date, not at `as_of`: Apple's signing certificates live two years, its
            receipts longer. Ids never change; later versions of the suite only add cases.

            \(groups)
            """
    }

    private static var groups: String {
        AttackGroup.allCases.map { group in
            let cases = AttackSuite.cases.filter { $0.group == group }
            let rows = cases.map { test in
                let checks = test.text.failedChecks.map { "`\($0.rawValue)`" }.joined(separator: ", ")
                return "| [\(test.id)](\(test.file)) | \(test.text.summary) | \(checks.isEmpty ? "valid" : checks) |"
            }
            return """
                ## \(group.rawValue)

                \(group.summary)

                | id | what it is | expected |
                |---|---|---|
                \(rows.joined(separator: "\n"))

                """
        }.joined(separator: "\n")
    }
}
