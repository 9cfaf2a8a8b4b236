public import Encodings
public import Inputs

/// One occurrence of a rule on one subject.
public struct Finding: Sendable {
    public var severity: Severity
    /// The rule's index in ``RuleBook/rules``.
    public var rule: Int
    /// `source:…`, `receipt:…` (SHA-256 of the content), `transaction:…` (the original transaction's id), `device:…` or
    /// `account:…`.
    public var subject: ExactText
    /// The claims, devices and accounts that it is about.
    public var involved: Involved
    public var evidence: String

    public var ruleID: ExactText { RuleBook.ids[rule] }

    public init(severity: Severity, rule: Int, subject: ExactText, involved: Involved, evidence: String) {
        self.severity = severity
        self.rule = rule
        self.subject = subject
        self.involved = involved
        self.evidence = evidence
    }

    /// Appends to the evidence which of the counts are estimates.
    mutating func appendEstimates() {
        if !involved.devices.isExact { evidence += "; the number of devices is an estimate" }
        if !involved.accounts.isExact { evidence += "; the number of accounts is an estimate" }
    }
}

/// Counts the claims, devices and accounts that a finding is about, in any order.
public struct Involved: Mergeable, Sendable {
    public private(set) var claims = 0
    public private(set) var devices = DistinctSketch<Device>()
    public private(set) var accounts = DistinctSketch<ExactText>()
    public private(set) var sources = FirstSources()

    public init() {}

    /// Restores what is involved in a finding, without the number of its claims.
    package init(devices: DistinctSketch<Device>, accounts: DistinctSketch<ExactText>, sources: [ExactText]) {
        (self.devices, self.accounts) = (devices, accounts)
        for source in sources { self.sources.insert(source) }
    }

    mutating func add(_ observation: Observation) {
        claims += 1
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        sources.insert(observation.source)
    }

    /// Adds what another finding is about, without its claims: they may be the same ones.
    mutating func formUnion(_ other: Involved) {
        devices.add(other.devices)
        accounts.add(other.accounts)
        for source in other.sources.names { sources.insert(source) }
    }

    /// Adds other claims, none of which is among these.
    package mutating func add(_ other: Involved) {
        claims = claims.addingSaturating(other.claims)
        formUnion(other)
    }

    /// Counts one more claim, whose device, account and source are included already.
    public mutating func countClaim() { claims += 1 }
}

/// The first ten of many sources, in the order of claims: by table, then by line; files by path.
public struct FirstSources: Codable, Sendable {
    private static let limit = 10

    public private(set) var names: [ExactText] = []

    init() {}

    mutating func insert(_ name: ExactText) {
        if names.count == Self.limit, let last = names.last, !Self.precedes(name, last) { return }
        let index = names.firstIndex { !Self.precedes($0, name) } ?? names.count
        if index < names.count, names[index] == name { return }
        names.insert(name, at: index)
        if names.count > Self.limit { names.removeLast() }
    }

    /// Compares line numbers as numbers: `devices.csv:9` comes before `devices.csv:10`.
    private static func precedes(_ first: ExactText, _ second: ExactText) -> Bool {
        let (a, b) = (parts(first), parts(second))
        if !a.name.elementsEqual(b.name) { return a.name.lexicographicallyPrecedes(b.name) }
        return a.line == b.line ? first < second : a.line < b.line
    }

    private static func parts(_ source: ExactText) -> (name: Substring.UTF8View, line: Int) {
        let name = source.utf8
        var digits = 0
        for byte in name.reversed() {
            guard (0x30...0x39).contains(byte), digits < 18 else { break }
            digits += 1
        }
        let split = name.index(name.endIndex, offsetBy: -digits)
        guard digits > 0, split > name.startIndex, name[name.index(before: split)] == UInt8(ascii: ":"),
            let line = Int(Substring(name[split...]))
        else { return (name[...], 0) }
        return (name[..<split], line)
    }
}
