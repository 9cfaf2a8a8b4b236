import Checks
import Encodings
import Engine
import Inputs
import Rules
import Subscriptions
import YAML

/// An INPUT with its counts.
struct CheckedInput {
    /// The INPUT as written.
    let name: String
    /// The path of its table, for commands.
    let path: String
    var tally: InputTally

    /// Returns the INPUTs of a run, in order.
    static func all(_ result: AuditResult, _ inputs: Inputs) -> [CheckedInput] {
        (0..<inputs.count).map {
            CheckedInput(
                name: inputs.name(ofInput: $0), path: inputs.path(ofInput: $0), tally: result.inputs[$0] ?? InputTally()
            )
        }
    }

    /// Returns the INPUTs of a run whose steps were separate processes. If there is only one, all parts belong to it.
    ///
    /// - Parameters:
    ///   - names: the INPUTs as written.
    ///   - tallies: the counts of each, by its number.
    static func all(named names: [String], _ tallies: [Int: InputTally]) -> [CheckedInput] {
        guard names.count > 1 else {
            var sum = InputTally()
            for tally in tallies.values { sum += tally }
            return [CheckedInput(name: names.first ?? "the input", path: names.first ?? "FILE", tally: sum)]
        }
        return (0..<max(names.count, (tallies.keys.max() ?? 0) + 1)).map {
            let name = names.indices.contains($0) ? names[$0] : "input \($0)"
            return CheckedInput(name: name, path: name, tally: tallies[$0] ?? InputTally())
        }
    }

    /// Signs that its text is not what was meant.
    ///
    /// - Parameter isTold: whether a complaint says why most of its claims cannot be read.
    func doubts(isTold: Bool) -> [String] {
        let part = isTold ? [] : tally.doubts.sentences(ofPartIn: tally.claims, told: tally.otherTexts)
        return TableDoubts(otherTexts: tally.otherTexts, tally.doubts.sentences + part, path: path).texts
    }
}

/// The requirements on inputs for a successful run.
struct InputLimits {
    /// The minimum number of claims.
    let minClaims: Int
    /// The maximum share of unreadable claims in an INPUT; `nil` for less than half.
    let maxUnreadable: Double?
    /// The minimum share of claims with a device.
    let minDevices: Double?
    /// Whether an INPUT may have no claims.
    let allowsEmpty: Bool
    /// Whether a folder must have a manifest.
    let requiresManifest: Bool

    init(_ options: InputLimitsOptions, _ job: Job = Job(), requiresManifest: Bool = false) {
        minDevices = options.minDevices ?? job.minDevices
        self.requiresManifest = requiresManifest || job.requireManifest == true
        minClaims = options.minClaims ?? job.minClaims ?? 0
        maxUnreadable = options.maxUnreadable ?? job.maxUnreadable
        allowsEmpty = options.allowEmpty || job.allowEmpty == true
    }

    /// Returns the problems with the inputs of a run; empty if they meet the requirements.
    ///
    /// - Parameters:
    ///   - omissions: the omissions of claims and evidence.
    ///   - last: the latest reference time of an earlier run; `nil` if there was none.
    func complaints(
        _ tally: Tally, _ inputs: [CheckedInput], _ omissions: Omissions, asOf: Instant, after last: Instant? = nil
    ) -> [RunComplaint] {
        var complaints: [RunComplaint] = []
        if !allowsEmpty {
            complaints += inputs.filter { $0.tally.claims == 0 }.prefix(Self.maxNamed)
                .map { RunComplaint(.empty, "\($0.name) has no claims (--allow-empty accepts that)") }
        }
        if tally.claims < minClaims {
            let text = "\(counted(tally.claims, "claim")), fewer than --min-claims \(minClaims)"
            complaints.append(RunComplaint(.fewClaims, text))
        }
        for input in inputs {
            guard let complaint = complaint(ofUnreadable: input.tally) else { continue }
            let text = (inputs.count == 1 ? "" : "\(input.name): ") + complaint
            complaints.append(RunComplaint(.unreadable, text))
        }
        for input in inputs.prefix(Self.maxNamed) {
            for loss in input.tally.doubts.losses(in: input.tally.claims) {
                complaints.append(RunComplaint(.unreadable, (inputs.count == 1 ? "" : "\(input.name): ") + loss))
            }
        }
        if requiresManifest {
            complaints += omissions.foldersWithoutManifest.map {
                RunComplaint(.noManifest, "\($0) has no devices.csv with rows, but --require-manifest asks for it")
            }
        }
        complaints += omissions.manifestFaults.map { RunComplaint(.manifest, $0) }
        if let text = Self.lostRows(omissions) { complaints.append(RunComplaint(.lostRows, text)) }
        let doubt = RunDoubt(isAboutAll: true)
        if let text = Self.afterAsOf(tally, asOf) { complaints.append(RunComplaint(.afterAsOf, text, doubt)) }
        if tally.claimedDevices == 0, tally.accounts.isEmpty, tally.claims > 0, let name = omissions.presenterKey {
            let text =
                "no claim has a device or an account, and “\(name)” is not read: nothing says who presented the proofs"
            complaints.append(RunComplaint(.fewDevices, text))
        }
        if let text = missingDevices(tally) { complaints.append(RunComplaint(.fewDevices, text, doubt)) }
        if let last, last.adding(seconds: 366 * 86_400) < asOf {
            let text =
                "the as-of date \(asOf) is more than a year after that of the last run, \(last): is the clock right?"
            complaints.append(RunComplaint(.farAsOf, text + Self.nothingCounts, doubt))
        }
        return complaints
    }

