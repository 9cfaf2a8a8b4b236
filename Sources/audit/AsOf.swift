public import ArgumentParser
public import Encodings
import FoundationEssentials

/// The option `--as-of`: the instant the audit is made for. Shared by all commands that judge receipts.
struct AsOfOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Checker as of this time: RFC 3339, or a date, which is its midnight in UTC. (default: now)",
            valueName: "time"))
    var asOf: Instant?

    /// The instant that was asked for, or now: ask once. In whole seconds, as reports say it, so that a run can be repeated.
    func orNow() -> Instant { asOf ?? Clock.now.wholeSeconds }
}

/// The one place that reads the clock.
enum Clock {
    static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }
}

extension Instant: ExpressibleByArgument {
    /// Reads `2026-06-30T12:00:00Z`, any other RFC 3339 time, or `2026-06-30`: midnight in UTC.
    public init?(argument: String) {
        let text = argument.utf8.count == 10 ? argument + "T00:00:00Z" : argument
        guard let instant = Instant(rfc3339: text) else { return nil }
        self = instant.wholeSeconds
    }

    /// The last full second.
    fileprivate var wholeSeconds: Instant {
        let rest = milliseconds % 1000
        return Instant(milliseconds: milliseconds - (rest < 0 ? rest + 1000 : rest))
    }
}
