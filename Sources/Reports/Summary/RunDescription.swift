public import Encodings
public import Inputs

/// The inputs and versions of a run, with which it can be repeated.
public struct RunDescription: Sendable {
    /// The version of `audit`.
    public var version: String
    /// The version of OpenSSL in use.
    public var openSSL: String
    public var asOf: Instant
    public var inputs: [String]
    /// The values of `--evidence`.
    public var evidence: [String] = []
    /// The value of `--sales`.
    public var sales: String?
    /// The options for reading inputs, with their values.
    public var reading: [(option: String, value: String)] = []
    /// The trust anchors' SHA-256 fingerprints.
    public var roots: [String]
    /// The files of trust anchors on the command line; empty for Apple's.
    public var rootFiles: [String] = []
    /// The manifest on the command line.
    public var manifest: String?
    /// The policy's file and the SHA-256 of its bytes; `nil` for the standard policy.
    public var policy: (file: String, sha256: String)?
    /// The earlier report that findings were compared with.
    public var baseline: String?
    /// The file with the key of pseudonyms.
    public var pseudonymKey: String?
    /// The job file's name without its folder, to which the other paths are relative, and the SHA-256 of its bytes.
    public var job: (file: String, sha256: String)?
    /// Input data that is not a claim.
    public var omissions = Omissions()
    /// The reasons why the run is doubtful, as sentences.
    public var doubts: [String] = []

    public init(version: String, openSSL: String, asOf: Instant, inputs: [String], roots: [String]) {
        self.version = version
        self.openSSL = openSSL
        self.asOf = asOf
        self.inputs = inputs
        self.roots = roots
    }
}

extension RunDescription {
    /// The command that repeats the run, without its reports, and without a ledger: where history adds nothing, reports
    /// are the same with and without one.
    var command: String {
        var words = ["audit", "run"]
        let option = { (name: String, value: String) in words += [name, CommandWord.quoted(value)] }
        // With its folder a name does not look like an option.
        words += inputs.map { CommandWord.quoted($0.hasPrefix("-") && $0 != "-" ? "./" + $0 : $0) }
        for file in evidence { option("--evidence", file) }
        if let sales { option("--sales", sales) }
        if let manifest { option("--devices", manifest) }
        for (name, value) in reading { option(name, value) }
        for file in rootFiles { option("--root", file) }
        if let policy { option("--policy", policy.file) }
        if let baseline { option("--baseline", baseline) }
        if let pseudonymKey { option("--pseudonymise", pseudonymKey) }
        option("--as-of", asOf.description)
        return words.joined(separator: " ")
    }
}
