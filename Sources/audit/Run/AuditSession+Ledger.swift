import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import Rules

/// The ledger of `--state`: opened for a run, and set aside when it is damaged.
extension AuditSession {
    /// Opens the ledger, if there is one.
    ///
    /// - Returns: its history, and the state in which it was found.
    func openHistory(
        _ anchors: TrustAnchors, _ log: RunLog
    ) throws -> (history: RunHistory, found: LedgerSoundness) {
        guard let state = settings.state else { return (.none, .sound) }
        let origin = try ledgerOrigin(anchors)
        let ledger = try Ledger(
            state.path, origin: origin, runAt: settings.asOf, rewritesHistory: settings.rewritesHistory)
        let (setAside, hasLostRows) = (ledger.setAside, ledger.hasLostRows)
        let found = hasLostRows ? LedgerSoundness.lostRows : setAside == nil ? .sound : .madeAnew
        if let setAside { log.warnAlways(setAside) }
        if ledger.hasFewerAnchors {
            log.warnAlways(
                "since the last run, trust anchors were added: claims of earlier exports that are not in this one keep "
                    + "their verdicts")
        }
        if let warning = LedgerExposure(of: state.path).warning(of: state.written) { log.warnAlways(warning) }
        return (RunHistory(ledger, asOf: settings.asOf), found)
    }

    private func ledgerOrigin(_ anchors: TrustAnchors) throws -> LedgerOrigin {
        LedgerOrigin(
            trustAnchors: Set(anchors.anchors.map(\.certificate.fingerprint)),
            pseudonymKey: try pseudonymKey.map { try PseudonymKey.fingerprint(of: $0.bytes) })
    }
}

/// The state in which a run found its ledger. Worse states are greater.
enum LedgerSoundness: Int, Comparable {
    case sound
    /// It was empty, or damaged only in data that can be made again.
    case madeAnew
    /// It was damaged, and the new one lacks some of its rows.
    case lostRows

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension RunSettings {
    /// Runs a body that uses the ledger. If the ledger proves to be damaged, sets it aside and runs the body again with
    /// that state.
    func withSoundLedger(_ log: RunLog, _ body: (LedgerSoundness) throws -> Void) throws {
        do {
            try body(.sound)
        } catch let error as LedgerError {
            guard case .damaged(_, let reason) = error, let state else { throw error }
            let restored = try Ledger.restore(state.path, asOf: asOf, reason: reason)
            log.warnAlways("\(state.written) is damaged (\(reason)). \(restored.text)")
            // Standard input cannot be read twice.
            guard !inputs.contains(where: { $0.written == "-" }) else { throw error }
            try body(restored.isWhole ? .madeAnew : .lostRows)
        }
    }
}

/// The history of findings in the ledger.
struct LedgerFindings: FindingHistory {
    let history: RunHistory
    let asOf: Instant

    func record(_ finding: FindingRow) throws -> FindingHistoryEntry {
        try history.record(finding) ?? FindingHistoryEntry(firstSeen: asOf, isNew: true)
    }

    func forEachReview(_ body: (RecordedReview) throws -> Void) throws { try history.forEachReview(body) }

    func ruleQuality() throws -> [RuleQuality] { try history.ruleQuality() }

    func missing() throws -> [ComparedFinding] {
        let identities = try IdentityHasher()
        let missing = try history.findingsOfLastRun().map { found in
            let row = FindingRow(
                id: identities.finding(rule: found.rule, subject: found.subject), severity: found.severity,
                confidence: found.confidence, rule: found.rule, subject: found.subject)
            return ComparedFinding(row, firstSeen: found.firstSeen, change: .resolved)
        }
        if let failure = identities.failure { throw failure }
        return missing
    }
}
