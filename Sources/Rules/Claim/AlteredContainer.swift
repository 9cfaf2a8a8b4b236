import Checks
import Encodings
import Proofs
import Receipts

/// Finds genuine content in a container that Apple did not write.
struct AlteredContainer: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "altered-container",
        title: "Somebody rewrapped a genuine receipt",
        severity: .high,
        exceptions: [.init(.medium, "if only NUL, blanks or line ends follow the receipt")],
        raisedWhen: """
            signature and chain hold, nothing is missing that every receipt has, the check `noncanonical-container` \
            fails, and the receipt is not Xcode's. If there are several SignerInfos, one of the first four must be \
            Apple's
            """,
        why: """
            The signature covers the receipt's content, not the container around it. Apple writes containers in \
            exactly one form. Any other form was made by somebody else: to make a copy look like a new receipt, to \
            make two servers read it differently, or to bypass a check. Examples are a second SignerInfo, a digest \
            that nothing uses, other length encodings, and certificates or attributes that no signature covers.
            """,
        whenWrong: """
            An upload path that re-encodes containers or appends bytes alters every receipt: a BINARY column pads with \
            NUL, an editor adds a line end. If only such bytes follow the receipt, confidence is doubtful, because they \
            give a thief nothing. If most claims of an app fail in the same way on the same days, of \
            \(WaveTally.minAccounts) or more accounts whose devices match, the severity is at most medium and \
            confidence doubtful, and the run warns. Claims without an account do not count.
            """,
        whatToDo: """
            Ask the device for its receipt again. Its content is genuine; `shared-receipt` and `device-mismatch` show \
            whether this device may present it.
            """)

    static let examples: [RuleExample] = [
        .raised("the container was written anew", .high, ExampleClaim(failed: [.noncanonicalContainer])),
        .raised(
            "a SignerInfo was added to Apple's", .high,
            ExampleClaim(failed: [.noncanonicalContainer], deviation: .unexpected(.secondSigner))),
        .raised(
            "a digest was declared that nobody uses", .high,
            ExampleClaim(failed: [.noncanonicalContainer], deviation: .digestAlgorithm)),
        .clear("the container is as Apple wrote it", ExampleClaim()),
        .clear(
            "the content was altered, which is worse",
            ExampleClaim(failed: [.noncanonicalContainer, .signatureInvalid])),
        .clear(
            "the receipt lacks an attribute that every one has",
            ExampleClaim(failed: [.noncanonicalContainer, .malformedReceipt])),
        .clear(
            "Xcode's containers have another form",
            ExampleClaim(
                failed: [.noncanonicalContainer, .chainUntrusted], receipt: ExampleReceipt(environment: "Xcode"))),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.noncanonicalContainer), facts.isGenuine else { return nil }
        guard facts.environment != "Xcode" else { return nil }
        let text = "signature and chain hold, but the container is not in the form that Apple writes"
        // Padding gives a copy nothing that an unaltered container does not.
        return Hit(
            facts.signature?.deviation.map { "\(text): \($0)" } ?? text,
            severity: facts.padding == nil ? nil : .medium, confidence: facts.padding == nil ? nil : .doubtful)
    }
}
