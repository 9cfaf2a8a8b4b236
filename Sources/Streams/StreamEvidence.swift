import Checks
import Encodings
package import Engine
import Files
package import Inputs
import Proofs
import Reports
import Rules

/// The evidence of one `audit map`.
///
/// Every shard must know all evidence, but what it says may be written once only. So one process verifies it, writes what it
/// says and makes an index; the others are given the index, in which they look their claims' purchases up.
package enum StreamEvidence {
    /// Evidence as it was stored: it is verified here, and what it says is written here.
    case source(EvidenceSource, Storage)
    /// What another process made of it.
    case index(EvidenceIndex)
}

/// Which evidence a part of the summary was mapped with.
struct EvidenceUse: Codable, Equatable {
    /// Tells the evidence from other.
    var digest: UInt64
    /// Whether what the evidence says was written by this part.
    var isWritten: Bool
}

/// Holds all parts of a run to the same evidence, written once.
struct EvidenceAgreement {
    private var parts = 0
    private var digests: Set<UInt64> = []
    private var lacking = 0
    private var written = 0

    /// Adds a process that mapped claims.
    mutating func add(_ use: EvidenceUse?) {
        parts += 1
        guard let use else { return lacking += 1 }
        digests.insert(use.digest)
        if use.isWritten { written += 1 }
    }

    /// - Throws: `LineFault` if evidence counts twice, or not everywhere.
    func check() throws(LineFault) {
        guard !digests.isEmpty else { return }
        if lacking > 0 {
            throw .malformed("\(lacking) of \(parts) parts were mapped without the evidence of the others")
        }
        if digests.count > 1 { throw .malformed("parts were mapped with different evidence") }
        if written == 0 {
            throw .malformed("the lines of the evidence are missing: the output of the audit map that made the index")
        }
        if written > 1 {
            throw .malformed(
                "\(written) parts mapped the evidence: make an index with one (--evidence-index), and give that to "
                    + "the others")
        }
    }
}

/// Writes what evidence says as lines, on one thread: a row of the table `evidence` for each token, and what valid ones
/// say under original transactions.
final class EvidenceLineEmitter: EvidenceEmitter {
    private let lines: LineEmitter
    /// The lines and rows that were written.
    var counts: LineCounts { lines.counts }

    init(_ settings: StreamSettings) throws(OpenSSLError) { lines = try LineEmitter(settings, input: 0) }

    func emit(_ row: EvidenceRow) { lines.emit(row, of: EvidenceTable.self) }
    func emit(_ told: ClaimObservations) { lines.emit(evidence: told) }
    func end() throws -> [UInt8] { try lines.end() }
}
