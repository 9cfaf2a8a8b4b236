/// The attack suite: every known way to forge an app receipt, and controls that must be accepted.
public enum AttackSuite {
    /// The version of the files' form.
    public static let version = 1

    /// All cases, in the order of their groups.
    public static let cases: [AttackCase] = AttackGroup.allCases.flatMap { group in
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
        case .cost: cost
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
    case cost

    /// A sentence that says what the cases of the group have in common.
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
        case .cost: "Made to keep a verifier busy, or out of memory."
        }
    }
}
