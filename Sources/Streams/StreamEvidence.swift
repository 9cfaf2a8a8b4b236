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
/// Every shard must know all evidence, but its rows must be written only once. So one process verifies it, writes its
/// rows and makes an index; the others get the index, in which they look up their claims' purchases.
package enum StreamEvidence {
    /// Stored evidence: it is verified and written here.
    case source(EvidenceSource, Storage)
    /// An index made by another process.
    case index(EvidenceIndex)
}

/// The evidence that a part of the summary was mapped with.
struct EvidenceUse: Codable, Equatable {
    /// A digest that differs for different evidence.
    var digest: UInt64
    /// Whether this part wrote the rows of the evidence.
    var isWritten: Bool
}

/// Checks that all parts of a run use the same evidence, written once.
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

/// Writes evidence as lines, on one thread: a row of the table `evidence` for each token, and the observations of valid
/// ones under original transactions.
final class EvidenceLineEmitter: EvidenceEmitter {
    private let lines: LineEmitter
    /// The lines and rows that were written.
    var counts: LineCounts { lines.counts }

    init(_ settings: StreamSettings) throws(OpenSSLError) {
        lines = try LineEmitter(settings, input: 0, hasEvidence: true)
    }

    func emit(_ row: EvidenceRow) { lines.emit(row, of: EvidenceTable.self) }
    func emit(_ told: ClaimObservations) { lines.emit(evidence: told) }
    func end() throws -> [UInt8] { try lines.end() }
}
