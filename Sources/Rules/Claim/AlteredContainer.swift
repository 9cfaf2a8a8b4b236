public import Checks
import Encodings
import Proofs
import Receipts

/// Genuine content in a container that Apple did not write.
public struct AlteredContainer: ClaimRule {
    public static let documentation = RuleDocumentation(
        id: "altered-container",
        title: "Somebody rewrapped a genuine receipt",
        severity: .high,
        raisedWhen: """
            signature and chain hold, the check `noncanonical-container` fails, and it is not a receipt of Xcode's. Of \
            several SignerInfos one of the first four must be Apple's
            """,
        why: """
            The signature covers what the receipt says, not the container around it. Apple writes containers in one \
            form only; another one was made by somebody, so that a copy looks like a new receipt, one server reads it \
            otherwise than another, or a check is not made: with a second SignerInfo, a digest that nobody uses, other \
            lengths, certificates or attributes that nothing signs.
            """,
        whenWrong: """
            An upload path that decodes containers and writes them anew, or adds bytes at the end, does this to all receipts \
            that pass through it. If many are raised for the same reason, look there first.
            """,
        whatToDo: """
            Ask the device for its receipt again. What the receipt says is Apple's word; whether this device may present \
            it is for `shared-receipt` and `device-mismatch` to say.
            """)

    public static let examples: [RuleExample] = [
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
            "Xcode's containers have another form",
            ExampleClaim(
                failed: [.noncanonicalContainer, .chainUntrusted], receipt: ExampleReceipt(environment: "Xcode"))),
    ]

    public init(_ policy: Policy) {}

    public func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.noncanonicalContainer), facts.isGenuine else { return nil }
        guard facts.environment != "Xcode" else { return nil }
        let text = "signature and chain hold, but the container is not in the form that Apple writes"
        return Hit(facts.signature?.deviation.map { "\(text): \($0)" } ?? text)
    }
}
