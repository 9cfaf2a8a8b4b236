import Encodings
import Inputs
import Testing

@testable import Rules

struct `The first sources of a finding` {
    private static let names =
        ["a.csv:2", "a.csv:10", "\u{e9}.csv:3", "\u{e9}.csv:1", "e\u{301}.csv:3", "e\u{301}.csv:2", "f.csv:1"]

    private func first(of names: [String]) -> [[UInt8]] {
        var sources = FirstSources()
        for name in names { sources.insert(ExactText(name)) }
        return sources.names.map { Array($0.utf8) }
    }

    @Test func `are by table and line, in whatever order they come and however they are spelled`() {
        let order = [0, 1, 5, 4, 6, 3, 2].map { Array(Self.names[$0].utf8) }
        #expect(first(of: Self.names) == order)
        #expect(first(of: Self.names.reversed()) == order)
        #expect(first(of: Self.names + Self.names) == order)
    }

    @Test func `are ten`() {
        let names = (0..<30).map { "a.csv:\($0)" }
        #expect(first(of: names.reversed()) == names.prefix(10).map { Array($0.utf8) })
    }
}

struct `A ring of more devices than are counted exactly` {
    private func involved(_ numbers: Range<Int>) -> Involved {
        var involved = Involved()
        for number in numbers {
            let octets = (0..<6).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            var observation = Observation(claim: UInt64(number), source: "claims.csv:\(number)")
            observation.device = Device(octets: octets.span)
            observation.accountID = "\(number)"
            involved.add(observation)
        }
        return involved
    }

    @Test(arguments: [[0..<10_000, 0..<10_002], [0..<6_000, 3_000..<12_000], [0..<3_000, 2_000..<6_000]])
    func `says about how many there are`(parts: [Range<Int>]) throws {
        var search = RingSearch(RuleSet(Policy()))
        for part in parts { search.join(involved(part)) }
        let rings = search.rings()
        let ring = try #require(rings.first?.finding)
        #expect(rings.count == 1)
        let count = Set(parts.joined()).count
        for (counted, text) in [
            (ring.involved.devices.count, ring.involved.devices.countText),
            (ring.involved.accounts.count, ring.involved.accounts.countText),
        ] {
            #expect((count * 9 / 10...count * 11 / 10).contains(counted))
            #expect(text == "about \(counted)")
        }
        #expect(ring.evidence.hasPrefix("\(ring.involved.devices.countText) devices joined by 2 findings: "))
        #expect(ring.evidence.contains("; the number of devices is an estimate"))
    }

    @Test func `is none where the policy asks for more devices than that`() throws {
        var policy = Policy()
        var settings = Policy.RuleSettings()
        settings.limits["devices"] = 20_000
        policy.rules[FraudRing.documentation.id] = settings
        for (devices, isRing) in [(10_000, false), (40_000, true)] {
            var search = RingSearch(RuleSet(policy))
            for part in [0..<devices, 0..<devices] { search.join(involved(part)) }
            #expect(search.rings().isEmpty != isRing)
        }
    }
}
