import Encodings
import Engine
import Inputs
import Rules
import Testing

@testable import Streams

struct `A finding that may be part of a ring` {
    /// What is read of the only line that a body writes.
    private func read<Value>(
        _ write: (inout LineWriter) throws -> Void, _ read: (inout RecordReader) throws -> Value
    ) throws -> (key: String, value: Value) {
        var lines = LineWriter()
        try write(&lines)
        let written = Array(lines.bytes.dropLast())
        var value: Value?
        try Line(written.span).read { value = try read(&$0) }
        return (String(decoding: written.prefix { $0 != 0x09 }, as: UTF8.self), try #require(value))
    }

    @Test(arguments: [true, false])
    func `tells what it is about, and whether that is all`(isExact: Bool) throws {
        let octets: [[UInt8]] = [[1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6]]
        let involved = Involved(
            devices: DistinctSketch(octets.compactMap { Device(octets: $0.span) }, isExact: isExact),
            accounts: DistinctSketch([ExactText("ana")], isExact: !isExact), sources: ["a.der", "b.der"])
        let (key, found) = try read(
            { try JoiningLine(finding: "shared-receipt rAQ", involved: involved).write(to: &$0) },
            { try JoiningLine(&$0) })
        #expect(key == "j")
        #expect(found.finding == "shared-receipt rAQ")
        #expect(found.involved.devices.sorted.map(\.description) == ["01:02:03:04:05:06", "07:02:03:04:05:06"])
        #expect(found.involved.accounts.sorted == [ExactText("ana")])
        #expect(found.involved.devices.isExact == isExact && found.involved.accounts.isExact == !isExact)
        #expect(found.involved.sources.names == ["a.der", "b.der"])
    }

    @Test func `is told which ring it is part of`() throws {
        let ring = RingMembership.Ring(number: 3, severity: .high)
        let (key, found) = try read(
            { RingLine(finding: "x y", ring: ring).write(to: &$0) }, { try RingLine(&$0) })
        #expect(key == "0")
        #expect(found.finding == "x y" && found.ring.number == 3 && found.ring.severity == .high)
    }
}
