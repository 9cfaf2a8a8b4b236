import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import Rules

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
                withFigures: files.wantFigures, pseudonymKey: key?.bytes, cache: memory)
            let result = try run.run(source, encoders: files.encoders, isStopped: { Interruption.signal != 0 })
            try memory.commit(result.tally, inputs: [])
            let verification = try LedgerVerification(
                of: scratch, with: state, asOf: asOf, formats: files.encoders.count)
            return Verified(verification: verification, claims: result.tally.claims, leftOut: source.leftOut)
        }
    }
}
