import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs

/// The ledger of `--state`.
extension AuditSession {
    /// Opens the ledger, if there is one.
    ///
    /// - Returns: its history, whether it was damaged or empty, and if it was damaged, the complaint about that.
    func openHistory(
        _ anchors: TrustAnchors, _ log: RunLog
    ) throws -> (history: RunHistory, wasReset: Bool, complaints: [RunComplaint]) {
        guard let state = settings.state else { return (.none, false, []) }
        let ledger = try Ledger(
            state.path, origin: try ledgerOrigin(anchors), runAt: settings.asOf,
            rewritesHistory: settings.rewritesHistory)
        log.remember(ledger.toldByLastRun)
        if let network = ledger.network {
            log.warnAlways(
                "\(TerminalText.escaped(state.written)) is on \(network): its locks may not hold between machines. Let one "
                    + "machine alone use it, or keep it on a local disk")
        }
        if let wasEmpty = ledger.wasEmpty { log.warnAlways(wasEmpty) }
        if ledger.hasFewerAnchors {
            log.warnAlways(
                "trust anchors were added since the last run: claims that only earlier exports have keep their verdicts"
            )
        }
        if let warning = LedgerExposure(of: state.path).warning(of: state.written) { log.warnEveryNight(warning) }
        let wasReset = ledger.wasEmpty != nil || ledger.restored != nil
        let complaints = [ledger.restored, ledger.damageOfPrevious].compactMap(\.self).map { RunComplaint(.ledger, $0) }
        return (RunHistory(ledger, asOf: settings.asOf), wasReset, complaints)
    }

    private func ledgerOrigin(_ anchors: TrustAnchors) throws -> LedgerOrigin {
        LedgerOrigin(
            trustAnchors: Set(anchors.anchors.map(\.certificate.fingerprint)),
            pseudonymKey: try pseudonymKey.map { try PseudonymKey.fingerprint(of: $0.bytes) })
    }
}
