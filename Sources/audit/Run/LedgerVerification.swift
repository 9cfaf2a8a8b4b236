import Checks
import Encodings
import Engine
import Files
import Inputs
import Ledgers
import Proofs
import Reports
import Rules

/// The comparison of a run that uses the results in a ledger with one over the same inputs that does not. With the same
/// claims of earlier runs, both must write the same reports, byte by byte.
///
/// The ledger is only read, and no report is put in place.
struct LedgerVerification {
    /// The number of audited claims.
    let claims: Int
    /// The number of claims with a result from the ledger.
    let replayed: Int
    /// The path of each report, and the first difference between the two; `nil` if they are equal.
    let reports: [(name: String, difference: String?)]

    /// - Parameter state: the ledger.
    init(_ settings: RunSettings, _ state: String) throws {
        try settings.checkOutputs()
        try settings.requirements.check()
        let names = ["with", "without"].map { kind in
            settings.requests.indices.map { "\($0)-\(kind).\(settings.requests[$0].format.rawValue)" }
        }
        let folder = try ScratchFolder(in: RunSettings.temporaryFolder, names: names.flatMap(\.self))
        let places = names.map { $0.map { folder.path + "/" + $0 } }
        let session = try AuditSession(settings)
        let used = try session.audit(state, withBlocks: true, places[0])
        _ = try session.audit(state, withBlocks: false, places[1])
        (claims, replayed) = (used.claims, used.replayed)
        reports = try settings.requests.indices.map { index in
            let name = TerminalText.escaped(settings.requests[index].path)
            return (name, try Self.difference(between: places[0][index], and: places[1][index]))
        }
        withExtendedLifetime(folder) {}
    }

    /// Describes the first difference between two files; `nil` if they are equal.
    private static func difference(between first: String, and second: String) throws -> String? {
        let pieceSize = 1 << 20
        let files = (try StoredFile(first), try StoredFile(second))
        let sizes = (FileContents.size(of: first) ?? 0, FileContents.size(of: second) ?? 0)
        var line = 1
        for start in stride(from: 0, to: min(sizes.0, sizes.1), by: pieceSize) {
            let pieces = (
                try files.0.bytes(start..<min(sizes.0, start + pieceSize)),
                try files.1.bytes(start..<min(sizes.1, start + pieceSize))
            )
            if let place = zip(pieces.0, pieces.1).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
                line += pieces.0[..<place].count { $0 == 0x0a }
                return "octet \(start + place), line \(line)"
            }
            line += pieces.0.count { $0 == 0x0a }
        }
        return sizes.0 == sizes.1 ? nil : "one has \(sizes.0) bytes, the other \(sizes.1)"
    }
}

extension AuditSession {
    /// Audits with the data of a ledger, and writes the reports to other paths.
    ///
    /// - Parameter withBlocks: whether to use stored results.
    fileprivate func audit(
        _ state: String, withBlocks: Bool, _ places: [String]
    ) throws -> (claims: Int, replayed: Int) {
        let requests = zip(settings.requests, places).map { ReportRequest($0.table, $0.format, path: $1) }
        let files = try ReportFiles(requests, reportSetting)
        let anchors = try TrustOptions.anchors(in: settings.roots.map(\.path))
        let snapshot = try LedgerSnapshot(state, withBlocks: withBlocks)
        let history = RunHistory(
            snapshot, settings: try ledgerFingerprints(anchors, files).settings, asOf: settings.asOf,
            trustsStatus: true, startedAt: Clock.now)
        let source = try settings.openInputs()
        let result = try engine(anchors, files, history).run(
            source, evidence: try settings.openEvidence(), encoders: files.encoders,
            isStopped: { Interruption.signal != 0 })
        try files.write(result, description(anchors, source.omissions))
        if Interruption.signal != 0 { throw Interrupted() }
        try files.publish()
        return (result.tally.claims, history.replayed)
    }
}
