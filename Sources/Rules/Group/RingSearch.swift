import Encodings
import Inputs

/// Joins devices by the findings that they have in common, and tells which of them hang together as a ring.
///
/// It holds the devices of those findings, and of each finding only as many as are counted exactly.
public struct RingSearch: Sendable {
    private let rules: RuleSet
    private let number: Int
    private let joining: Set<Int>
    /// For each device that is not the least of those it is joined with: one that is less.
    private var parents: [Device: Device] = [:]
    private var joined: [Involved] = []

    public init(_ rules: RuleSet) {
        self.rules = rules
        number = RuleBook.ids.firstIndex(of: FraudRing.documentation.id) ?? 0
        joining = Set(RuleBook.ids.indices.filter { FraudRing.joining.contains(RuleBook.ids[$0]) })
    }

    /// Whether a finding's rule is one that joins devices.
    public func isJoining(_ finding: Finding) -> Bool { rules.ring != nil && joining.contains(finding.rule) }

    /// Joins the devices that a finding is about.
    public mutating func join(_ involved: Involved) {
        joined.append(involved)
        let devices = involved.devices.sorted
        for device in devices.dropFirst() { join(devices[0], device) }
    }

    /// Devices that hang together, as a finding about the least of them, and the findings that it is made of, as
    /// numbers in the order in which they were joined.
    public struct Ring: Sendable {
        public var finding: Finding
        public var members: [Int]
    }

    public mutating func rings() -> [Ring] {
        guard let rule = rules.ring else { return [] }
        var rings: [Device: (involved: Involved, members: [Int])] = [:]
        for (member, involved) in joined.enumerated() {
            guard let device = involved.devices.sorted.first else { continue }
            let least = least(of: device)
            rings[least, default: (Involved(), [])].involved.formUnion(involved)
            rings[least, default: (Involved(), [])].members.append(member)
        }
        return rings.sorted { $0.key < $1.key }.compactMap { _, ring in
            guard ring.members.count >= rule.findings, ring.involved.devices.isMore(than: rule.devices - 1) else {
                return nil
            }
            return Ring(finding: finding(about: ring.involved, ring.members.count), members: ring.members)
        }
    }

    private func finding(about involved: Involved, _ findings: Int) -> Finding {
        let devices = involved.devices
        let list = devices.sorted.listed(of: devices.countText) { $0.description }
        let evidence = "\(devices.countText) devices joined by \(findings) findings: \(list)"
        var finding = Finding(
            severity: rules.severity(of: number, Hit(evidence)), rule: number,
            subject: "device:\(devices.sorted.first?.description ?? "")", involved: involved, evidence: evidence)
        finding.noteEstimates()
        return finding
    }

    private mutating func join(_ first: Device, _ second: Device) {
        let (a, b) = (least(of: first), least(of: second))
        if a < b { parents[b] = a } else if b < a { parents[a] = b }
    }

    /// The least of the devices that are joined with this one; shortens the way to it.
    private mutating func least(of device: Device) -> Device {
        var least = device
        while let parent = parents[least] { least = parent }
        var next = device
        while let parent = parents[next], parent != least {
            parents[next] = least
            next = parent
        }
        return least
    }
}
