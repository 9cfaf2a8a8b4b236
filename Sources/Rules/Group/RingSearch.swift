import Encodings
import Inputs

/// Connects findings by accounts and matching devices, and reports connected ones as rings.
///
/// Memory: each finding has no more devices and accounts than are counted exactly.
public struct RingSearch: Sendable {
    /// The maximum number of findings to search, those with the smallest names. The caller sees to it.
    public static let limit = 1_000_000

    private let rules: RuleSet
    private var joined: [Participants] = []
    private var confidences: [Confidence] = []
    /// A union-find forest: maps each finding to the smallest one that it is known to be connected with.
    private var parents: [Int] = []
    /// The first finding of each account, and of each matching device.
    private var ofAccount: [ExactText: Int] = [:]
    private var ofDevice: [Device: Int] = [:]
    public init(_ rules: RuleSet) { self.rules = rules }

    /// Returns whether a finding may be part of a ring.
    public func isJoining(_ finding: Finding) -> Bool { rules.isJoining(finding) }

    /// Connects a finding with earlier ones.
    public mutating func join(_ finding: Finding) {
        let number = joined.count
        joined.append(finding.involved)
        confidences.append(finding.confidence)
        parents.append(number)
        guard let links = finding.involved.links else { return }
        for account in links.accounts.sorted {
            if let first = ofAccount[account] { connect(first, number) } else { ofAccount[account] = number }
        }
        for device in links.matchingDevices.sorted {
            if let first = ofDevice[device] { connect(first, number) } else { ofDevice[device] = number }
        }
    }

    private mutating func connect(_ first: Int, _ second: Int) {
        let (a, b) = (least(of: first), least(of: second))
        if a != b { parents[max(a, b)] = min(a, b) }
    }

    /// Returns the smallest finding that is connected with this one, and shortens the path to it.
    private mutating func least(of number: Int) -> Int {
        var least = number
        while parents[least] != least { least = parents[least] }
        var next = number
        while parents[next] != least { (next, parents[next]) = (parents[next], least) }
        return least
    }

    /// A group of connected findings: one finding about all of them, and their indices in the order of ``join(_:)``.
    public struct Ring: Sendable {
        public var finding: Finding
        public var members: [Int]
        /// The highest severity of a mark on its claims.
        public var worstMark: Severity
    }

    /// Returns the rings in the order of their subjects.
    public mutating func rings() -> [Ring] {
        guard let rule = rules.ring else { return [] }
        var connected: [Int: [Int]] = [:]
        for number in joined.indices { connected[least(of: number), default: []].append(number) }
        let rings = connected.values.compactMap { members -> Ring? in
            let parts = members.map { joined[$0] }
            let whole = parts.reduce(into: Participants()) { $0.add($1) }
            guard rule.isRing(whole, of: parts), let links = whole.links else { return nil }
            var finding = finding(about: whole, links, of: parts)
            guard !links.matchingDevices.isMore(than: 0) else {
                return Ring(finding: finding, members: members, worstMark: finding.severity)
            }
            // Anybody may be the owner of what nothing matches.
            finding.confidence = members.map { confidences[$0] }.min() ?? .possible
            return Ring(finding: finding, members: members, worstMark: min(.medium, finding.severity))
        }
        return rings.sorted { ($0.finding.subject, $0.members[0]) < ($1.finding.subject, $1.members[0]) }
    }

    private func finding(about whole: Participants, _ links: RingLinks, of members: [Participants]) -> Finding {
        let devices = links.devices
        let list = devices.sorted.listed(of: devices.countText) { $0.description }
        var evidence = "\(devices.countText) devices joined by \(members.count) findings: \(list)"
        let isNamed = links.accounts.isMore(than: 0)
        if isNamed { evidence += "; \(links.accounts.accountsText)" }
        evidence += "; about " + members.compactMap { $0.links?.subject }.sorted().listedOfAll { $0.text }
        var involved = whole
        involved.links = nil
        return Finding(
            severity: rules.severity(of: RuleBook.ringNumber, Hit(evidence)), rule: RuleBook.ringNumber,
            subject: Self.subject(of: members, hasMatch: links.matchingDevices.isMore(than: 0)), involved: involved,
            evidence: evidence,
            confidence: isNamed ? .likely : .possible)
    }

    /// Returns the name of a ring: the account with mismatching claims in several findings and neither a matching nor a
    /// first claim in any of them; otherwise, or if nothing matches, something that the findings share.
    private static func subject(of members: [Participants], hasMatch: Bool) -> ExactText {
        var findings: [ExactText: Int] = [:]
        for member in members {
            for account in member.links?.mismatchedAccounts.sorted ?? [] { findings[account, default: 0] += 1 }
        }
        let cleared = members.compactMap { $0.links?.clearedAccounts }
        // An incomplete set may contain any account.
        if hasMatch, cleared.allSatisfy(\.isExact) {
            for account in cleared.flatMap(\.sorted) { findings[account] = nil }
            if let account = findings.filter({ $0.value > 1 }).keys.min() { return "account:\(account)" }
        }
        let subjects = members.compactMap { $0.links?.subject }.sorted()
        return subjects.first { $0.hasPrefix("transaction:") } ?? subjects.first ?? ""
    }
}
