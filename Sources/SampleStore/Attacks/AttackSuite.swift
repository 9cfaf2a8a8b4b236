/// The attack suite: every known way to forge an app receipt, and controls (CONTRACT: every one has a fixed id).
public enum AttackSuite {
    /// The version of the files' form.
    public static let version = 1

    /// All cases, in the order of their groups.
    public static let cases: [AttackCase] = AttackGroup.allCases.flatMap { group in
        cases(of: group).map { $0.inGroup(group) }
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
