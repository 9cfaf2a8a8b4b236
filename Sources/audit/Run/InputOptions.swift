import ArgumentParser
import Encodings
import Inputs
import Subscriptions

/// The options for reading an export.
struct ExportNamesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read a column that has another name: device_id=vendor_uuid. Repeatable, or several with commas.",
            valueName: "column=name"))
    var columns: [String] = []

    @Option(help: ArgumentHelp("Another null marker in tables, besides \\N.", valueName: "text"))
    var null: String?

    /// The options with their values, as repeated in a summary.
    var reading: [(option: String, value: String)] { Self.reading(columns, null) }

    /// Returns the same for values that may come from a job.
    static func reading(_ columns: [String], _ null: String?) -> [(option: String, value: String)] {
        columns.map { ("--columns", $0) } + (null.map { [("--null", $0)] } ?? [])
    }

    /// - Throws: `ValidationError`.
    var names: ExportNames {
        get throws {
            do throws(ExportNamesError) {
                return try ExportNames(columns: columns, null: null)
            } catch {
                throw ValidationError("--columns: \(TerminalText.escaped(error.description)).")
            }
        }
    }
}

/// The option for the format of an INPUT, if its first bytes do not show it.
struct InputFormatOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of every INPUT except folders, instead of detecting it: csv, tsv, ndjson, json or proof.",
            valueName: "format"))
    var format: InputFormat?
}

/// The option for when a purchase should have been claimed.
struct UnclaimedOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --evidence: how many days after a purchase the table unclaimed lists it, if no claim presents it. (default: \(UnclaimedTerms.standardDays))",
            valueName: "days"))
    var unclaimedAfter: Int?

    @Flag(help: "With --evidence: list subscriptions that have ended in the table unclaimed, too.")
    var unclaimedEnded = false

    /// Returns the terms, with a job's where the command line has none.
    func terms(_ job: Job = Job()) -> UnclaimedTerms {
        var terms = UnclaimedTerms()
        terms.days = unclaimedAfter ?? job.unclaimedAfter ?? terms.days
        terms.withEnded = unclaimedEnded || job.unclaimedEnded == true
        return terms
    }

    func validate() throws {
        if let unclaimedAfter, !UnclaimedTerms.allDays.contains(unclaimedAfter) {
            throw ValidationError("--unclaimed-after must be from 0 to \(UnclaimedTerms.allDays.upperBound) days.")
        }
    }
}

/// The options for Apple's sales reports.
struct SalesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Apple's daily Summary Sales reports (.txt, .txt.gz): the table completeness says which sold units nothing shows.",
            valueName: "folder"))
    var sales: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --sales: exit with 3 if a greater share of the units is missing.", valueName: "share"))
    var maxMissing: Double?

    func validate() throws {
        if let maxMissing, !(0...1).contains(maxMissing) { throw ValidationError("--max-missing must be from 0 to 1.") }
    }
}

/// The options for the requirements on inputs.
struct InputLimitsOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Exit with 3 if there are fewer claims.", valueName: "count"))
    var minClaims: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Exit with 3 if a greater share of an INPUT's claims is unreadable. (default: less than half)",
            valueName: "share"))
    var maxUnreadable: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Exit with 3 if the devices of a smaller share of all claims were compared.", valueName: "share"))
    var minDevices: Double?

    @Flag(help: "Accept INPUTs without claims.")
    var allowEmpty = false

    func validate() throws {
        if let minClaims, minClaims < 0 { throw ValidationError("--min-claims must be 0 or more.") }
        if let minDevices, !(0...1).contains(minDevices) {
            throw ValidationError("--min-devices must be from 0 to 1.")
        }
        if let maxUnreadable, !(0...1).contains(maxUnreadable) {
            throw ValidationError("--max-unreadable must be from 0 to 1.")
        }
    }
}
