import Encodings
import Engine
import FoundationEssentials
import Rules
import Subscriptions

/// What was taken in of a part of a key's claims, as a line: the key's group, and under a transaction's key that of the
/// original transaction with the same id.
struct KeySum {
    let letter: StreamKey.KeyLetter
    let octets: [UInt8]
    private(set) var groups: [GroupParts]

    init(_ rules: RuleSet, _ letter: StreamKey.KeyLetter, _ octets: [UInt8]) {
        self.letter = letter
        self.octets = octets
        groups = letter.kinds.map { GroupParts(rules, GroupKey($0, octets: octets)) }
    }

    /// Takes in one more claim.
    mutating func take(_ line: ObservationLine) {
        let (own, original) = line.observations(under: letter)
        if let own { groups[0].take(own) }
        if let original, groups.count > 1 { groups[1].take(original) }
    }

    func write(to line: inout LineWriter) throws {
        line.begin(.sum(letter, octets))
        for group in groups {
            let parts = try group.sum.parts()
            line.number(group.sum.count)
            line.number(parts.count)
            for part in parts {
                line.beginArray(part.texts.count)
                line.text(part.rule)
                for text in part.texts { line.text(text) }
                line.endArray()
            }
            if let subscription = group.subscription { line.text(try PartText.text(subscription)) } else { line.null() }
        }
        line.end()
    }

    /// Adds what stands behind the key.
    mutating func add(_ fields: inout LineFields) throws(LineFault) {
        for index in groups.indices {
            let count = try fields.int()
            var parts: [(rule: ExactText, texts: [String])] = []
            var left = try fields.int()
            while left > 0 {
                left -= 1
                try fields.beginArray()
                _ = try fields.int()
                let rule = try fields.text()
                var texts: [String] = []
                while fields.hasMore() { texts.append(try fields.text().text) }
                try fields.endArray()
                parts.append((rule, texts))
            }
            let subscription: SubscriptionSum? =
                try fields.isNull() ? nil : try PartText.value(of: try fields.text())
            do {
                try groups[index].add(count: count, parts, subscription)
            } catch {
                throw .malformed("it was not summed up by the same rules")
            }
        }
    }
}

extension StreamKey.KeyLetter {
    /// What is grouped; for transactions, those that are not original.
    var kind: KeyKind {
        switch self {
        case .receipt: .receipt
        case .transaction: .transaction
        case .device: .device
        case .account: .account
        }
    }

    /// All that is grouped by the key.
    var kinds: [KeyKind] { self == .transaction ? [kind, .originalTransaction] : [kind] }
}

/// What parts of a group tell each other, as a text in a line.
enum PartText {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(of text: ExactText) throws(LineFault) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw .malformed("what it says of a part of a group cannot be read")
        }
    }
}
