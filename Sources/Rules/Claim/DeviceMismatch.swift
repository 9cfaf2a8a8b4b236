import Checks
import Encodings
import Inputs
import Receipts

/// Finds genuine receipts that were made for another device.
struct DeviceMismatch: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "device-mismatch",
        title: "The receipt was made for another device",
        severity: .medium,
        confidence: .possible,
        raisedWhen: """
            signature and chain hold, and the check `guid-mismatch` fails: the id hashed into the receipt is none of \
            the claimed device ids
            """,
        why: """
            Apple hashes the identifier of the device into each receipt. If it does not match, the receipt was copied \
            from another device, or the claim names the wrong device.
            """,
        whenWrong: """
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores. The old \
            receipt stays until it is refreshed, and a new phone set up from a backup may present its predecessor's. \
            After an app's transfer to another team every customer has another one. If most claims of an app fail on \
            the same days, of \(WaveTally.minAccounts) or more accounts that matched on the same proofs in earlier \
            runs, confidence is doubtful, and the run warns; this needs a ledger (`--state`). \
            A Mac hashes the address of en0 or en1: export both, separated by `|`. If nearly all claims of one app or \
            platform are raised, the export has the wrong identifier. Anybody can send a copy under any device id, so \
            the finding proves nothing about the device. Confidence is possible.
            """,
        whatToDo: """
            Ask the app to refresh its receipt and to send it with the current identifier. Act only on further \
            evidence: the same receipt or transaction from many devices (`shared-receipt`, `shared-transaction`).
            """)

    static let examples: [RuleExample] = [
        .raised("another phone's receipt", .medium, ExampleClaim(deviceHashMatches: false)),
        .clear("the phone's own receipt", ExampleClaim()),
        .clear("no device is claimed", ExampleClaim(device: "")),
        .clear(
            "the receipt is forged, so that its hash proves nothing",
            ExampleClaim(deviceHashMatches: false, failed: [.signatureInvalid])),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.guidMismatch), facts.isGenuine else { return nil }
        let devices = facts.claimedDevice.identifiers.compactMap { Device(octets: $0.span) }
        let created = facts.createdAt.map { ", created on \($0)," } ?? ""
        return Hit("the receipt\(created) was not made for \(devices.listedOfAll { "\($0)" })")
    }
}
