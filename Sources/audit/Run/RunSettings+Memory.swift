import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import Rules

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
