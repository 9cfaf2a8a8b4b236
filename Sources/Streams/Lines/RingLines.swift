import Encodings
import Inputs
import Rules

/// A finding that may be joined to a ring, as a line: what it is about. Devices and accounts stand behind a 1 if they are
/// all, a 0 if they are those of so many that are kept.
struct JoiningLine {
    /// Names the finding among all.
    var finding: ExactText
    var involved: Involved

    func write(to line: inout LineWriter) {
        line.begin(.joining)
        line.text(finding)
        line.beginArray(involved.devices.isExact ? 1 : 0)
        for device in involved.devices.sorted { device.withOctets { line.octets($0) } }
        line.endArray()
        line.beginArray(involved.accounts.isExact ? 1 : 0)
        for account in involved.accounts.sorted { line.text(account) }
        line.endArray()
        line.beginArray(involved.sources.names.count)
        for source in involved.sources.names { line.text(source) }
        line.endArray()
        line.end()
    }

    init(finding: ExactText, involved: Involved) {
        self.finding = finding
        self.involved = involved
    }

    init(_ fields: inout LineFields) throws(LineFault) {
        finding = try fields.text()
        var devices: [Device] = []
        try fields.beginArray()
        let areAllDevices = try fields.int()
        while fields.hasMore() {
            let octets = try fields.octets()
            guard let device = Device(octets: octets.span) else { throw .malformed("a device is none") }
            devices.append(device)
        }
        try fields.endArray()
        let (areAllAccounts, accounts) = try Self.texts(&fields)
        let (_, sources) = try Self.texts(&fields)
        guard !sources.isEmpty else { throw .malformed("a finding without a source") }
        involved = Involved(
            devices: DistinctSketch(devices, isExact: areAllDevices == 1),
            accounts: DistinctSketch(accounts, isExact: areAllAccounts == 1), sources: sources)
    }

    private static func texts(_ fields: inout LineFields) throws(LineFault) -> (first: Int, [ExactText]) {
        var texts: [ExactText] = []
        try fields.beginArray()
        let first = try fields.int()
        while fields.hasMore() { texts.append(try fields.text()) }
        try fields.endArray()
        return (first, texts)
    }
}

/// That a finding is part of a ring, as a line.
struct RingLine {
    var finding: ExactText
    /// The ring's number.
    var ring: Int
    var severity: Severity

    func write(to line: inout LineWriter) {
        line.begin(.rings)
        line.text(finding)
        line.number(ring)
        line.number(Int(severity.rawValue))
        line.end()
    }

    init(finding: ExactText, ring: Int, severity: Severity) {
        self.finding = finding
        self.ring = ring
        self.severity = severity
    }

    init(_ fields: inout LineFields) throws(LineFault) {
        finding = try fields.text()
        ring = try fields.int()
        severity = try MarkedRules.severity(&fields)
    }
}
