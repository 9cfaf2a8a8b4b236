import Checks
import Encodings
import Inputs
package import Receipts

/// Finds receipts that several devices send.
package struct SharedReceipt: GroupRule {
    package static let documentation = RuleDocumentation(
        id: "shared-receipt",
        title: "One receipt was sent in by several devices",
        severity: .critical,
        exceptions: [.init(.medium, SharedProof.handOverText)],
        raisedWhen: """
            the content of one receipt is claimed with \(minDevices.standard) or more device ids
            """,
        details: """
            Claims without a usable device do not count, nor do tokens without `deviceVerification` and \
            `deviceVerificationNonce`, which are bound to no device.
            \(SharedProof.details)
            """,
        why: """
            A receipt is made for one device, whose identifier is hashed into it. The same receipt on a second device \
            is a copy, passed on by a person or distributed by a tool.
            """,
        whenWrong: """
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores. An old \
            receipt then comes with a new id, and a new phone set up from a backup sends its predecessor's receipt \
            until it is refreshed. Most of these are hand-overs, even if the person opened another account in \
            between. A Mac hashes the address of en0 or en1: export both, separated by `|`. \(Seats.text). For up to \
            that many devices and accounts, the severity is medium and confidence doubtful. \(MarkRole.text). \
            \(SharedProof.heirText). \
            Confidence: hand-overs are possible, and doubtful if a claim has no date; without any claim that matches, \
            possible at most. \(AccountsAsOne.text).
            """,
        whatToDo: """
            Honour the claim whose device hash matches, if one does. Ask the other devices to refresh their receipt; a \
            buyer gets one that matches.
            """,
        limits: [minDevices, SharedProof.handOverDevices, SharedProof.handOverDays])

    package static let examples: [RuleExample] = [
        .raised(
            "two accounts use one receipt at the same time", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-02"),
            claim("A", account: "ann", presented: "2026-05-01")),
        .raised(
            "four devices without an account present it", .critical,
            claim("A"), claim("B"), claim("C"), claim("D")),
        .raised(
            "one account moves to a second phone", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "ann", presented: "2026-03-02")),
        .raised(
            "the phone is sold, and the next owner sends the old receipt", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-20"),
            claim("A", account: "ann", presented: "2026-04-18T23:59:59Z")),
        .raised(
            "the first phone still sends it after thirty days", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-20"),
            claim("A", account: "ann", presented: "2026-04-19")),
        .raised(
            "somebody opens another account, and later has a new phone", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("A", account: "ann-2", presented: "2026-03-20"),
            claim("B", account: "ann-2", presented: "2026-05-01")),
        .raised(
            "two accounts on one phone that both go on, and a second phone", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("A", account: "bob", presented: "2026-03-20"),
            claim("B", account: "bob", presented: "2026-05-01"), claim("A", account: "ann", presented: "2026-05-02")),
        .raised(
            "a thief who has its device id presents it hours before its owner, and on a phone of his own", .critical,
            claim("A", account: "eve", presented: "2026-03-01T08:00:00Z"),
            claim("X", account: "eve", presented: "2026-03-01T08:01:00Z"),
            claim("A", account: "ann", presented: "2026-03-01T20:00:00Z"),
            claim("N", account: "ann", presented: "2026-05-01T20:00:00Z"),
            claim("Y", account: "zoe", presented: "2026-05-01T20:00:00Z")
        ).about(marking: [.info, .medium, .medium, .medium, .critical]),
        .raised(
            "claims have no dates, so that nobody is first", .critical, claim("A", account: "ann"),
            claim("N", account: "ann"), claim("X", account: "eve"), claim("Y", account: "zoe")
        ).about(marking: [.medium, .medium, .critical, .critical]),
        .raised(
            "two spellings of one account use it on two devices at the same time", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "Ann", presented: "2026-03-02"),
            claim("A", account: "ann", presented: "2026-05-01")),
        .raised(
            "they use it on four devices", .critical, claim("A", account: "ann"), claim("B", account: "Ann"),
            claim("C", account: "ann"), claim("D", account: "Ann")),
        .raised(
            "Ann opens another account on a new phone, and strangers present copies later", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "ann-2", presented: "2026-03-10"),
            claim("X", account: "xav", presented: "2026-03-20"), claim("Y", account: "yol", presented: "2026-03-21")
        ).about(marking: [.info, .medium, .critical, .critical]),
        .raised(
            "two strangers present copies on the day after her, so that nobody knows whose phone is her new one",
            .critical, claim("A", account: "ann", presented: "2026-03-01"),
            claim("X", account: "xav", presented: "2026-03-10"), claim("Y", account: "yol", presented: "2026-03-10")
        ).about(marking: [.info, .critical, .critical]),
        .raised(
            "a copy with the id of its device shields nobody who presents others elsewhere", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("A", account: "eve", presented: "2026-03-02"),
            claim("X", account: "eve", presented: "2026-03-03"), claim("A", account: "ann", presented: "2026-05-01")
        ).about(marking: [.info, .medium, .critical, .info]),
        .clear(
            "forged tokens of a server share no device", forged("A", isBound: false), forged("B", isBound: false)),
        .raised(
            "forged tokens with a device's nonce do", .medium, forged("A", isBound: true), forged("B", isBound: true)),
        .clear("one phone sends in its receipt twice", ExampleClaim(device: "A"), ExampleClaim(device: "A")),
        .clear(
            "two phones send in receipts of their own", ExampleClaim(device: "A"),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2))),
        .clear("a claim without a device proves nothing", ExampleClaim(device: "A"), ExampleClaim(device: "")),
    ]

    /// Returns a claim to the receipt of device A.
    private static func claim(_ device: String, account: ExactText = "", presented: String? = nil) -> ExampleClaim {
        ExampleClaim(device: device, deviceHashMatches: device == "A", account: account, presented: presented)
    }

    /// Returns a claim to an unsigned token.
    private static func forged(_ device: String, isBound: Bool) -> ExampleClaim {
        ExampleClaim(
            device: device, deviceHashMatches: false, failed: [.signatureInvalid],
            token: ExampleToken(isBound: isBound, ExamplePurchase()))
    }

    package static let keys = [KeyKind.receipt]
    package static let countsAccounts = true

    package static func stake(under key: KeyKind) -> StakeKind { .held }

    static let minDevices = RuleLimit(
        "devices", standard: 2, in: 2...4000, "at least this many devices send in one receipt")

    private let proof: SharedProof
    private var presenters = SharedProof.Presenters()

    package init(_ policy: Policy) { proof = SharedProof(policy, in: Self.self, Self.minDevices) }

    package func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { proof.minTraits }

    package mutating func add(_ observation: Observation) { presenters.add(observation) }

    package func hit() -> Hit? { proof.hit(presenters) }

    package var isHandOver: Bool? { proof.isHandOver(presenters) }

    package func involves(_ observation: Observation) -> Bool { SharedProof.isCounted(observation) }

    package func atStake(in observation: Observation) -> [Purchase] { observation.purchases.filter(\.isHeld) }
}
