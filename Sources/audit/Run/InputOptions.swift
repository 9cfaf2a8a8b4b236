import ArgumentParser
import Checks
import Encodings
import Engine
import Inputs
import YAML

/// The options that say how an export names its columns.
struct ExportNamesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read a column under another name: device_id=vendor_uuid. Repeatable, or several with commas.",
            valueName: "column=name"))
    var columns: [String] = []

    @Option(help: ArgumentHelp("What stands for an empty cell in tables, besides \\N.", valueName: "text"))
    var null: String?

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

/// What inputs must be, so that a run is a success.
struct InputLimits {
    /// How many claims there must be at least.
    var minClaims = 0
    /// The share of claims that may be unreadable, if there are at least ten.
    var maxUnreadable = 0.5
    /// Whether an INPUT may have no claims.
    var allowsEmpty = false

    static func validate(minClaims: Int?, maxUnreadable: Double?) throws {
        if let minClaims, minClaims < 0 { throw ValidationError("--min-claims must be 0 or more.") }
        if let maxUnreadable, !(0...1).contains(maxUnreadable) {
            throw ValidationError("--max-unreadable must be from 0 to 1.")
        }
    }

    /// What is wrong with the inputs of a run, a sentence each; empty if they are what they must be.
    func complaints(_ tally: Tally, _ omissions: Omissions) -> [String] {
        var complaints: [String] = []
        if !allowsEmpty {
            complaints += omissions.emptyInputs.map { "\($0) has no claims (--allow-empty accepts that)" }
        }
        if tally.claims < minClaims {
            complaints.append("\(counted(tally.claims, "claim")), where --min-claims is \(minClaims)")
        }
        let unreadable = tally.verdicts[.unreadable]
        if tally.claims >= 10, Double(unreadable) > maxUnreadable * Double(tally.claims) {
            complaints.append("\(unreadable) of \(tally.claims) claims are unreadable\(Self.cause(tally))")
        }
        return complaints
    }

    /// The most frequent reason, and what it is mostly due to.
    private static func cause(_ tally: Tally) -> String {
        let codes: [(check: Check, advice: String)] = [
            (.rowMalformed, "rows do not fit the header, or are no JSON objects with receipt_data"),
            (.receiptNotFound, "files are named relative to the folder of the table"),
            (.receiptUnreadable, "the files cannot be read"),
            (.receiptEmpty, "the column of receipts is empty"),
            (.unknownFormat, "what is in receipt_data is no receipt and no token: see one with audit inspect"),
            (.malformedContainer, "receipts are cut short or damaged: a column may be too short for them"),
        ]
        guard let worst = codes.max(by: { tally.failedChecks[$0.check] < tally.failedChecks[$1.check] }),
            tally.failedChecks[worst.check] > 0
        else { return "" }
        return ", \(tally.failedChecks[worst.check]) for \(worst.check.code): \(worst.advice)"
    }

    /// Signs that a run is not what was meant, which may be all right.
    static func doubts(_ tally: Tally, _ omissions: Omissions) -> [String] {
        var doubts = omissions.doubts
        for column in omissions.unknownColumns {
            guard let near = Nearest.word(to: ExactText(column), among: ExportNames.columns), near != ExactText(column)
            else {
                continue
            }
            doubts.append("the column “\(column)” is not known and not read; did you mean “\(near)”?")
        }
        return doubts
    }

    /// Says so if no device was compared, as where an export has no column for it.
    static func deviceAdvice(_ tally: Tally) -> String? {
        guard tally.claims >= 10, tally.deviceHashResults[.notChecked] == tally.claims else { return nil }
        return
            "no claim's device was compared with its proof: is there a column device_id (or --columns device_id=NAME)?"
    }
}
