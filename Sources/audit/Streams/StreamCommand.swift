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

/// A command that is a filter: lines in, lines out.
protocol StreamCommand: ParsableCommand {
    /// What the command needs of the system.
    var requirements: Requirements { get }
    /// Works until the end of standard input.
    func filter(to output: OutputFile) throws
}

extension StreamCommand {
    /// For a filter with one thread, which sorts little.
    var requirements: Requirements { Requirements(workers: 1, memory: 64 << 20) }

    mutating func run() throws {
        Interruption.watch()
        try Console().answer(as: "audit \(Self._commandName)") {
            try requirements.check()
            do {
                try filter(to: try OutputFile(replacing: "-"))
            } catch is Interrupted {
                throw ExitCode(128 + Interruption.signal)
            }
        }
    }
}

/// What all steps of a run in streams must be given alike.
struct StreamOptions: ParsableArguments {
    @OptionGroup var trust: TrustOptions

    @Option(
        help: ArgumentHelp(
            "Checker as of this time: RFC 3339, or a date, which is its midnight in UTC. The same for all steps.",
            valueName: "time"))
    var asOf: Instant

    @Option(
        help: ArgumentHelp(
            "What to expect of apps and products, limits, severities and allowances; see jobs/policy.example.yml.",
            valueName: "file"))
    var policy: String?

    @Flag(help: "Add the key csv to every row: the row as it stands in a report in CSV, without the line's end.")
    var csv = false

    /// What claims are judged by, and how a summary tells of it.
    func load() throws -> (settings: StreamSettings, run: RunDescription) {
        let (policy, digest) = try policy.map { try RunSettings.policy(in: $0) } ?? (Policy(), "")
        let anchors = try trust.anchors()
        let roots = anchors.anchors.map(\.certificate.fingerprint)
        var run = RunDescription(
            version: Audit.version, openSSL: OpenSSLVersion.text, asOf: asOf, inputs: [], roots: roots)
        run.rootFiles = trust.roots
        run.policy = self.policy.map { (file: $0, sha256: digest) }
        let identity = [Audit.version, asOf.description, digest] + roots
        let settings = StreamSettings(
            trust: anchors, expectations: Expectations(asOf: asOf, policy), rules: RuleSet(policy, asOf: asOf),
            fingerprint: ExactText(try Digest.sha256Hex(of: Array(identity.joined(separator: " ").utf8))), withCSV: csv)
        return (settings, run)
    }
}
