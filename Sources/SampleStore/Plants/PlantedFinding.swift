import Encodings

/// A finding of a cluster, by the numbers of its claims.
struct PlantedFinding {
    enum Subject {
        case source
        case receipt
        /// The original transaction id.
        case transaction(String)
        case device
        case account
    }

    var rule: Plant
    var severity: ExpectedFinding.Severity
    var subject: Subject
    /// The claims that are involved. The first one names the subject.
    var members: [Int]
}

extension PlantedCluster {
    /// What an audit must find.
    var expectedFindings: [ExpectedFinding] {
        findings.map { finding in
            let claims = finding.members.map { members[$0] }.sorted { $0.draft.index < $1.draft.index }
            return ExpectedFinding(
                rule: finding.rule.rawValue, severity: finding.severity, subject: subject(of: finding),
                sources: claims.map { SampleClaim.source(at: $0.draft.index) },
                devices: Set(claims.map(\.device)).count,
                accounts: Set(claims.map(\.draft.row.accountID).filter { !$0.isEmpty }).count)
        }
    }

    private func subject(of finding: PlantedFinding) -> String {
        let first = members[finding.members.first ?? 0]
        switch finding.subject {
        case .source: return "source:" + SampleClaim.source(at: first.draft.index)
        case .receipt:
            let digest = SampleDigest.sha256.hash(first.draft.receipt.der)
            return "receipt:" + Hex.string(digest.span)
        case .transaction(let id): return "transaction:" + id
        case .device: return "device:" + first.device.text
        case .account: return "account:" + first.draft.row.accountID
        }
    }
}
