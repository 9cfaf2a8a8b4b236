import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Policies
import Proofs
import Reports
import Rules

extension RunSettings {
    /// Audits, writes all that was asked for, and says what came of it.
    ///
    /// - Throws: `ExitCode` 1 if there is a finding as bad as was asked about; else why the job could not be done.
    func run(_ log: RunLog) throws {
        try checkOutputs()
        try Requirements(workers: workers, files: requests.count + (metrics == nil ? 0 : 1), memory: memory).check()
        removeStaleFiles()
        var isBad = false
        try withSoundLedger(log) { isBad = try audit(log) }
        if isBad { throw ExitCode(1) }
    }

    /// The reports to be written.
    var requests: [ReportRequest] { reports.compactMap { $0.request(date: String(asOf.description.prefix(10))) } }

    /// - Returns: whether there is a finding as bad as was asked about.
    private func audit(_ log: RunLog) throws -> Bool {
        let (key, policy, policyDigest, subject) = try readSettings()
        if let warning = key?.warning { log.warn(warning) }
        let earlier = try baseline.map { try Baseline(reading: $0.path, asOf: asOf, subject: subject) }
        var setting = ReportSetting(asOf: asOf, temporaryFolder: Self.temporaryFolder)
        setting.withByteOrderMark = withByteOrderMark
        let files = try ReportFiles(requests, baseline: earlier, setting)
        let metricsFile = try metrics.map { try OutputFile(replacing: $0, isForAll: true) }
        let source = try Inputs(inputs, manifest: devices, temporaryFolder: Self.temporaryFolder)
        let anchors = try TrustOptions.anchors(in: roots.map(\.path))
        let runCache = try openCache(
            anchors, policyDigest: policyDigest, pseudonymKey: key?.bytes, files, log)
        let run = AuditRun(
            trust: anchors, expectations: Expectations(asOf: asOf, policy), rules: RuleSet(policy, asOf: asOf),
            workers: workers, storage: Storage(memory: memory, folder: Self.temporaryFolder),
            withFigures: files.wantFigures, pseudonymKey: key?.bytes, memory: runCache)
        var meter = ProgressMeter(log)
        defer { meter.end() }
        let result = try run.run(source, encoders: files.encoders, isStopped: { Interruption.signal != 0 }) {
            meter.show($0)
        }
        let changes = try files.write(
            result, description(anchors, policyDigest: policyDigest, source.omissions),
            history: runCache.map { LedgerFindings(memory: $0) })
        try runCache?.commit(result.tally, inputs: inputs.map(\.written))
        if let metricsFile {
            let timing = Metrics.Timing(asOf: asOf, finishedAt: Clock.now, seconds: meter.elapsed)
            let metrics = Metrics(
                result, timing, changes: changes, memory: runCache?.work, omissions: source.omissions,
                version: Audit.version, openSSL: OpenSSLVersion.text)
            let bytes = Array(metrics.text.utf8)
            try metricsFile.write(bytes.span)
            try metricsFile.finish()
        }
        if Interruption.signal != 0 { throw Interrupted() }
        try files.publish(with: metricsFile.map { [$0] } ?? [])
        do { try runCache?.publish() } catch { log.warn("\(error); the next run tells its findings as new once more") }
        meter.end()
        warn(of: source.omissions, log)
        let summary = SummaryText(
            result, asOf: asOf, seconds: meter.elapsed, omissions: source.omissions, reports: files.paths,
            isColored: log.console.isColored)
        let remembered = runCache.map { CacheText($0.work, changes, of: result.tally).line }
        log.tellEnd(
            of: result, seconds: meter.elapsed, memory: runCache?.work, reports: files.paths,
            lines: summary.lines + (remembered.map { [$0] } ?? []))
        guard let failOn, let worst = result.findingTally.worst else { return false }
        return worst >= failOn
    }

    /// Reads the pseudonym key and the policy.
    ///
    /// - Returns: them, the SHA-256 of the policy's file, and what puts pseudonyms in place of the ids in a subject.
    func readSettings() throws -> (
        key: PseudonymKey?, policy: Policy, policyDigest: String, subject: (ExactText) -> ExactText
    ) {
        let key = try pseudonymise.map { try PseudonymKey(readingFrom: $0.path) }
        let pseudonyms = try key.map { try Pseudonyms(key: $0.bytes) }
        let subject = { pseudonyms?.subject($0) ?? $0 }
        var (policy, policyDigest) = try policy.map { try Self.policy(in: $0.path) } ?? (Policy(), "")
        for index in policy.allowances.indices {
            policy.allowances[index].subject = subject(policy.allowances[index].subject)
        }
        if let failure = pseudonyms?.failure { throw failure }
        return (key, policy, policyDigest, subject)
    }

    /// Says where inputs are damaged, so that claims may be missing. Reports have a row there that cannot be read.
    private func warn(of omissions: Omissions, _ log: RunLog) {
        for damage in omissions.damages.prefix(10) { log.warn(damage.description) }
        let more = omissions.damageCount - 10
        if more > 0 { log.warn("and in \(more) more places") }
    }

    /// What the run was made of, as it was written: the same wherever it is started from.
    private func description(
        _ anchors: TrustAnchors, policyDigest: String, _ omissions: Omissions
    ) -> RunDescription {
        var description = RunDescription(
            version: Audit.version, openSSL: OpenSSLVersion.text, asOf: asOf, inputs: inputs.map(\.written),
            roots: anchors.anchors.map(\.certificate.fingerprint))
        description.rootFiles = roots.map(\.written)
        description.manifest = devices?.written
        description.policy = policy.map { (file: $0.written, sha256: policyDigest) }
        description.baseline = baseline?.written
        description.job = job
        description.omissions = omissions
        return description
    }

