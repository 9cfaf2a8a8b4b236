import Inputs

/// Joins devices by the findings that they have in common, and tells which of them hang together as a ring.
///
/// It holds the devices of those findings, and of each finding only as many as were counted exactly.
public struct RingSearch: Sendable {
    private let rules: RuleSet
    private let number: Int
    private let joining: Set<Int>
    private var parents: [Device: Device] = [:]
    private var joined: [(device: Device, involved: Involved)] = []

    public init(_ rules: RuleSet) {
        self.rules = rules
        let ids = RuleBook.rules.map { $0.documentation.id }
        number = ids.firstIndex(of: FraudRing.documentation.id) ?? 0
        joining = Set(ids.indices.filter { FraudRing.joining.contains(ids[$0]) })
    }

    /// Whether a finding joins devices.
    public func isJoining(_ finding: Finding) -> Bool { joining.contains(finding.rule) }

    /// Joins the devices of a finding, if its rule is one that joins.
    ///
    /// - Returns: the finding's number among those that join, by which ``ring(of:)`` knows it.
    @discardableResult
    public mutating func take(_ finding: Finding) -> Int? {
        guard rules.ring != nil, isJoining(finding), let first = finding.involved.devices.sorted.first else {
            return nil
        }
        for device in finding.involved.devices.sorted { join(device, first) }
        joined.append((first, finding.involved))
        return joined.count - 1
    }

    /// The rings, each as a finding about the least of its devices.
    public mutating func findings() -> [Finding] {
        guard let rule = rules.ring else { return [] }
        var rings: [Device: (findings: Int, involved: Involved)] = [:]
        for (device, involved) in joined {
            let root = root(of: device)
            rings[root, default: (0, Involved())].findings += 1
            rings[root, default: (0, Involved())].involved.formUnion(involved)
        }
        return rings.values.compactMap { ring in
            guard ring.findings >= rule.findings, ring.involved.devices.isMore(than: rule.devices - 1) else {
                return nil
            }
            return finding(about: ring.involved, findings: ring.findings)
        }
    }

    private func finding(about involved: Involved, findings: Int) -> Finding {
        let devices = involved.devices.sorted
        let evidence =
            "\(involved.devices.countText) devices joined by \(findings) findings: "
            + devices.listed(of: involved.devices.countText) { $0.description }
        var finding = Finding(
            severity: rules.severity(of: number, Hit(evidence)), rule: number,
            subject: "device:" + (devices.first?.description ?? ""), involved: involved, evidence: evidence)
        finding.noteEstimates()
        return finding
    }

    private mutating func join(_ first: Device, _ second: Device) {
        let (a, b) = (root(of: first), root(of: second))
        if a == b { return }
        if a < b { parents[b] = a } else { parents[a] = b }
    }

    /// The least device of those joined with this one; shortens the way to it.
    private mutating func root(of device: Device) -> Device {
        var root = device
        while let parent = parents[root], parent != root { root = parent }
        var next = device
        while let parent = parents[next], parent != root {
            parents[next] = root
            next = parent
        }
        return root
    }
}
