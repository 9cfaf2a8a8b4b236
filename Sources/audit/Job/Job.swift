import Encodings
import Files
import Inputs
import Proofs
import Rules
import YAML

/// A run as a job file tells it: each part, if the file has it. What the command line says wins over it.
struct Job {
    var inputs: [GivenPath] = []
    var devices: GivenPath?
    var roots: [GivenPath] = []
    var policy: GivenPath?
    var reports: [ReportTarget] = []
    /// Whether CSV reports begin with a byte-order mark.
    var excel: Bool?
    var baseline: GivenPath?
    var asOf: Instant?
    var failOn: Severity?
    var workers: Int?
    var memory: MemorySize?
    var metrics: MetricsFile?
    var pseudonymise: GivenPath?
    var state: GivenPath?
    /// Whether files are read again that seem unchanged.
    var rehash: Bool?
    var logFormat: LogFormat?

    /// The longest file that is read: 1 MiB.
    static let limit = 1 << 20

    /// Reads a job file.
    ///
    /// - Parameters:
    ///   - name: the file, as the person who reads an error wrote it; paths in it are relative to its folder.
    ///   - environment: what `${NAME}` stands for.
    static func read(
        bytes: [UInt8], name: String, environment: @escaping (String) -> String?
    ) throws(YAMLFileError) -> Job {
        try JobReader.read(bytes: bytes, name: name, limit: limit) { reader, root in
            reader.environment = environment
            reader.folder = PathParts(name).folder
            return reader.job(root)
        }
    }
}
