import Encodings
import Inputs

/// Finds devices that are connected by findings.
package struct FraudRing: Rule {
    package static let documentation = RuleDocumentation(
        id: "fraud-ring",
        title: "Devices that pass receipts among each other",
        severity: .critical,
        raisedWhen: """
            \(minDevices.standard) or more devices are joined by \(minFindings.standard) or more findings of \
            `shared-receipt`, `shared-account` or `transaction-conflict`
            """,
        why: """
            One shared receipt can be an accident. Several that lead from device to device are a group that passes \
            purchases around, or a service that sells them.
            """,
        whenWrong: """
            One person with many devices, restored from one backup, looks like a small ring. A test department does, \
            too: put the device that the ring is named after (`device:…`) on the allow list, and the receipts and \
            transactions that join it.
            """,
        whatToDo: "Look at the ring as a whole: its devices and accounts are listed. Act on all of it at once.",
        limits: [minDevices, minFindings])

    package static let examples: [RuleExample] = [
        .raised(
            "two receipts lead from A to B and from B to C", .critical,
            ExampleClaim(device: "A", receipt: ExampleReceipt(1)),
            ExampleClaim(device: "B", deviceHashMatches: false, receipt: ExampleReceipt(1)),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2)),
            ExampleClaim(device: "C", deviceHashMatches: false, receipt: ExampleReceipt(2))),
        .clear(
            "one receipt on three devices is one finding, and no ring",
            ExampleClaim(device: "A"), ExampleClaim(device: "B", deviceHashMatches: false),
            ExampleClaim(device: "C", deviceHashMatches: false)),
    ]

    private static let minDevices = RuleLimit(
        "devices", standard: 3, in: 2...1_000_000, "at least this many devices are joined")
    private static let minFindings = RuleLimit(
        "findings", standard: 2, in: 1...1_000_000, "at least this many findings join them")

    /// The least of the ring's devices.
    package static let subjects = [SubjectKind.device]

    /// The rules whose findings join devices, by id.
    fileprivate static let joining: Set<ExactText> = ["shared-receipt", "shared-account", "transaction-conflict"]

    fileprivate let minDevices: Int
    fileprivate let minFindings: Int

    package init(_ policy: Policy) {
        minDevices = policy.value(of: Self.minDevices, in: Self.self)
        minFindings = policy.value(of: Self.minFindings, in: Self.self)
    }
}

/// Joins devices by their common findings, and reports connected ones as rings.
///
/// It holds the devices of those findings, and of each finding only as many as are counted exactly.
public struct RingSearch: Sendable {
    private let rules: RuleSet
    /// The numbers of the rules whose findings join devices.
    private let joining: Set<Int>
    /// A union-find forest: for each device that is not the least of those it is joined with, a lesser one of them.
    private var parents: [Device: Device] = [:]
    private var joined: [Involved] = []

    public init(_ rules: RuleSet) {
        self.rules = rules
        joining = Set(RuleBook.ids.indices.filter { FraudRing.joining.contains(RuleBook.ids[$0]) })
    }

    /// Returns whether a finding's rule is one that joins devices.
    public func isJoining(_ finding: Finding) -> Bool { rules.ring != nil && joining.contains(finding.rule) }

    /// Joins the devices of a finding.
    public mutating func join(_ involved: Involved) {
        joined.append(involved)
        let devices = involved.devices.sorted
        for device in devices.dropFirst() { join(devices[0], device) }
    }

    private mutating func join(_ first: Device, _ second: Device) {
        let (a, b) = (least(of: first), least(of: second))
        if a < b { parents[b] = a } else if b < a { parents[a] = b }
    }

    /// Returns the least of the devices that are joined with this one, and shortens the path to it.
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

    /// Connected devices: a finding about the least of them, and the indices of the findings that join them, in the
    /// order of ``join(_:)``.
    public struct Ring: Sendable {
        public var finding: Finding
        public var members: [Int]
    }

    /// Returns the rings in the order of their least devices.
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
            guard ring.members.count >= rule.minFindings, ring.involved.devices.isMore(than: rule.minDevices - 1)
            else { return nil }
            return Ring(finding: finding(about: ring.involved, ring.members.count), members: ring.members)
        }
    }

    private func finding(about involved: Involved, _ findings: Int) -> Finding {
        let devices = involved.devices
        let list = devices.sorted.listed(of: devices.countText) { $0.description }
        let evidence = "\(devices.countText) devices joined by \(findings) findings: \(list)"
        var finding = Finding(
            severity: rules.severity(of: RuleBook.ringNumber, Hit(evidence)), rule: RuleBook.ringNumber,
            subject: "device:\(devices.sorted.first?.description ?? "")", involved: involved, evidence: evidence)
        finding.appendEstimates()
        return finding
    }
}
