import ArgumentParser
import Checks
import Encodings
import Files
import Policies
import Proofs
import Reports
import Rules
import Streams

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
