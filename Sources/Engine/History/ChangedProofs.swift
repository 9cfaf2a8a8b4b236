import Encodings
import Inputs
import Rules

/// How the proofs that earlier runs know come back in a run: as they were, or without devices, accounts or dates, or with
/// others in a new spelling.
///
/// Only a change that an export makes is counted, and never what people do: another person's account or device on a
/// proof, another presentation, a new claim.
struct ChangedProofs {
    /// The minimum number of known presentations, and of their accounts or devices.
    private static let minimum = 20
    /// The maximum number of earlier claims that are read of one proof.
    private static let maxEarlier = 32
    private static let day: Int64 = 86_400_000

    private var known = 0
    private var accounts: Set<ExactText> = []
    private var devices: Set<Device> = []
    private var withoutDevice = 0
    private var withoutAccount = 0
    private var withoutDate = 0
    private var atMidnight = 0
    /// The accounts of known proofs on known devices that come with another account, the earlier one first.
    private var renamed: [(old: ExactText, new: ExactText)] = []
    /// The number of presentations by the time in milliseconds between them and earlier ones.
    private var offsets: [Int64: Int] = [:]

    init(_ proofs: PresentedProofs.Proofs, _ reader: any HistoryReader) throws {
        for (hash, presentations) in proofs.sample.sorted {
            var earlier: [PresentedProofs.Presentation] = []
            try reader.seek(hash)
            while let key = reader.key, key.hash == hash, earlier.count < Self.maxEarlier {
                if let record = try reader.record(ofClaim: key.claim)?.record {
                    let claim = try ClaimRecord.observations(of: record.span).presented
                    if !claim.isEvidence { earlier.append(PresentedProofs.Presentation(claim)) }
                }
                try reader.next()
            }
            guard !earlier.isEmpty else { continue }
            for presentation in presentations.list { compare(presentation, with: earlier) }
        }
    }

    private mutating func compare(
        _ presentation: PresentedProofs.Presentation, with earlier: [PresentedProofs.Presentation]
    ) {
        known += 1
        for claim in earlier {
            if !claim.account.isEmpty { accounts.insert(claim.account) }
            if let device = claim.device { devices.insert(device) }
        }
        guard !earlier.contains(where: { $0.identity == presentation.identity }) else { return }
        let account = presentation.account
        if presentation.device == nil, earlier.allSatisfy({ $0.device != nil }) { withoutDevice += 1 }
        if account.isEmpty, earlier.allSatisfy({ !$0.account.isEmpty }) { withoutAccount += 1 }
        if !account.isEmpty, earlier.allSatisfy({ !$0.account.isEmpty && $0.account != account }),
            let old = earlier.first(where: { $0.device == presentation.device }) ?? earlier.first,
            presentation.device == nil || presentation.device == old.device
        {
            renamed.append((old.account, account))
        }
        guard let date = presentation.date else {
            if earlier.allSatisfy({ $0.date != nil }) { withoutDate += 1 }
            return
        }
        // A proof that another device presents, too, is another presentation.
        let same = earlier.filter { claim in
            presentation.device == nil || presentation.device == claim.device
        }.compactMap(\.date)
        guard !same.contains(date) else { return }
        let isMidnight = date.milliseconds % Self.day == 0
        if isMidnight, same.contains(where: { $0.day == date.day }) { atMidnight += 1 }
        for offset in Set(same.map { date.milliseconds - $0.milliseconds }) {
            // Days without times differ by whole days.
            if isMidnight, offset % Self.day == 0 { continue }
            offsets[offset, default: 0] += 1
        }
    }

    /// Returns what changed, with figures; empty if too few proofs are known, or most are as they were.
    ///
    /// - Parameter comparesDevices: whether to compare devices.
    func sentences(comparesDevices: Bool) -> [String] {
        guard known >= Self.minimum, max(accounts.count, devices.count) >= Self.minimum else { return [] }
        var sentences: [String] = []
        let add = { (count: Int, what: String) in
            guard count > known / 2 else { return }
            sentences.append("\(count) of \(known) presentations of known proofs come \(what)")
        }
        if comparesDevices {
            add(
                withoutDevice, "without a device: is device_id still the name of its column (--columns device_id=NAME)?"
            )
        }
        add(
            withoutAccount,
            "without an account: is account_id still the name of its column (--columns account_id=NAME)?")
        add(withoutDate, "without a date: is presented_at still the name of its column (--columns presented_at=NAME)?")
        add(atMidnight, "with a date cut to midnight: did the export lose the time?")
        if let (offset, count) = offsets.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
            let hours = Self.text(ofOffset: offset)
            add(count, "with a date \(hours) \(offset < 0 ? "earlier" : "later"): did the export change its time zone?")
        }
        add(
            respelled,
            "with another account id on the same device: were ids migrated?")
        return sentences
    }

    /// The number of accounts in a new spelling: it contains the old one, or each has one and no other has it, or all
    /// have become one.
    private var respelled: Int {
        let contained = renamed.count { $0.new.contains($0.old) || $0.old.contains($0.new) }
        let new = Dictionary(grouping: renamed, by: \.old).mapValues { Set($0.map(\.new)) }
        let old = Dictionary(grouping: renamed, by: \.new).mapValues { Set($0.map(\.old)) }
        let mapped = renamed.count { new[$0.old]?.count == 1 && old[$0.new]?.count == 1 }
        let merged = old.values.contains { $0.count >= Self.minimum } ? renamed.count : 0
        return max(contained, mapped, merged)
    }

    private static func text(ofOffset offset: Int64) -> String {
        let seconds = offset.magnitude / 1000
        if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}

extension ExactText {
    /// Whether a text of at least two characters is in it.
    fileprivate func contains(_ other: ExactText) -> Bool { other.utf8.count >= 2 && text.contains(other.text) }
}

extension RunHistory {
    /// Compares known proofs with what earlier runs know of them, for each app.
    ///
    /// - Parameters:
    ///   - inputs: the INPUTs as written.
    ///   - comparesDevices: whether to compare devices.
    public func complaints(
        about proofs: PresentedProofs, _ inputs: [String], comparesDevices: Bool
    ) throws -> [RunComplaint] {
        guard let reader = try reader() else { return [] }
        return try proofs.sorted.compactMap { part, proofs in
            let found = try ChangedProofs(proofs, reader).sentences(comparesDevices: comparesDevices)
            guard !found.isEmpty else { return nil }
            let input = inputs.count > 1 && inputs.indices.contains(part.input) ? "\(inputs[part.input]): " : ""
            let kind = part.isToken ? "tokens" : "receipts"
            let text =
                "\(input)\(part.app) (\(kind)): \(found.joined(separator: "; ")) Nothing of this app counts in later runs "
                + "until somebody accepts it"
            return RunComplaint(.changedClaims, text, RunDoubt(apps: [part.app]))
        }
    }
}