    /// A policy, and the SHA-256 of its file.
    static func policy(in path: String) throws -> (Policy, String) {
        let bytes = try FileContents.bytes(of: path, limit: PolicyFile.limit)
        return (try PolicyFile.read(bytes: bytes, name: path), try Digest.sha256Hex(of: bytes))
    }
}

extension RunSettings {
    /// Opens the ledger of `--state`, if there is to be one.
    ///
    /// - Parameter files: the reports, for the formats in which rows are wanted.
    func openCache(
        _ anchors: TrustAnchors, policyDigest: String, pseudonymKey: [UInt8]?, _ files: ReportFiles, _ log: RunLog
    ) throws -> RunCache? {
        guard let state else { return nil }
        let (origin, settings) = try ledgerSettings(
            anchors, policyDigest: policyDigest, pseudonymKey: pseudonymKey, files)
        let ledger = try Ledger(state.path, origin: origin, runAt: asOf)
        if let setAside = ledger.setAside { log.warn(setAside) }
        if let warning = LedgerExposure(of: state.path).warning(of: state.written) { log.warnAlways(warning) }
        return try RunCache(ledger, settings: settings, asOf: asOf, trustsStatus: !rehash, startedAt: Clock.now)
    }

    /// What a ledger is made with, and a hash of all that decides what comes of a block, but for the block.
    ///
    /// - Parameter files: the reports, for the formats in which rows are wanted.
    func ledgerSettings(
        _ anchors: TrustAnchors, policyDigest: String, pseudonymKey: [UInt8]?, _ files: ReportFiles
    ) throws -> (origin: LedgerOrigin, settings: [UInt8]) {
        let hasher = try ContentHasher()
        let digest = { (text: [String]) -> [UInt8] in
            let bytes = Array(text.joined(separator: "\n").utf8)
            return hasher.digest(of: bytes.span).bytes
        }
        let trust = anchors.anchors.map(\.certificate.fingerprint).sorted()
        let key = try pseudonymKey.map { try PseudonymKey.fingerprint(of: $0) }
        let origin = LedgerOrigin(trustAnchors: digest(trust), pseudonymKey: key)
        let settings = digest(
            [Audit.version, OpenSSLVersion.text, RunCache.format, policyDigest, files.wantFigures ? "figures" : ""]
                + trust + files.encoders.map(\.name) + (key.map { [Hex.string($0.span)] } ?? []))
        if let failure = hasher.failure { throw failure }
        return (origin, settings)
    }

    /// Does something with the ledger; if that is found damaged on the way, sets it aside and does it again.
    func withSoundLedger(_ log: RunLog, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as LedgerError {
            guard case .damaged = error, let state else { throw error }
            log.warn("\(error)")
            log.warn(try Ledger.setAside(state.path))
            // What has gone by on standard input does not come again.
            guard !inputs.contains(where: { $0.written == "-" }) else { throw error }
            try body()
        }
    }
}

/// What a ledger tells of findings.
struct LedgerFindings: FindingHistory {
    let memory: RunCache

    func note(_ finding: FindingRow) throws -> (firstSeen: Instant, isNew: Bool) { try memory.note(finding) }
}

extension RunSettings {
    /// What came of holding a ledger against its inputs.
    struct Verified {
        let verification: LedgerVerification
        let claims: Int
        let leftOut: Int
    }

    /// Makes a ledger anew from the inputs, or a share of them, in a temporary folder, and holds the ledger of `--state`
    /// against it. Nothing else is written, and the ledger is only read.
    func verifyLedger(_ state: String, share: Double) throws -> Verified {
        try checkOutputs()
        try Requirements(workers: workers, files: requests.count, memory: memory).check()
        let (key, policy, policyDigest, _) = try readSettings()
        var setting = ReportSetting(asOf: asOf, temporaryFolder: Self.temporaryFolder)
        setting.withByteOrderMark = withByteOrderMark
        // Of the reports only the formats matter, in which blocks have rows.
        let files = try ReportFiles(
            requests.map { ReportRequest($0.table, $0.format, path: "/dev/null") }, setting)
        let anchors = try TrustOptions.anchors(in: roots.map(\.path))
        let (origin, settings) = try ledgerSettings(
            anchors, policyDigest: policyDigest, pseudonymKey: key?.bytes, files)
        let names = ["ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"]
        let folder = try ScratchFolder(in: Self.temporaryFolder, names: names)
        return try withExtendedLifetime(folder) {
            let scratch = folder.path + "/" + names[0]
            let source = SampledSource(
                try Inputs(inputs, manifest: devices, temporaryFolder: Self.temporaryFolder), share: share, asOf: asOf)
            let memory = try RunCache(
                Ledger(scratch, origin: origin, runAt: asOf), settings: settings, asOf: asOf, trustsStatus: true,
                startedAt: Clock.now)
            let run = AuditRun(
                trust: anchors, expectations: Expectations(asOf: asOf, policy), rules: RuleSet(policy, asOf: asOf),
                workers: workers, storage: Storage(memory: self.memory, folder: Self.temporaryFolder),
                withFigures: files.wantFigures, pseudonymKey: key?.bytes, memory: memory)
            let result = try run.run(source, encoders: files.encoders, isStopped: { Interruption.signal != 0 })
            try memory.commit(result.tally, inputs: [])
            let verification = try LedgerVerification(
                of: scratch, with: state, asOf: asOf, formats: files.encoders.count)
            return Verified(verification: verification, claims: result.tally.claims, leftOut: source.leftOut)
        }
    }
}
