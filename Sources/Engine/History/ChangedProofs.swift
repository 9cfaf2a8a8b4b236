import Encodings
import Inputs
import Rules

/// How the proofs that earlier runs know come back in a run: as they were, or without devices, accounts or dates, or with
/// others in a new spelling.
///
/// Only a change that an export makes is counted, and never what people do: another person's account or device on a
/// proof, another presentation, a new claim.
struct ChangedProofs {
    /// The minimum number of known presenters that show a change by themselves.
    private static let minimum = 20
    /// The maximum number of earlier claims that are read of one proof.
    private static let maxEarlier = 32
    private static let day: Int64 = 86_400_000

    /// A change that an export makes.
    enum Change: Hashable {
        case withoutDevice, withoutAccount, withoutDate, atMidnight
        /// The time in milliseconds between the dates and the earlier ones.
        case moved(Int64)
        case respelledAccounts
    }

    /// Some known presentations, and who presented these proofs earlier: an account or, without one, a device.
    ///
    /// Presenters count besides: one of them may have any number of proofs, and present them in any way.
    private struct Known {
        private(set) var presentations = 0
        private(set) var presenters: Set<ExactText> = []

        mutating func add(_ presenter: ExactText) {
            presentations += 1
            presenters.insert(presenter)
        }

        /// Whether it has more than half of the presentations and of the presenters of all.
        func isMost(of all: Known) -> Bool {
            presentations > all.presentations / 2 && presenters.count > all.presenters.count / 2
        }
    }

    private var counts: [Change: Known] = [:]
    /// The known presentations that had a device, an account or a date in an earlier claim.
    private var (withDevice, withAccount, withDate) = (Known(), Known(), Known())
    /// The accounts of known proofs on known devices that come with another account, the earlier one first.
    private var renamed: [(old: ExactText, new: ExactText)] = []

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
        counts[.respelledAccounts] = respelled
    }

    private mutating func compare(
        _ presentation: PresentedProofs.Presentation, with earlier: [PresentedProofs.Presentation]
    ) {
        let device = earlier.lazy.compactMap(\.device).first
        let accounts = earlier.lazy.map(\.account).filter { !$0.isEmpty }
        let account = presentation.account
        let presenter =
            accounts.first { $0 == account } ?? accounts.first ?? device.map { ExactText("\($0)") } ?? ""
        func count(_ change: Change) { counts[change, default: Known()].add(presenter) }
        if device != nil { withDevice.add(presenter) }
        if !accounts.isEmpty { withAccount.add(presenter) }
        if earlier.contains(where: { $0.date != nil }) { withDate.add(presenter) }
        guard !earlier.contains(where: { $0.identity == presentation.identity }) else { return }
        if presentation.device == nil, earlier.allSatisfy({ $0.device != nil }) { count(.withoutDevice) }
        if account.isEmpty, earlier.allSatisfy({ !$0.account.isEmpty }) { count(.withoutAccount) }
        if !account.isEmpty, earlier.allSatisfy({ !$0.account.isEmpty && $0.account != account }),
            let old = earlier.first(where: { $0.device == presentation.device }) ?? earlier.first,
            presentation.device == nil || presentation.device == old.device
        {
            renamed.append((old.account, account))
        }
        guard let date = presentation.date else {
            if earlier.allSatisfy({ $0.date != nil }) { count(.withoutDate) }
            return
        }
        // A proof that another device presents, too, is another presentation.
        let same = earlier.filter { claim in
            presentation.device == nil || presentation.device == claim.device
        }.compactMap(\.date)
        guard !same.contains(date) else { return }
        let isMidnight = date.milliseconds % Self.day == 0
        if isMidnight, same.contains(where: { $0.day == date.day }) { count(.atMidnight) }
        for offset in Set(same.map { date.milliseconds - $0.milliseconds }) {
            // Days without times differ by whole days.
            if isMidnight, offset % Self.day == 0 { continue }
            count(.moved(offset))
        }
    }

    /// The changes of most known presentations that had what changed, and of most presenters, however few they are.
    var changes: Set<Change> { Set(counts.filter { $0.value.isMost(of: known(for: $0.key)) }.keys) }

    /// The changes that show by themselves that the export is another: of enough presenters.
    var certainChanges: Set<Change> {
        changes.filter { known(for: $0).presenters.count >= Self.minimum }
    }

    /// The known presentations that had what a change changes.
    private func known(for change: Change) -> Known {
        switch change {
        case .withoutDevice: withDevice
        case .withoutAccount, .respelledAccounts: withAccount
        case .withoutDate, .atMidnight, .moved: withDate
        }
    }

    /// Returns what changed, with figures.
    func sentences(_ changes: Set<Change>) -> [String] {
        changes.map { change in
            "\(counts[change]?.presentations ?? 0) of \(known(for: change).presentations) presentations of known proofs come \(change.text)"
        }.sorted()
    }

    /// The presentations by accounts in a new spelling: it contains the old one, or each has one and no other has it, or
    /// all have become one.
    private var respelled: Known {
        let contained = renamed.filter { $0.new.contains($0.old) || $0.old.contains($0.new) }
        let new = Dictionary(grouping: renamed, by: \.old).mapValues { Set($0.map(\.new)) }
        let old = Dictionary(grouping: renamed, by: \.new).mapValues { Set($0.map(\.old)) }
        let mapped = renamed.filter { new[$0.old]?.count == 1 && old[$0.new]?.count == 1 }
        let merged = old.values.contains { $0.count >= Self.minimum } ? renamed : []
        let most = [contained, mapped, merged].max { $0.count < $1.count } ?? []
        return most.reduce(into: Known()) { $0.add($1.old) }
    }
}

extension ChangedProofs.Change {
    /// What completes the sentence that claims come so.
    fileprivate var text: String {
        switch self {
        case .withoutDevice:
            "without a device: is device_id still the name of its column (--columns device_id=NAME)?"
        case .withoutAccount:
            "without an account: is account_id still the name of its column (--columns account_id=NAME)?"
        case .withoutDate:
            "without a date: is presented_at still the name of its column (--columns presented_at=NAME)?"
        case .atMidnight: "with a date cut to midnight: did the export lose the time?"
        case .moved(let offset):
            "with a date \(Self.text(ofOffset: offset)) \(offset < 0 ? "earlier" : "later"): did the export change its time zone?"
        case .respelledAccounts:
            "with another account id on the same device: were ids migrated (audit ledger accounts)?"
        }
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
    /// An app with too few known proofs is judged by what is certain of others: ids are migrated for all.
    ///
    /// - Parameters:
    ///   - inputs: the INPUTs as written.
    ///   - comparesDevices: whether to compare devices.
    public func complaints(
        about proofs: PresentedProofs, _ inputs: [String], comparesDevices: Bool
    ) throws -> [RunComplaint] {
        guard let reader = try reader() else { return [] }
        let parts = try proofs.sorted.map { part, proofs in (part: part, proofs: try ChangedProofs(proofs, reader)) }
        var certain = parts.reduce(into: Set()) { $0.formUnion($1.proofs.certainChanges) }
        if !comparesDevices { certain.remove(.withoutDevice) }
        return parts.compactMap { part, proofs in
            let found = proofs.sentences(proofs.changes.intersection(certain))
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