    private static func lostRows(_ omissions: Omissions) -> String? {
        let (damages, hasFolders) = (omissions.lossCount, omissions.skipped.mayHoldClaims)
        guard damages > 0 || hasFolders else { return nil }
        let places = damages > 0 ? "inputs are damaged in \(counted(damages, "place"))" : ""
        let folders = hasFolders ? "folders cannot be read" : ""
        let found = [places, folders].filter { !$0.isEmpty }.joined(separator: ", and ")
        let advice = [damages > 0 ? "write the export again" : "", hasFolders ? "let the audit read the folders" : ""]
        return "claims or evidence may be missing: \(found); "
            + advice.filter { !$0.isEmpty }.joined(separator: ", and ")
    }

    private static func afterAsOf(_ tally: Tally, _ asOf: Instant) -> String? {
        let found: String
        if tally.datedLater > tally.claims / 2 {
            found =
                "\(tally.datedLater) of \(counted(tally.claims, "claim")) were created after the as-of date \(asOf), so they "
                + "are malformed"
        } else if tally.dated >= 100, tally.presentedLater > tally.dated / 2 {
            found =
                "\(tally.presentedLater) of \(counted(tally.dated, "claim")) with a date were presented more than a day after "
                + "the as-of date \(asOf)"
        } else {
            return nil
        }
        return found + ": is that date right?" + nothingCounts
    }

    private static let nothingCounts = " Nothing of this run counts in later runs until somebody accepts it"

    /// Returns a complaint if too few devices were compared.
    private func missingDevices(_ tally: Tally) -> String? {
        let compared = tally.claims - tally.deviceHashResults[.notChecked]
        guard let minDevices, Double(compared) < minDevices * Double(tally.claims) else { return nil }
        return "the device of only \(compared) of \(counted(tally.claims, "claim")) was compared, and --min-devices is "
            + "\(minDevices): is device_id still the name of its column (--columns device_id=NAME)?"
            + Self.nothingCounts
    }

    /// The maximum number of named inputs with the same problem.
    private static let maxNamed = 100

    private func complaint(ofUnreadable tally: InputTally) -> String? {
        // A claim that is lost is one of few, too.
        let isTooMany =
            maxUnreadable.map { Double(tally.unreadable) > $0 * Double(tally.claims) }
            ?? (tally.unreadable > 0 && tally.unreadable >= tally.claims - tally.unreadable)
        guard isTooMany else { return nil }
        let verb = tally.claims == 1 ? "is" : "are"
        return "\(tally.unreadable) of \(counted(tally.claims, "claim")) \(verb) unreadable\(Self.cause(tally))"
    }

    /// Returns the most frequent reason, and what was seen.
    private static func cause(_ tally: InputTally) -> String {
        let codes: [(check: Check, advice: String)] = [
            (.rowMalformed, "they do not match the header, or are not JSON objects with receipt_data or file"),
            (.receiptNotFound, "files are named relative to the folder of the table"),
            (.receiptUnreadable, "the files cannot be read"),
            (.receiptEmpty, "the column of receipts is empty"),
            (.unknownFormat, "they are neither receipts nor tokens (docs/inputs.md#receipts-and-tokens)"),
            (.malformedContainer, "they are cut or damaged: the column may be too short"),
            (.notAProof, "Apple signed them for other purposes: try audit inspect on one"),
        ]
        guard let worst = codes.max(by: { tally.failedChecks[$0.check] < tally.failedChecks[$1.check] }),
            tally.failedChecks[worst.check] > 0
        else { return "" }
        let reason = ", \(tally.failedChecks[worst.check]) for \(worst.check.code)"
        let (proofs, rows) = (tally.doubts.proofs, tally.doubts.rows)
        switch worst.check {
        case .rowMalformed where rows.main?.form == .json:
            return reason + ": rows: \(rows.seen): they hold no proof; "
                + "jq -c 'select(any(.[]; type == \"string\"))' leaves out lines such as the actions of a bulk file"
        case .rowMalformed where rows.count > 0: return reason + ": rows: \(rows.seen): \(worst.advice)"
        case .unknownFormat where proofs.count > 0, .malformedContainer where proofs.count > 0:
            // A warning says the same of values of a known form.
            if !KnownShape.sentences(ofProofs: proofs).isEmpty { return reason }
            return reason + ": receipt_data: \(proofs.seen): \(KnownShape.ofProofs(proofs)?.sentence ?? worst.advice)"
        default: return reason + ": \(worst.advice)"
        }
    }

