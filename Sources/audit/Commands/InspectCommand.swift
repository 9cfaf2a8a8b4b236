import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Policies
import Proofs
import ReceiptAudit
import Reports
import Rules

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show one receipt or token: every check with its reason, and all contents.",
        discussion: """
            PROOF is a file, or - for standard input: a receipt in DER, base64, or base64 in PEM armour, or a StoreKit 2 token. \
            It can also be a claim of an export: export.csv:17 is the row that starts on line 17, and claim:ID with \
            --in INPUT is the row with that claim_id. The row then says which device claims it. Reports leave out the \
            folder of the INPUT: what they call devices.csv:3 in an audit of receipts/ is receipts/devices.csv:3 \
            here.

            To compare the proof's hash with a device, name the device. For a receipt, --device takes a UUID \
            (identifierForVendor) or a MAC address, or alternatives with | between them. For a token, use \
            --device-verification-id.

            EXAMPLES
              audit inspect receipt.der
              audit inspect receipt.der \\
                --device 7EB61F70-E56D-46F1-AC3A-84D1B43829D3
              pbpaste | audit inspect - --as-of 2026-06-30
              audit inspect receipt.der --json | jq .failed_checks
              audit inspect transaction.jws \\
                --device-verification-id 7EB61F70-E56D-46F1-AC3A-84D1B43829D3

              audit inspect export.csv:17
              audit inspect claim:1c0f5d8e2a4b6c7d8e9f0a1b --in export.csv

            EXIT CODES
              0    the proof is valid
              1    it is invalid
              2    it is unreadable
              64   wrong usage
              66   nothing was inspected: there is no such file or claim, it is a folder
                   or an export, or a root or the policy cannot be read. With
                   --json, standard output has an object with the key error
            """
    )

    @Argument(help: ArgumentHelp("The file of the receipt or token, -, or a claim.", valueName: "proof"))
    var path: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The export that claim:ID is in: INPUTs as of a run. Repeatable.", valueName: "input"))
    var inputs: [String] = []

    @OptionGroup var names: ExportNamesOptions

    @OptionGroup var form: InputFormatOption

    @Option(help: ArgumentHelp("The manifest of a folder among --in, if not its own.", valueName: "file"))
    var devices: String?

    @Option(help: ArgumentHelp("The key of the run that wrote the claim's id.", valueName: "keyfile"))
    var pseudonymise: String?

    @Option(help: ArgumentHelp("The device that claims the receipt, or alternatives.", valueName: "id"))
    var device = ""

    @Option(
        name: .customLong("device-verification-id"),
        help: ArgumentHelp("AppStore.deviceVerificationID of the device that claims the token.", valueName: "uuid"))
    var deviceVerificationID = ""

    @Option(help: ArgumentHelp("The expected bundle id of the receipt.", valueName: "id"))
    var bundleID = ""

    @Option(help: ArgumentHelp("The expected app version of the receipt.", valueName: "version"))
    var appVersion = ""

    @Option(
        help: ArgumentHelp(
            "A policy with the allowed apps and environments; see jobs/policy.example.yml.",
            valueName: "file"))
    var policy: String?

    @OptionGroup var trust: TrustOptions

    @OptionGroup var time: AsOfOption

    @Flag(help: "Write JSON, with all details.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        let isClaim = try ExportTarget(path, inputs) != nil
        guard isClaim || inputs.isEmpty else { throw ValidationError("--in is for a claim of an export: claim:ID.") }
        if isClaim, ![device, deviceVerificationID, bundleID, appVersion].allSatisfy({ ExactText($0).isEmpty }) {
            throw ValidationError("A row names its own device: --device and the like are for a proof in a file.")
        }
        let text = ExactText(device)
        guard text.isEmpty || !DeviceIdentifiers(text).isMalformed else {
            throw ValidationError(
                "--device \(TerminalText.escaped(device)) is neither a UUID (8-4-4-4-12 hexadecimal digits) nor a MAC address."
            )
        }
        let verification = ExactText(deviceVerificationID)
        guard verification.isEmpty || DeviceIdentifiers.device(ofVerificationID: verification) != nil else {
            throw ValidationError(
                "--device-verification-id \(TerminalText.escaped(deviceVerificationID)) is not a UUID (8-4-4-4-12 digits)."
            )
        }
    }

    func run() throws {
        let console = Console(color.color)
        var verdict = Verdict.valid
        if path == "-" { console.sayIfReadingTerminal() }
        try answer(console) {
            let policy = try PolicyFile.read(policy).policy
            let asOf = time.orNow()
            let auditor = try ReceiptAuditor(trust: trust.anchors(), expectations: Expectations(asOf: asOf, policy))
            let (found, inspection) = try auditor.checking(at: asOf) { checker -> (FoundClaim?, Inspection) in
                let row = try self.found(by: checker)
                return (row, try row?.inspection ?? checker.inspection(of: claim, at: path))
            }
            if json {
                try console.write(try InspectionJSON.text(of: inspection, others: found?.others ?? []))
            } else {
                let text = InspectionText(
                    inspection, others: (found?.others ?? [], found?.otherCount ?? 0),
                    isColored: console.isOutputColored,
                    width: console.outputWidth)
                try console.write(text.lines)
            }
            verdict = inspection.facts.verdict
        }
        switch verdict {
        case .valid: break
        case .invalid: throw ExitCode(1)
        case .unreadable: throw ExitCode(2)
        }
    }

    /// The exit code if nothing was inspected: verdicts use the codes 0 to 2 (EX_NOINPUT of sysexits.h).
    private static let noInput: Int32 = 66

    /// Runs a body, and reports the reason if nothing was inspected; with `--json` also as JSON.
    private func answer(_ console: Console, _ body: () throws -> Void) throws {
        try console.answer {
            do {
                try body()
            } catch let error as FileError where error.isBrokenPipe {
                return
            } catch let error where !(error is ExitCode || error is Interrupted || error is OutputConflict) {
                console.fail(error)
                if json {
                    let isAbsent = error is AbsentClaim || (error as? FileError)?.isNotFound == true
                    try console.write(
                        try InspectionJSON.text(of: isAbsent ? .notFound : .badOption, "\(error)"))
                }
                throw ExitCode(Self.noInput)
            }
        }
    }

    /// Returns the claim of an export that PROOF names; `nil` if it names a proof.
    ///
    /// - Throws: `CommandError` if there is no such claim.
    private func found(by checker: Checker) throws -> FoundClaim? {
        var names = try names.names
        names.format = form.format
        guard let target = try ExportTarget(path, inputs) else {
            if Inputs.isFolder(path) {
                let name = TerminalText.escaped(path)
                throw CommandError(
                    "\(name): is a folder; name a file in it, or a claim of it: claim:ID --in \(name)")
            }
            // A file that cannot be opened is a result of the checks.
            if path != "-", (try? Inputs.isExport(path, names)) == true {
                let name = TerminalText.escaped(path)
                throw CommandError(
                    "\(name): is an export; \(name):2 is its row on line 2, and claim:ID --in \(name) a claim")
            }
            if let table = ExportTarget.absentTable(in: path) {
                let (name, table) = (TerminalText.escaped(path), TerminalText.escaped(table))
                throw AbsentClaim(
                    description:
                        "\(name): there is no file \(table) here. Reports leave out the folder of the INPUT: put it "
                        + "in front (FOLDER/\(name)), or name the claim (claim:ID --in INPUT)")
            }
            return nil
        }
        let pseudonyms = try pseudonymise.map { try Pseudonyms(key: PseudonymKey.warningKey(in: $0).bytes) }
        let source = try Inputs(
            target.inputs.map { GivenPath($0) }, manifest: devices.map { GivenPath($0) }, names: names,
            temporaryFolder: RunSettings.temporaryFolder)
        guard let found = try checker.find(target.wanted, in: source, pseudonyms: pseudonyms) else {
            throw AbsentClaim(description: target.absence)
        }
        return found
    }

    private var claim: Claim {
        var claim = Claim(source: path == "-" ? "standard input" : ExactText(path))
        claim.deviceID = ExactText(device)
        claim.deviceVerificationID = ExactText(deviceVerificationID)
        claim.bundleID = ExactText(bundleID)
        claim.appVersion = ExactText(appVersion)
        return claim
    }

}

