import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import Policies
import Proofs
import Reports
import Rules
import Streams

/// A command that reads lines from standard input and writes lines to standard output.
protocol StreamCommand: ParsableCommand {
    /// The command's requirements of the system.
    var requirements: Requirements { get }
    /// Reads to the end of standard input.
    func filter(to output: OutputFile) throws
}

extension StreamCommand {
    /// The requirements of a filter with one thread that sorts little.
    var requirements: Requirements { Requirements(workers: 1, memory: 64 << 20) }

    mutating func run() throws {
        Interruption.watch()
        try Console().answer {
            try requirements.check()
            Console().sayIfReadingTerminal()
            try filter(to: try OutputFile(replacing: "-"))
        }
    }
}

/// The options that must be the same for all steps of a run in streams.
struct StreamOptions: ParsableArguments {
    @OptionGroup var trust: TrustOptions

    @Option(
        help: ArgumentHelp(
            "The reference time of all checks: RFC 3339, or a date for its midnight in UTC. The same for all steps.",
            valueName: "time"))
    var asOf: Instant

    @Option(
        help: ArgumentHelp(
            "A policy: apps, products, limits, severities and allowances; see jobs/policy.example.yml.",
            valueName: "file"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            """
            Write pseudonyms instead of device and account ids, made with the key in this file (16 bytes or more). The \
            same for all steps.
            """, valueName: "keyfile"))
    var pseudonymise: String?

    @Flag(help: "Add the key csv to every row: its line in a CSV report, without the line break.")
    var csv = false

    /// Returns the settings of the checks, and their description in a summary.
    func load() throws -> (settings: StreamSettings, run: RunDescription) {
        let key = try pseudonymise.map { try PseudonymKey(readingFrom: $0) }
        let (policy, digest) = try PolicyFile.read(policy, pseudonyms: key)
        let anchors = try trust.anchors()
        let roots = anchors.anchors.map(\.certificate.fingerprint)
        var run = RunDescription(
            version: Audit.version, openSSL: OpenSSLVersion.text, asOf: asOf, inputs: [], roots: roots)
        run.rootFiles = trust.roots
        run.policy = self.policy.map { (file: $0, sha256: digest) }
        run.pseudonymKey = pseudonymise
        var identity = [Audit.version, asOf.description, digest] + RuleBook.lines + roots
        if let key {
            let fingerprint = try PseudonymKey.fingerprint(of: key.bytes)
            identity.append(Hex.string(fingerprint.span))
        }
        let settings = StreamSettings(
            trust: anchors, expectations: Expectations(asOf: asOf, policy), rules: RuleSet(policy, asOf: asOf),
            fingerprint: ExactText(try Digest.sha256Hex(of: Array(identity.joined(separator: " ").utf8))), withCSV: csv,
            pseudonymKey: key?.bytes)
        return (settings, run)
    }
}
