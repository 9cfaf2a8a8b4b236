import Encodings
import Inputs
import Receipts

/// Finds tokens of one device that several devices send with different payloads.
struct TokenReplay: GroupRule {
    static let documentation = RuleDocumentation(
        id: "token-replay",
        title: "A token of one device was sent in by several",
        severity: .critical,
        exceptions: [.init(.medium, SharedProof.handOverText)],
        raisedWhen: """
            genuine StoreKit 2 tokens of one transaction (of a renewal info: its original transaction) with one \
            `deviceVerificationNonce` are claimed with \(minDevices.standard) or more device ids
            """,
        details: """
            Claims without a usable device do not count, nor do tokens without `deviceVerification`.
            \(SharedProof.details)
            If `shared-receipt` reports payloads at least as severely, and they come from all of the devices and \
            accounts, this rule is silent. So it needs two payloads or more.
            Transactions of one original transaction make one finding about the latter. It has the highest of their \
            severities, and `events` is their number. Each transaction marks its own claims.
            """,
        why: """
            For each token, a nonce is hashed with the device's `AppStore.deviceVerificationID`, and Apple signs nonce \
            and hash (App Store Server API, `deviceVerification` and `deviceVerificationNonce`). Whenever a \
            transaction changes, Apple signs a new payload. One nonce on two devices means that one device's token was \
            copied to the other.
            """,
        whenWrong: """
            The verification id may change when the app is removed or after a restore. Tokens that the app has stored \
            then come with a new id: most of these are hand-overs. A phone and a tablet of one person have nonces of \
            their own, and so has each member of a family. A row without `device_verification_id` counts by its \
            device id, so one device counts as two if its rows have different ids. \(MarkRole.text). \(SharedProof.heirText). Confidence: \
            hand-overs are possible, and doubtful if a claim has no date; without any claim that matches, possible at \
            most.
            """,
        whatToDo: """
            Honour the claim whose device hash matches, if one does. Have the app on the other devices send what \
            `Transaction.latest(for:)` returns there, not what it has stored.
            """,
        limits: [minDevices, SharedProof.handOverDevices, SharedProof.handOverDays])

    static let examples: [RuleExample] = [
        .raised(
            "two accounts use tokens with one nonce at the same time", .critical,
            claim("A", 1, account: "ann", presented: "2026-03-01"),
            claim("B", 2, account: "bob", presented: "2026-03-02"),
            claim("A", 1, account: "ann", presented: "2026-05-01")),
        .raised(
            "a third device has a payload that nobody else presents", .critical,
            claim("A", 1, account: "ann"), claim("B", 1, account: "bob"), claim("C", 2, account: "cat")),
        .raised(
            "four devices present renewal infos with one nonce", .critical,
            claims: (1...4).map { claim("D\($0)", $0, .renewalInfo) }),
        .raised(
            "one account moves to a second phone", .medium, claim("A", 1, account: "ann", presented: "2026-03-01"),
            claim("B", 2, account: "ann", presented: "2026-03-02")),
        .raised(
            "the phone is sold, and its next owner sends the tokens that the app has stored", .medium,
            claim("A", 1, account: "ann", presented: "2026-03-01"),
            claim("B", 2, account: "bob", presented: "2026-03-20")),
        .raised(
            "the devices present one payload, but the rule for that is off", .medium, policy: withoutSharedReceipt,
            claim("A", 1), claim("B", 1)),
        .raised(
            "four devices present two payloads in pairs, each of which may be a hand-over", .critical, claim("A", 1),
            claim("B", 1), claim("C", 2), claim("D", 2)),
        .raised(
            "two accounts do on two devices, with one account for each payload", .critical,
            claims: ["2026-03-01", "2026-05-01"].flatMap { day in
                [
                    claim("A", 1, account: "ann", presented: day), claim("B", 1, presented: day),
                    claim("A", 2, presented: day), claim("B", 2, account: "bob", presented: day),
                ]
            }),
        .clear("a phone and a tablet have nonces of their own", claim("A", 1, nonce: 1), claim("B", 2, nonce: 2)),
        .clear("they present one payload, which is a shared receipt", claim("A", 1), claim("B", 1)),
        .clear("one device presents two payloads", claim("A", 1), claim("A", 2)),
        .raised(
            "three devices present tokens of two periods of one subscription", .critical,
            claims: [1, 2].flatMap { period in
                [("A", "ann"), ("B", "bob"), ("C", "cat")].enumerated().map { place, one in
                    claim(
                        one.0, 10 * period + place, account: one.1, transaction: ExactText("46000000000000\(period)"),
                        of: "460000000000001")
                }
            }
        ).about("transaction:460000000000001", marking: [.info, .critical, .critical, .info, .critical, .critical]),
        .clear(
            "another transaction has the nonce", claim("A", 1), claim("B", 2, transaction: "460000000000002")),
        .clear(
            "tokens of a server are bound to no device", claim("A", 1, isBound: false), claim("B", 2, isBound: false)),
        .clear("a claim without a device proves nothing", claim("A", 1), claim("", 2)),
    ]

