import Checks
import Encodings

/// The number of claims with each doubt, and some of the texts. Sums do not depend on the order.
public struct ClaimDoubts: Sendable, Equatable {
    private struct Entry: Sendable, Equatable, Codable {
        var count = 0
        /// The smallest distinct texts, in order and truncated.
        var texts: [ExactText] = []

        mutating func insert(_ text: ExactText) {
            let place = texts.firstIndex { $0 >= text } ?? texts.count
            guard place == texts.count || texts[place] != text else { return }
            texts.insert(text, at: place)
            if texts.count > ClaimDoubts.maxTexts { texts.removeLast() }
        }
    }

    /// The number of texts that are kept per doubt.
    private static let maxTexts = 3

    /// The doubts that occurred.
    private var entries: [ClaimDoubt: Entry] = [:]

    public init() {}

    /// Counts the doubts about a claim.
    mutating func count(_ facts: Facts) {
        facts.forEachDoubt { doubt, text in
            var entry = entries[doubt] ?? Entry()
            entry.count = entry.count.addingSaturating(1)
            if let text { entry.insert(ExactText(text.text.start(ClaimDoubt.maxLength))) }
            entries[doubt] = entry
        }
    }

    static func += (doubts: inout Self, other: Self) {
        for (doubt, added) in other.entries {
            var entry = doubts.entries[doubt] ?? Entry()
            entry.count = entry.count.addingSaturating(added.count)
            for text in added.texts { entry.insert(text) }
            doubts.entries[doubt] = entry
        }
    }

    /// A sentence for each doubt.
    public var sentences: [String] {
        ClaimDoubt.allCases.compactMap { doubt in
            entries[doubt].map { doubt.sentence($0.count, $0.texts) }
        }
    }

    /// The number of claims that hold something other than a proof, for a cause that a warning names.
    public var mistakes: Int {
        entries.reduce(0) { $1.key.isMistake ? $0.addingSaturating($1.value.count) : $0 }
    }

    /// The omissions, with their counts.
    ///
    /// - Parameter accounts: the number of accounts that are placeholders without a doubt about their claims.
    func omissions(addingAccounts accounts: Int = 0) -> [(what: String, count: Int)] {
        var omissions: [(what: String, count: Int)] = []
        for doubt in ClaimDoubt.allCases {
            let count = (entries[doubt]?.count ?? 0).addingSaturating(doubt == .accountPlaceholder ? accounts : 0)
            guard let what = doubt.omission, count > 0 else { continue }
            if omissions.last?.what == what {
                omissions[omissions.count - 1].count = omissions[omissions.count - 1].count.addingSaturating(count)
            } else {
                omissions.append((what, count))
            }
        }
        return omissions
    }

    /// Codes the entries in the order of doubts.
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        for doubt in ClaimDoubt.allCases {
            var entry = entries[doubt] ?? Entry()
            try coder.count(&entry.count)
            if entry.count > 0 { try coder.texts(&entry.texts) }
            entries[doubt] = entry.count > 0 ? entry : nil
        }
    }
}

extension ClaimDoubts: Codable {
    /// Reads the entries in the order of doubts.
    public init(from decoder: any Decoder) throws {
        let read = try [Entry](from: decoder)
        guard read.count == ClaimDoubt.allCases.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "other doubts"))
        }
        for (doubt, entry) in zip(ClaimDoubt.allCases, read) where entry.count > 0 { entries[doubt] = entry }
    }

    public func encode(to encoder: any Encoder) throws {
        try ClaimDoubt.allCases.map { entries[$0] ?? Entry() }.encode(to: encoder)
    }
}
