import Encodings
import Inputs
import Rules

/// A finding that may be joined to a ring, as a line: what it is about. Devices and accounts stand behind a 1 if they are
/// all, a 0 if they are those of so many that are kept.
struct JoiningLine {
    /// Names the finding among all.
    var finding: String
    var involved: Involved

    func write(to line: inout LineWriter) {
        line.begin(.joining)
        line.text(finding)
        let devices = involved.devices.sorted
        line.beginArray(devices.count)
        for device in devices { device.withOctets { line.octets($0) } }
        line.endArray()
        for texts in [involved.accounts.sorted.map(\.text), involved.sources.names] {
            line.beginArray(texts.count)
            for text in texts { line.text(text) }
            line.endArray()
        }
        line.end()
    }

    init(finding: String, involved: Involved) {
        self.finding = finding
        self.involved = involved
    }

    init(_ fields: inout LineFields) throws(LineFault) {
        finding = try fields.text()
        var devices: [Device?] = []
        try fields.beginArray()
        _ = try fields.int()
        while fields.hasMore() {
            let octets = try fields.octets()
            devices.append(Device(octets: octets.span))
        }
        try fields.endArray()
        let accounts = try Self.texts(&fields)
        let sources = try Self.texts(&fields)
        guard let first = sources.first else { throw .malformed("a finding without a source") }
        involved = Involved()
        // Claims that name all of them, each once: what is joined are devices, accounts and sources, not claims.
        for index in 0..<max(devices.count, accounts.count, sources.count) {
            var sighting = Sighting(claim: 0, source: index < sources.count ? sources[index] : first)
            if index < devices.count { sighting.device = devices[index] }
            if index < accounts.count { sighting.accountID = accounts[index] }
            involved.take(sighting)
        }
    }

    private static func texts(_ fields: inout LineFields) throws(LineFault) -> [String] {
        var texts: [String] = []
        try fields.beginArray()
        _ = try fields.int()
        while fields.hasMore() { texts.append(try fields.text()) }
        try fields.endArray()
        return texts
    }
}

/// That a finding is part of a ring, as a line.
struct RingLine {
    var finding: String
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

    init(finding: String, ring: Int, severity: Severity) {
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
