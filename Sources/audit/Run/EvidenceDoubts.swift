import Checks
import Encodings
import Engine
import Inputs
import Subscriptions

/// What a run says of its evidence, of which anybody may have written a part.
struct EvidenceDoubts {
    private let outcome: EvidenceOutcome
    /// The number of tokens and texts that do not count, and of all, with tokens inside others.
    private let (refused, all): (Int, Int)

    init(_ outcome: EvidenceOutcome) {
        self.outcome = outcome
        refused = outcome.refused
        all = outcome.counted.addingSaturating(outcome.refused)
    }

    init(_ tally: EvidenceTally) {
        outcome = tally.outcome
        refused = tally.count - (tally.verdicts[.valid] ?? 0)
        all = tally.count
    }

    /// The reasons why evidence is of no use: a file or folder in which nothing counts, with what it looks like, and less
    /// that counts than may be lost.
    var complaints: [RunComplaint] {
        var texts = outcome.inputs.compactMap(complaint)
        if outcome.counted > 0, outcome.lost > outcome.counted {
            texts.append(
                "\(counted(outcome.lost, "token")) of evidence may be cut off, hidden in other text, unreadable or decoded "
                    + "without the signature, and \(outcome.counted) \(outcome.counted == 1 ? "counts" : "count"): the table "
                    + "evidence says where")
        }
        return texts.prefix(Self.maxNamed).map { RunComplaint(.evidence, $0) }
    }

    private func complaint(_ input: EvidenceInput) -> String? {
        guard input.counted == 0, input.refused > 0 || input.unread.count > 0 else { return nil }
        let start = "\(input.name.text): no evidence counts"
        if input.unread.count * 2 > input.refused { return "\(start): \(Self.seen(input))" }
        let all = input.refused == 1 ? "1 token or text" : "\(input.refused) tokens and texts"
        guard let worst = Self.causes.max(by: { input.failedChecks[$0.check] < input.failedChecks[$1.check] }),
            input.failedChecks[worst.check] > 0
        else { return "\(start), of \(all)" }
        return "\(start), of \(all): \(input.failedChecks[worst.check]) for \(worst.check.code): \(worst.advice)"
    }

    /// Sentences about what does not count beside what does, or about what was not fetched.
    ///
    /// - Parameter table: how to get the table with the details.
    func warnings(table: String = "--report evidence=evidence.csv") -> [String] {
        var texts = outcome.inputs.filter(Self.isOddBesides).prefix(Self.maxNamed).map {
            "\($0.name.text): \($0.counted) \($0.counted == 1 ? "token counts" : "tokens count"), but other texts are "
                + Self.seen($0)
        }
        if refused > 0 {
            let lost =
                outcome.lost == 0
                ? ""
                : "; of \(counted(outcome.lost, "token")) only a part or a decoded copy can be read, or other text hides it"
            texts.append(
                "\(refused) of \(counted(all, "token")) of evidence \(refused == 1 ? "is" : "are") invalid or unreadable, and \(refused == 1 ? "does" : "do") not count\(lost): "
                    + "the table evidence says why (\(table))")
        }
        let pages = outcome.missingPages
        if let first = pages.first {
            let verb = pages.count == 1 ? "says" : "say"
            texts.append(
                "\(counted(pages.count, "page")) of the App Store Server API's answers \(verb) hasMore, but the next page is "
                    + "missing (\(first.text)), and so are the refunds in it: go on with its revision or "
                    + "paginationToken until hasMore is false")
        }
        return texts
    }

    /// Sentences about texts and rows without content.
    var notes: [String] {
        var texts = outcome.inputs.prefix(Self.maxNamed).compactMap { input -> String? in
            guard input.counted > 0, !Self.isOddBesides(input), let first = input.firstUnread,
                let rows = input.unread.rows.first(where: { $0.form == .placeholder })?.count
            else { return nil }
            let verb = rows == 1 ? "holds" : "hold"
            return "\(input.name.text): \(counted(rows, "row")) of evidence \(verb) no token (the first text without "
                + "one is \(first.text))"
        }
        if outcome.empty > 0 {
            let verb = outcome.empty == 1 ? "says" : "say"
            texts.append("\(counted(outcome.empty, "text")) of evidence \(verb) that there is nothing")
        }
        return texts
    }

    /// A sentence about evidence of apps that no claim is of; `nil` if there is none.
    ///
    /// - Parameter apps: the apps whose evidence counts; `nil` for all.
    func warning(besides apps: Set<ExactText>?) -> String? {
        let others = outcome.unnamedApps(besides: apps)
        guard !others.isEmpty else { return nil }
        let tokens = others.reduce(0) { $0.addingSaturating($1.count) }
        let names = others.prefix(10).map { "\(TerminalText.escaped($0.app.text)) (\($0.count))" }.joined(
            separator: ", ")
        let more = others.count > 10 ? " and \(others.count - 10) more" : ""
        let reason = apps?.isEmpty == true ? "no claim shows any app" : "no genuine claim is of them"
        let verb = tokens == 1 ? "is" : "are"
        return
            "\(counted(tokens, "token")) of evidence \(verb) about other apps, and \(tokens == 1 ? "counts" : "count") neither in figures nor "
            + "in unclaimed: \(reason): \(names)\(more). To count them, list the apps in a policy"
    }

    /// Whether texts without a token, beside tokens that count, are most of a file or folder, or of a form that a company
    /// stores by mistake.
    private static func isOddBesides(_ input: EvidenceInput) -> Bool {
        guard input.counted > 0, let main = input.unread.main else { return false }
        return input.unread.count > input.counted
            || main.form != .placeholder && KnownShape.ofEvidence(input.unread) != nil
    }

    /// What texts without a token look like, and what to do.
    private static func seen(_ input: EvidenceInput) -> String {
        let place = input.firstUnread.map { " (the first is \($0.text))" } ?? ""
        let advice = KnownShape.ofEvidence(input.unread)?.sentence
        return input.unread.seen + place + (advice.map { ": " + $0 } ?? "")
    }

    /// The maximum number of named files and folders with the same problem.
    private static let maxNamed = 20

    /// Possible causes if no token counts.
    private static let causes: [(check: Check, advice: String)] = [
        (.rowMalformed, "they hold no signed token as a whole"),
        (.receiptUnreadable, "the files are damaged"),
        (.unknownFormat, "they are neither tokens of the App Store nor JSON or tables with such tokens"),
        (.malformedContainer, "tokens are truncated or changed: the database column may be too short"),
        (.notSigned, "they are not signed: store what Apple sent, not what a library decoded"),
        (.notAProof, "they are tokens of a kind that audit does not know"),
        (.noncanonicalContainer, "tokens were changed or made by something other than the App Store"),
        (.signatureInvalid, "tokens were changed after Apple signed them"),
        (.chainUntrusted, "this run does not trust their root: for a sample, add --root SAMPLE/root.cer"),
        (.chainExpired, "their certificates were not valid on the date of signing"),
        (.malformedReceipt, "they are not tokens of the App Store, or were signed after the as-of date"),
        (.bundleIDMismatch, "they are of apps that the policy does not list"),
        (.environmentMismatch, "the policy does not allow their environment"),
    ]
}

extension RunLog {
    /// Warns about evidence that does not count or that was not fetched, even with `--quiet`.
    func warn(_ doubts: EvidenceDoubts, table: String = "--report evidence=evidence.csv") {
        for note in doubts.notes { warn(note) }
        for warning in doubts.warnings(table: table) { warnAlways(warning) }
    }
}
