/// What thieves do besides, so that a rule overlooks them or accuses their victim.
public enum Tactic: String, Codable, CaseIterable, Sendable {
    /// Two of seven own old renewals that a family shared, whose tokens do not name the Apple Account.
    case familyShield = "family-shield"
    /// One of seven shows a week of fifty seats, which was refunded and has ended.
    case seatsShield = "seats-shield"
    /// A third account has a member's token from before and after tokens named the Apple Account.
    case memberTokens = "member-two-tokens"
    /// Seven accounts with names such as a spreadsheet makes of long numbers.
    case placeholderNames = "placeholder-names"
    /// They present copies before the owner, whose phone was reinstalled, so that nothing matches.
    case earlyThieves = "early-thieves"
    /// They present the refund, and a copy from before it, with the id of the owner's device.
    case ownersDevice = "owners-device"
    /// They present copies after the owner's hand-over to a new phone and a reopened account.
    case framedHandOver = "framed-hand-over"

    var claims: Int {
        switch self {
        case .familyShield: 9
        case .seatsShield: 8
        case .placeholderNames: 7
        case .earlyThieves: 6
        case .memberTokens, .framedHandOver: 4
        case .ownersDevice: 3
        }
    }
}

extension Plant {
    /// The tactic of a cluster, in the second half of the turns.
    func tactic(turn: Int) -> Tactic? {
        guard turn % Self.turnsOfSizes >= Self.turnsOfSizes / 2 else { return nil }
        switch self {
        case .sharedAccount: return Tactic.allCases[turn % 4]
        case .fraudRing: return .earlyThieves
        case .hiddenRefund: return .ownersDevice
        case .sharedReceipt: return .framedHandOver
        default: return nil
        }
    }
}

/// A cluster with a tactic: the findings that the tactic must not hide, and who must not be accused in any of them.
public struct PlantedTactic: Codable, Sendable, Equatable {
    public struct Finding: Codable, Sendable, Equatable { public let rule, subject: String }

    public let tactic: Tactic
    public let findings: [Finding]
    /// The names of the victims' claims.
    public let victims: [String]
}

extension SampleExport {
    /// Returns the clusters with tactics.
    public func plantedTactics() -> [PlantedTactic] {
        (0..<layout.clusters).lazy.map(cluster).compactMap { cluster in
            guard let tactic = cluster.tactic else { return nil }
            let findings = cluster.expectedFindings(by: authorities)
                .map { PlantedTactic.Finding(rule: $0.rule, subject: $0.subject) }
            let victims = cluster.victims.map { SampleClaim.source(at: cluster.members[$0].draft.index) }
            return PlantedTactic(tactic: tactic, findings: findings, victims: victims)
        }
    }
}
