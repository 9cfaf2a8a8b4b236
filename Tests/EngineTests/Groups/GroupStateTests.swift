import Encodings
import Foundation
import Inputs
import Receipts
import Rules
import SampleStore
import Testing

@testable import Engine

/// What several processes pass on of one group, as texts.
struct `The state of rules over a part of a group` {
    private static let rules = RuleSet(Policy(), asOf: SampleExport.asOf)
    private static let octets = [UInt8](repeating: 0x31, count: 16)

    /// Claims to one key, of many apps and accounts.
    private static func observations(_ kind: KeyKind) -> [Observation] {
        var claims = RandomClaims(seed: 11, variety: 60)
        return claims.claims(inBlocksOf: [300]).enumerated().map { index, claim in
            var observation = claim.observations.presented
            if observation.isGenuine { observation.bundleID = "com.example.\(index % 50)" }
            if kind == .device { observation.device = Device(octets: octets.span) }
            if kind == .account { observation.accountID = ExactText(String(decoding: octets, as: UTF8.self)) }
            observation.purchases = claim.observations.purchases
            return observation
        }
    }

    private static func orders(of observations: [Observation]) -> [[Observation]] {
        var random = SeededGenerator(seed: 12)
        var shuffled = observations
        for index in shuffled.indices { shuffled.swapAt(index, index + random.below(shuffled.count - index)) }
        return [Array(observations.reversed()), shuffled, Array(observations[150...] + observations[..<150])]
    }

    /// The texts of what was summed up, and of what was then seen.
    private func texts(_ key: GroupKey, _ observations: [Observation]) throws -> (sum: [ExactText], seen: ExactText) {
        var parts = GroupParts(Self.rules, key, asOf: SampleExport.asOf)
        for observation in observations { parts.take(observation) }
        var sum = try parts.sum.parts().flatMap { [$0.rule] + $0.texts }
        if let subscription = parts.subscription { sum.append(try CanonicalJSON.text(of: subscription)) }
        var group = DividedGroup(parts, Self.rules, folder: "")
        for observation in observations { _ = group.take(observation, onMark: { _, _ in }, onClaim: { _ in }) }
        return (sum, try CanonicalJSON.text(of: group.seen()))
    }

    @Test(arguments: KeyKind.allCases) func `is written alike, in whatever order the claims come`(kind: KeyKind) throws
    {
        let observations = Self.observations(kind)
        let key = GroupKey(kind, octets: Self.octets)
        let first = try texts(key, observations)
        for other in Self.orders(of: observations) {
            let found = try texts(key, other)
            for (one, another) in zip(first.sum, found.sum) { #expect(one == another) }
            #expect(first.sum.count == found.sum.count && first.seen == found.seen)
        }
    }

    @Test func `has the apps of a device in their order`() throws {
        let observations = Self.observations(.device)
        let parts = try texts(GroupKey(.device, octets: Self.octets), observations).sum
        let place = try #require(parts.firstIndex(of: "snapshot-rollback"))
        let state = parts[place + 1].text
        let compared = observations.filter {
            $0.kind == nil && $0.isMatching && $0.presentedAt != nil && $0.createdAt != nil
        }
        let apps = Set(compared.map(\.bundleID)).sorted()
        #expect(apps.count > 20)
        let places = apps.map { state.range(of: "\"\($0)\"")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }
}