    /// Returns signs that a run is not what was meant, which may be intended.
    static func doubts(
        _ tally: Tally, _ inputs: [CheckedInput], _ omissions: Omissions
    ) -> [String] {
        var doubts = omissions.doubts
        doubts += inputs.flatMap { $0.doubts(isTold: 2 * $0.tally.unreadable >= $0.tally.claims) }.prefix(maxNamed)
        doubts += tally.accounts.sentences
        let lacking = LikelyColumn.allCases.filter { column in
            switch column {
            case .device: tally.deviceIDs == 0
            case .account: tally.accounts.isEmpty
            case .date: tally.dated == 0 && !tally.doubts.hasUnreadDates
            }
        }
        if tally.claims > 0 {
            // A token's own device may be the only one; other UUIDs beside it are not devices.
            doubts += omissions.sentences(
                lacking: lacking, byNameAlone: tally.claimedDevices > 0,
                path: inputs.count == 1 && inputs[0].path != "-" ? inputs[0].path : "INPUT")
        }
        for (check, advice) in causes {
            let count = tally.failedChecks[check]
            guard count >= 10, count > tally.claims / 2 else { continue }
            doubts.append("\(count) of \(tally.claims) claims fail \(check.code): \(advice)")
        }
        doubts += tally.waves.sentences
        for absent in omissions.absentColumns { doubts.append(doubt(ofAbsent: absent)) }
        if let key = omissions.unknownColumns.first(where: { isEvidenceKey(ExactText($0)) }) {
            doubts.append(
                "“\(key)” is a key of notifications and API answers, which are evidence: name them with --evidence")
        }
        let known = ExportNames.columns + ExportNames.longAliases
        // Any table has a column id.
        for column in omissions.unknownColumns where column.utf8.count > 2 {
            guard let near = Nearest.word(to: ExactText(column), among: known), near != ExactText(column) else {
                continue
            }
            doubts.append("the unknown column “\(column)” is ignored; did you mean “\(near)”?")
        }
        return doubts
    }

    /// Possible causes if most claims fail a check.
    private static let causes: [(check: Check, advice: String)] = [
        (.chainUntrusted, "this run does not trust their root: for a sample, add --root SAMPLE/root.cer"),
        (
            .guidMismatch,
            "an iOS app hashes identifierForVendor, not an advertising id or an id of your own; after an app's transfer"
                + " to another team identifierForVendor is another one; a Mac or Catalyst app hashes the MAC address of"
                + " en0 or en1: send both, separated by |"
        ),
        (
            .noncanonicalContainer,
            "something between device and export rewrites proofs or adds bytes to them; send and store them as they are"
        ),
        (.bundleIDMismatch, "does the policy list these apps, and is bundle_id the column of bundle ids?"),
        (.appVersionMismatch, "proofs hold CFBundleVersion of iOS, CFBundleShortVersionString of macOS"),
        (.environmentMismatch, "are these the environments that the policy should allow?"),
    ]

    private static func isEvidenceKey(_ key: ExactText) -> Bool {
        EvidenceText.isName(key.utf8.span) || key == "notificationHistory"
    }

    private static func doubt(ofAbsent absent: AbsentColumn) -> String {
        let question = Nearest.question(ExactText(absent.name), among: absent.others.map { ExactText($0) })
        let names = absent.others.prefix(20).map { "“\($0)”" }.joined(separator: ", ")
        let found = names.isEmpty ? "" : "\(question.isEmpty ? "." : "") There is \(names)"
        return "--columns \(absent.column)=\(absent.name): no INPUT has that column\(question)\(found)"
    }

    /// Returns advice if no device was compared, for example if an export has no column for it.
    static func deviceAdvice(_ tally: Tally) -> String? {
        guard tally.claims >= 10, tally.deviceHashResults[.notChecked] == tally.claims, tally.claimedDevices == 0,
            tally.verdicts[.unreadable] <= tally.claims / 2
        else { return nil }
        return
            "no claim's device was compared with its proof: is there a column device_id (or --columns device_id=NAME)?"
    }
}
