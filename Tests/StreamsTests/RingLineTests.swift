import Encodings
import Inputs
import Rules
import Testing

@testable import Streams

struct `A finding that may be part of a ring` {
    private func joining(_ fields: String) throws(LineFault) -> JoiningLine {
        try read(fields) { fields throws(LineFault) in try JoiningLine(&fields) }
    }

    @Test(arguments: [true, false])
    func `tells what it is about, and whether that is all`(isExact: Bool) throws {
        let octets: [[UInt8]] = [[1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6]]
        let involved = Involved(
            devices: DistinctSketch(octets.compactMap { Device(octets: $0.span) }, isExact: isExact),
            accounts: DistinctSketch([ExactText("ana")], isExact: !isExact), sources: ["a.der", "b.der"])
        let line = written { JoiningLine(finding: "shared-receipt rAQ", involved: involved).write(to: &$0) }
        #expect(line.key == "j")
        let found = try joining(line.fields)
        #expect(found.finding == "shared-receipt rAQ")
        #expect(found.involved.devices.sorted.map(\.description) == ["01:02:03:04:05:06", "07:02:03:04:05:06"])
        #expect(found.involved.accounts.sorted == [ExactText("ana")])
        #expect(found.involved.devices.isExact == isExact && found.involved.accounts.isExact == !isExact)
        #expect(found.involved.sources.names == ["a.der", "b.der"])
    }

    @Test(arguments: [
        (#""x",[1],[1],[0]"#, "a finding without a source"),
        (#""x",[1,"AQI"],[1],[1,"a"]"#, "a device is none"),
    ])
    func `is refused if it is about nothing`(values: String, reason: String) {
        #expect(fault { () throws(LineFault) in _ = try joining(fields(values)) } == reason)
    }

    @Test func `is told which ring it is part of`() throws {
        let line = written { RingLine(finding: "x y", ring: 3, severity: .high).write(to: &$0) }
        #expect(line.key == "0")
        let found = try read(line.fields) { fields throws(LineFault) in try RingLine(&fields) }
        #expect(found.finding == "x y" && found.ring == 3 && found.severity == .high)
    }
}
