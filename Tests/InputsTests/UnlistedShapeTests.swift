import Corpus
import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// Exports of shapes that nobody listed: columns, values, envelopes and damages drawn at random.
struct `An export of any shape` {
    @Test func `loses no claim, device, account or date without a word`() throws {
        let folder = try Scratch()
        var (read, told) = (0, 0)
        for seed in 0..<Exhaustive.count(2000, sampled: 150) {
            var export = RandomExport(seed: UInt64(seed))
            let path = try folder.write("\(seed).\(export.ending)", export.bytes())
            let outcome = Outcome(of: path)
            if outcome.holds(export.claims) {
                read += 1
            } else {
                told += 1
                #expect(!outcome.words.isEmpty, "\(seed): \(export.description): \(outcome.lines)")
            }
        }
        #expect(read > 0 && told > 0, "\(read) read, \(told) told")
    }

    @Test func `is told nothing where it is as documented`() throws {
        let folder = try Scratch()
        for seed in 0..<Exhaustive.count(200, sampled: 40) {
            var export = RandomExport(seed: UInt64(seed), isClean: true)
            let path = try folder.write("\(seed).\(export.ending)", export.bytes())
            let outcome = Outcome(of: path)
            #expect(outcome.holds(export.claims), "\(seed): \(export.description)")
            #expect(outcome.words == [], "\(seed): \(export.description)")
        }
    }
}

/// The claims that were read from an export, and what a run says about them.
private struct Outcome {
    private var found: [Presented] = []
    private(set) var words: [String] = []

    init(of path: String) {
        do {
            let inputs = try Inputs([path])
            found = try InputsTests.claims(of: inputs)
            let omissions = inputs.omissions
            words = omissions.doubts + omissions.damages.map(\.reason)
            words += omissions.sentences(lacking: LikelyColumn.allCases.filter(isLacking))
        } catch {
            words = ["\(error)"]
        }
        for one in found { words += Self.words(about: one) }
        if found.isEmpty { words.append("it has no claims") }
    }

    /// The claims, for a message.
    var lines: [String] { found.map { "\($0.claim.source) \($0.claim.deviceID) \($0.claim.accountID)" } }

    private func isLacking(_ column: LikelyColumn) -> Bool {
        switch column {
        case .device: found.allSatisfy(\.claim.deviceID.isEmpty)
        case .account: found.allSatisfy(\.claim.accountID.isEmpty)
        case .date: found.allSatisfy { $0.claim.presentedAt == nil && !$0.claim.isDateUnread }
        }
    }

    /// What a run says or counts about one claim: unreadable values, and ids and dates that are none.
    private static func words(about one: Presented) -> [String] {
        var words = one.claim.unread.map { "no text under \($0.key)" }
        if let fault = one.fault { words.append(fault.reason) }
        if let bytes = one.bytes, bytes.first != 0x30, !bytes.starts(with: Array("eyJ".utf8)) {
            words.append("unknown format")
        } else if let bytes = one.bytes, !Self.isWhole(bytes) {
            words.append("malformed")
        }
        let device = DeviceIdentifiers(one.claim.deviceID)
        if device.isMalformed || device.placeholder != nil { words.append("no device") }
        let isPlaceholder = Placeholder.Form(account: one.claim.accountID) != nil || one.claim.account.isEmpty
        if isPlaceholder, !one.claim.accountID.isEmpty { words.append("no account") }
        if one.claim.isAccountJSON { words.append("account in JSON") }
        if one.claim.isDateUnread { words.append("no date") }
        // Dates before the App Store and after the reference time are doubts.
        if let date = one.claim.presentedAt, date < RandomExport.first || date > RandomExport.last {
            words.append("impossible date")
        }
        return words
    }

    /// Whether a receipt has the length that it states, and a token three parts.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0x30 ? bytes.count == 2 + Int(bytes[1]) : bytes.count { $0 == UInt8(ascii: ".") } == 2
    }

    func holds(_ claims: [RandomExport.Claim]) -> Bool {
        let devices = { (text: ExactText) in
            DeviceIdentifiers(text).identifiers.map { Hex.string($0.span).lowercased() }
        }
        return found.count == claims.count
            && zip(found, claims).allSatisfy { found, claim in
                found.bytes == claim.proof && found.claim.account.text == claim.account
                    && devices(found.claim.deviceID) == devices(ExactText(claim.device))
                    && found.claim.presentedAt?.description == claim.date
            }
    }
}