/// An export has no such claim.
private struct AbsentClaim: Error, CustomStringConvertible {
    let description: String
}

/// A claim of an export, named as in reports.
private struct ExportTarget {
    let wanted: ClaimReference
    let inputs: [String]
    /// The message if it does not exist.
    let absence: String

    /// - Returns: `nil` for the name of a file.
    /// - Throws: `ValidationError`.
    init?(_ text: String, _ inputs: [String]) throws {
        let name = TerminalText.escaped(text)
        if let digits = ExactText(text).rest(behind: "claim:") {
            guard let id = ClaimID(digits) else {
                throw ValidationError("\(name): a claim_id has 24 hexadecimal digits in lower case.")
            }
            guard !inputs.isEmpty else { throw ValidationError("\(name): --in INPUT says which export it is in.") }
            wanted = .id(id)
            self.inputs = inputs
            absence = "\(name): no claim of \(TerminalText.escaped(inputs.joined(separator: ", "))) has this id"
            return
        }
        guard inputs.isEmpty, text != "-", !FileContents.exists(text), let colon = text.lastIndex(of: ":"),
            let line = Int(text[text.index(after: colon)...]), line > 0,
            FileContents.exists(String(text[..<colon]))
        else { return nil }
        wanted = .row(line)
        self.inputs = [String(text[..<colon])]
        absence = "\(name): no claim starts on this line"
    }

    /// Returns the table in `NAME:LINE` if there is no such file; `nil` for any other text.
    static func absentTable(in text: String) -> String? {
        guard text != "-", !FileContents.exists(text), let colon = text.lastIndex(of: ":"),
            let line = Int(text[text.index(after: colon)...]), line > 0, colon > text.startIndex
        else { return nil }
        return String(text[..<colon])
    }
}

extension Checker {
    /// Inspects the receipt in a file, or on standard input if the path is `-`.
    ///
    /// - Throws: `FileError` if there is no such file, or if the system has no descriptor or memory left. An existing
    ///   but unreadable file is a result, as in a run.
    func inspection(of claim: Claim, at path: String) throws(FileError) -> Inspection {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContents.bytes(of: path, limit: ReceiptLimit.bytes)
        } catch {
            if error.isNotFound || error.isExhaustion { throw error }
            return inspection(of: claim, fault: InputFault(.receiptUnreadable, error.reason))
        }
        guard bytes.count <= ReceiptLimit.bytes else {
            return inspection(of: claim, fault: InputFault(.receiptUnreadable, "is over 8 MiB"))
        }
        return inspection(of: claim, receipt: bytes)
    }
}