    /// Returns a claim to a token of device A.
    private static func claim(
        _ device: String, _ number: Int, _ kind: Token.Kind = .transaction, account: ExactText = "", nonce: Int = 1,
        isBound: Bool = true, transaction: ExactText = "460000000000001", of original: ExactText? = nil,
        presented: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, deviceHashMatches: device == "A" || nonce != 1, account: account, presented: presented,
            token: ExampleToken(
                number, kind: kind, isBound: isBound, nonce: nonce, ExamplePurchase("gold", transaction, of: original)))
    }

    private static var withoutSharedReceipt: Policy {
        var (policy, settings) = (Policy(), Policy.RuleSettings())
        settings.isOff = true
        policy.rules[SharedReceipt.documentation.id] = settings
        return policy
    }

    static let keys = [KeyKind.nonce]
    static let countsStake = true
    static let countsAccounts = true
    private static let minDevices = RuleLimit(
        "devices", standard: 2, in: 2...4000, "at least this many devices send in tokens with one nonce")

    private let proof: SharedProof
    private var presenters = SharedProof.Presenters()
    /// Who presents each payload, by its SHA-256.
    private var payloads = BottomMap<ExactText, SharedProof.Presenters>(limit: maxPayloads)
    /// How ``SharedReceipt`` judges those who present one payload; `nil` if that rule is off.
    private let receipt: SharedProof?
    /// The severities that the policy sets for this rule and for that one.
    private let severity: Severity?
    private let severityOfReceipt: Severity?

    /// The maximum number of payloads that are compared with ``SharedReceipt``. If there are more, both rules report.
    private static let maxPayloads = 64

    init(_ policy: Policy) {
        proof = SharedProof(policy, in: Self.self, Self.minDevices)
        severity = policy.rules[Self.documentation.id]?.severity
        let settings = policy.rules[SharedReceipt.documentation.id]
        severityOfReceipt = settings?.severity
        receipt =
            settings?.isOff == true ? nil : SharedProof(policy, in: SharedReceipt.self, SharedReceipt.minDevices)
    }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { proof.minTraits }

    mutating func add(_ observation: Observation) {
        guard Self.isCounted(observation) else { return }
        presenters.add(observation)
        payloads.update(ExactText(Hex.string(observation.tokenDigest.span)), from: SharedProof.Presenters()) {
            $0.add(observation)
        }
    }

    func hit() -> Hit? {
        guard var hit = proof.hit(presenters), !isReported(hit) else { return nil }
        let count = payloads.count
        hit.evidence += "; \(payloads.isComplete ? "" : "at least ")\(count) \(count == 1 ? "payload" : "payloads")"
        return hit
    }

    var isHandOver: Bool? { proof.isHandOver(presenters) }

    /// Whether ``SharedReceipt`` reports payloads of all devices and accounts with at least the same severity.
    private func isReported(_ hit: Hit) -> Bool {
        guard let receipt, payloads.isComplete else { return false }
        let least = severity ?? hit.severity ?? Self.documentation.severity
        var (devices, accounts): (Set<Device>, Set<ExactText>) = ([], [])
        for (_, payload) in payloads.unordered {
            guard let shared = receipt.hit(payload),
                severityOfReceipt ?? shared.severity ?? SharedReceipt.documentation.severity >= least
            else { continue }
            devices.formUnion(payload.devices.all.sorted)
            accounts.formUnion(payload.accounts.sorted)
        }
        return devices.isSuperset(of: presenters.devices.all.sorted)
            && accounts.isSuperset(of: presenters.accounts.sorted)
    }

    func involves(_ observation: Observation) -> Bool { Self.isCounted(observation) }

    private static func isCounted(_ observation: Observation) -> Bool {
        observation.isGenuine && SharedProof.isCounted(observation)
    }
}
