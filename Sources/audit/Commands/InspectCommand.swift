import ArgumentParser
import Checks
import Encodings
import Files
import FoundationEssentials
import Inputs
import Policies
import Proofs
import Reports
import Rules

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show one receipt or token: every check with its reason, and all that it says.",
        discussion: """
            PROOF is a file, or - for standard input: a receipt in DER, base64, or base64 in PEM armour, or a StoreKit 2 token. \
            Only given claims are checked: name the device to compare the proof's hash with. For a receipt that is --device, a UUID (identifierForVendor) or a MAC address, \
            or several with | between them, which are alternatives; for a token it is --device-verification-id.

            EXAMPLES
              audit inspect receipt.der
              audit inspect receipt.der \\
                --device 7EB61F70-E56D-46F1-AC3A-84D1B43829D3
              pbpaste | audit inspect - --as-of 2026-06-30
              audit inspect receipt.der --json | jq .failed_checks
              audit inspect transaction.jws \\
                --device-verification-id 7EB61F70-E56D-46F1-AC3A-84D1B43829D3

            EXIT CODES
              0    the proof is valid
              1    it is invalid
              2    it is unreadable, there is no such file, or a root or the policy
                   cannot be loaded
              64   wrong usage
            """
    )

    @Argument(help: ArgumentHelp("The file of the receipt or token, or -.", valueName: "proof"))
    var path: String

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
        let text = ExactText(device)
        guard text.isEmpty || !DeviceIdentifiers(text).isMalformed else {
            throw ValidationError(
                "--device \(TerminalText.escaped(device)) is no UUID (8-4-4-4-12 hexadecimal digits) and no MAC address."
            )
        }
        let verification = ExactText(deviceVerificationID)
        guard verification.isEmpty || DeviceIdentifiers.device(ofVerificationID: verification) != nil else {
            throw ValidationError(
                "--device-verification-id \(TerminalText.escaped(deviceVerificationID)) is no UUID (8-4-4-4-12 digits)."
            )
        }
    }

    func run() throws {
        let console = Console(color.color)
        var verdict = Verdict.valid
        if path == "-" { console.sayIfReadingTerminal() }
        try console.answer {
            let policy = try PolicyFile.read(policy).policy
            let checker = try Checker(trust: trust.anchors(), expectations: Expectations(asOf: time.orNow(), policy))
            let inspection = try checker.inspection(of: claim, at: path)
            if let failure = checker.failure { throw failure }
            let text = try json ? InspectionJSON.text(of: inspection) : plainText(of: inspection, console)
            try console.write(text)
            verdict = inspection.facts.verdict
        }
        switch verdict {
        case .valid: break
        case .invalid: throw ExitCode(1)
        case .unreadable: throw ExitCode(2)
        }
    }

    private var claim: Claim {
        var claim = Claim(source: path == "-" ? "standard input" : ExactText(path))
        claim.deviceID = ExactText(device)
        claim.deviceVerificationID = ExactText(deviceVerificationID)
        claim.bundleID = ExactText(bundleID)
        claim.appVersion = ExactText(appVersion)
        return claim
    }

    private func plainText(of inspection: Inspection, _ console: Console) -> String {
        InspectionText(inspection, isColored: console.isOutputColored).lines.map { $0 + "\n" }.joined()
    }
}

extension Checker {
    /// Inspects the receipt in a file, or on standard input if the path is `-`.
    ///
    /// - Throws: `FileError` if there is no such file, or if the system has no descriptor or memory left. A file that exists
    ///   and cannot be read is a result, as in a run.
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
