import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import Rules

/// The ledger of `--state`: opened for a run, set aside when it is damaged, and verified against its inputs.
extension AuditSession {
    /// Opens the ledger, if there is to be one.
    ///
    /// - Parameter files: the reports, whose formats decide which rows the ledger stores.
    func openCache(_ anchors: TrustAnchors, _ files: ReportFiles, _ log: RunLog) throws -> RunCache? {
        guard let state = settings.state else { return nil }
        let (origin, fingerprint) = try ledgerFingerprints(anchors, files)
        let ledger = try Ledger(state.path, origin: origin, runAt: settings.asOf)
        if let setAside = ledger.setAside { log.warnAlways(setAside) }
        if ledger.hasFewerAnchors {
            log.warnAlways(
                "since the last run, trust anchors were added: all claims are checked again. Claims of earlier exports "
                    + "that are not in this one keep their verdicts")
        }
        if let warning = LedgerExposure(of: state.path).warning(of: state.written) { log.warnAlways(warning) }
        return try RunCache(
            ledger, settings: fingerprint, asOf: settings.asOf, trustsStatus: !settings.rehash, startedAt: Clock.now)
    }

    /// Returns the hashes of what a ledger was made with, and of everything besides a block that decides its result.
    private func ledgerFingerprints(
        _ anchors: TrustAnchors, _ files: ReportFiles
    ) throws -> (origin: LedgerOrigin, settings: [UInt8]) {
        let trust = anchors.anchors.map(\.certificate.fingerprint).sorted()
        let key = try pseudonymKey.map { try PseudonymKey.fingerprint(of: $0.bytes) }
        let origin = LedgerOrigin(trustAnchors: Set(trust), pseudonymKey: key)
        let settings = try RunCache.settings(
            [
                Audit.version, OpenSSLVersion.text, policyDigest, files.wantsFigures ? "figures" : "",
                files.wantsLinks ? "links" : "",
            ] + settings.names.fingerprint + trust + files.encoders.map(\.name)
                + (key.map { [Hex.string($0.span)] } ?? []))
        return (origin, settings)
    }

    /// The result of the comparison of a ledger with its inputs.
    struct LedgerComparison {
        let verification: LedgerVerification
        /// The number of claims that were audited.
        let claims: Int
        /// The number of claims that were not, because of `--sample`.
        let leftOut: Int
    }

    /// Audits the inputs, or a share of them, into a temporary ledger, and compares the ledger of `--state` with that.
    ///
    /// The ledger of `--state` is only read, and nothing else is written.
    static func verifyLedger(_ settings: RunSettings, _ state: String, share: Double) throws -> LedgerComparison {
        try settings.checkOutputs()
        try settings.requirements.check()
        let session = try AuditSession(settings)
        // Blocks have rows in the formats of the reports, which are not written.
        let files = try ReportFiles(
            settings.requests.map { ReportRequest($0.table, $0.format, path: "/dev/null") }, session.reportSetting)
        let anchors = try TrustOptions.anchors(in: settings.roots.map(\.path))
        let (origin, fingerprint) = try session.ledgerFingerprints(anchors, files)
        let names = ["ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"]
        let folder = try ScratchFolder(in: RunSettings.temporaryFolder, names: names)
        return try withExtendedLifetime(folder) {
            let scratch = folder.path + "/" + names[0]
            let source = SampledSource(try settings.openInputs(), share: share, asOf: settings.asOf)
            let ledger = try Ledger(scratch, origin: origin, runAt: settings.asOf)
            let cache = try RunCache(
                ledger, settings: fingerprint, asOf: settings.asOf, trustsStatus: true, startedAt: Clock.now)
            let result = try session.engine(anchors, files, cache)
                .run(source, encoders: files.encoders, isStopped: { Interruption.signal != 0 })
            try cache.commit(result.tally, inputs: [])
            let verification = try LedgerVerification(
                of: scratch, with: state, asOf: settings.asOf, formats: files.encoders.count)
            return LedgerComparison(
                verification: verification, claims: result.tally.claims, leftOut: source.leftOut)
        }
    }
}

extension RunSettings {
    /// Runs a body that uses the ledger. If the ledger proves to be damaged, sets it aside and runs the body again, and
    /// says so to it.
    func withSoundLedger(_ log: RunLog, _ body: (_ wasReset: Bool) throws -> Void) throws {
        do {
            try body(false)
        } catch let error as LedgerError {
            guard case .damaged = error, let state else { throw error }
            log.warnAlways("\(error)")
            log.warnAlways(try Ledger.setAside(state.path))
            // Standard input cannot be read twice.
            guard !inputs.contains(where: { $0.written == "-" }) else { throw error }
            try body(true)
        }
    }
}

/// The history of findings in the ledger.
struct LedgerFindings: FindingHistory {
    let cache: RunCache

    func record(_ finding: FindingRow) throws -> FindingHistoryEntry { try cache.record(finding) }

    func missing() throws -> [ComparedFinding] {
        let identities = try IdentityHasher()
        let missing = try cache.findingsOfLastRun().compactMap { found -> ComparedFinding? in
            guard let severity = Severity(rawValue: found.severity),
                let confidence = Confidence(rawValue: found.confidence)
            else { return nil }
            let row = FindingRow(
                id: identities.finding(rule: found.rule, subject: found.subject), severity: severity,
                confidence: confidence, rule: found.rule, subject: found.subject)
            return ComparedFinding(row, firstSeen: found.firstSeen, change: .resolved)
        }
        if let failure = identities.failure { throw failure }
        return missing
    }
}
