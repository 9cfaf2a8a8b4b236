import Checks
import Encodings
public import Inputs

/// The number of claims with each doubt, and some of the texts. Sums do not depend on the order.
public struct ClaimDoubts: Sendable, Equatable {
    private struct Entry: Sendable, Equatable, Codable {
        var count = 0
        /// The smallest distinct texts, in order and truncated.
        var texts: [ExactText] = []

        mutating func insert(_ text: ExactText) { texts.insertSmallest(text, atMost: ClaimDoubts.maxTexts) }
    }

    /// The number of texts that are kept per doubt.
    private static let maxTexts = 3

    /// The doubts that occurred.
    private var entries: [ClaimDoubt: Entry] = [:]
    /// What the proofs and the rows that cannot be read look like.
    public private(set) var proofs = ValueProfile()
    public private(set) var rows = ValueProfile()
    /// What devices that are malformed look like.
    public private(set) var devices = ValueProfile()

    public init() {}

    /// Counts the doubts about a claim.
    mutating func count(_ facts: Facts) {
        facts.forEachDoubt { doubt, text in
            var entry = entries[doubt] ?? Entry()
            entry.count = entry.count.addingSaturating(1)
            if let text { entry.insert(ExactText(text.text.start(ClaimDoubt.maxLength))) }
            entries[doubt] = entry
        }
        if facts.failed.contains(.deviceIDMalformed) {
            let id = facts.claim.deviceID.isEmpty ? facts.claim.deviceVerificationID : facts.claim.deviceID
            devices.add(id.utf8.span)
        }
        guard let seen = facts.seen else { return }
        if facts.failed.contains(.rowMalformed) {
            rows.add(seen.value, length: seen.length, text: seen.text)
        } else {
            proofs.add(seen.value, length: seen.length, text: seen.text)
        }
    }

    static func += (doubts: inout Self, other: Self) {
        for (doubt, added) in other.entries {
            var entry = doubts.entries[doubt] ?? Entry()
            entry.count = entry.count.addingSaturating(added.count)
            for text in added.texts { entry.insert(text) }
            doubts.entries[doubt] = entry
        }
        doubts.proofs += other.proofs
        doubts.rows += other.rows
        doubts.devices += other.devices
    }

    /// A sentence for each doubt, and for each known form of something else than a proof.
    public var sentences: [String] {
        let doubts = ClaimDoubt.allCases.compactMap { doubt in
            doubt == .accountJSON ? nil : entries[doubt].map { doubt.sentence($0.count, $0.texts) }
        }
        return doubts + KnownShape.sentences(ofProofs: proofs)
    }

    /// Sentences about a part of the claims that cannot be read, where more than a few are.
    ///
    /// - Parameters:
    ///   - claims: the number of all claims of the INPUT.
    ///   - told: the number of unreadable rows that another sentence explains.
    public func sentences(ofPartIn claims: Int, told: Int) -> [String] {
        var sentences: [String] = []
        let differing = entries[.twoProofs]?.count ?? 0
        if rows.count > told.addingSaturating(differing) {
            // Nobody but the exporter can break a row.
            sentences.append("\(counted(rows.count, "row")) cannot be read (row-malformed): \(rows.seen)")
        }
        if let accounts = entries[.accountJSON]?.count, accounts >= max(2, claims / Self.smallShare) {
            sentences.append(ClaimDoubt.accountJSON.sentence(accounts, []))
        }
        let isKnown = !KnownShape.sentences(ofProofs: proofs).isEmpty
        if !isKnown, proofs.count > 1, proofs.count >= claims / Self.smallShare {
            let advice = KnownShape.ofProofs(proofs).map { ": \($0.sentence)" } ?? ""
            sentences.append("receipt_data: \(proofs.seen)\(advice)")
        }
        return sentences
    }

    /// Up to one claim in this many may be anything, because strangers send what they like.
    private static let smallShare = 5

    /// Whether a claim has a date that cannot be read.
    public var hasUnreadDates: Bool { entries[.unreadDate] != nil }

    /// Returns a complaint about each column of ids or dates if most rows name nothing.
    ///
    /// - Parameter claims: the number of all claims of the INPUT.
    public func losses(in claims: Int) -> [String] {
        func count(_ doubt: ClaimDoubt) -> Int { entries[doubt]?.count ?? 0 }
        let devices = devices.count.addingSaturating(count(.devicePlaceholder)).addingSaturating(count(.unreadDevice))
        let accounts = count(.accountPlaceholder).addingSaturating(count(.unreadAccount))
        let all = counted(claims, "claim")
        var losses: [String] = []
        if devices > claims / 2 {
            let seen = self.devices.count > 0 ? ": \(self.devices.seen)" : seen(.devicePlaceholder, .unreadDevice)
            losses.append(
                "device_id names no device in \(devices) of \(all)\(seen). A device is a UUID or a MAC address "
                    + "(docs/exporting.md#device-ids); --columns device_id=NAME names another column")
        }
        if accounts > claims / 2 {
            losses.append(
                "account_id names no account in \(accounts) of \(all)\(seen(.accountPlaceholder, .unreadAccount)): leave "
                    + "such cells empty, or name the right column with --columns account_id=NAME")
        }
        if count(.unreadDate) > claims / 2 {
            losses.append(
                "presented_at is no date in \(count(.unreadDate)) of \(all): write the dates as RFC 3339, or name the "
                    + "right column with --columns presented_at=NAME")
        }
        return losses
    }

    /// The placeholders, and the keys with values that are no text.
    private func seen(_ placeholder: ClaimDoubt, _ unread: ClaimDoubt) -> String {
        let texts = { (doubt: ClaimDoubt) in
            (entries[doubt]?.texts ?? []).map { $0.quoted(upTo: ClaimDoubt.maxLength) }.joined(separator: ", ")
        }
        let parts = [texts(placeholder), texts(unread).isEmpty ? "" : "no text under \(texts(unread))"]
        return " (\(parts.filter { !$0.isEmpty }.joined(separator: "; ")))"
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
}

extension ClaimDoubts: Codable {
    private enum CodingKeys: CodingKey { case entries, proofs, rows, devices }

    /// Reads the entries in the order of doubts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let read = try container.decode([Entry].self, forKey: .entries)
        guard read.count == ClaimDoubt.allCases.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "other doubts"))
        }
        for (doubt, entry) in zip(ClaimDoubt.allCases, read) where entry.count > 0 { entries[doubt] = entry }
        proofs = try container.decode(ValueProfile.self, forKey: .proofs)
        rows = try container.decode(ValueProfile.self, forKey: .rows)
        devices = try container.decode(ValueProfile.self, forKey: .devices)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ClaimDoubt.allCases.map { entries[$0] ?? Entry() }, forKey: .entries)
        try container.encode(proofs, forKey: .proofs)
        try container.encode(rows, forKey: .rows)
        try container.encode(devices, forKey: .devices)
    }
}
