import Checks
import Encodings

/// Finds receipts that are presented again and again without an account or a device.
struct UnattributedReplay: GroupRule {
    static let documentation = RuleDocumentation(
        id: "unattributed-replay",
        title: "A receipt is presented again and again without a device or an account",
        severity: .low,
        exceptions: [
            .init(.medium, "if another claim to the receipt has a usable device or an account"),
            .init(.high, "if \(minMalformed.standard) or more of the claims name different malformed devices"),
        ],
        confidence: .doubtful,
        raisedWhen: """
            \(minClaims.standard) or more rows of one run, or distinct claims of this and earlier runs, present one \
            receipt and have neither a usable device nor an account. Rows that say the same are one claim. A claim of \
            an earlier run does not count if a claim of the same date has a device or an account: the export of that \
            run lacked the column. The whole cell of a device is one malformed id, even if it lists alternatives \
            (`|`)
            """,
        why: """
            Those who distribute a receipt omit or invent the identifiers of its users. Without a device and an \
            account, no other rule can see that many people present it.
            """,
        whenWrong: """
            A server may retry. An export without these columns, or an app without accounts and device identifiers, \
            raises it for everybody who presents a receipt often. Fix the export first. Anybody who has a copy of a \
            receipt can raise it. But the finding is about the receipt, and only claims without a device and an \
            account are marked, medium at most. Confidence is doubtful, possible for the severity medium, and likely \
            for high.
            """,
        whatToDo: """
            Require a device and an account before you unlock anything. Many malformed ids come from a program: reject \
            the claims.
            """,
        limits: [minClaims, minMalformed])

    static let examples: [RuleExample] = [
        .raised("a receipt in three rows of an export", .low, claim(), claim(), claim()),
        .raised("its owner presents it, too", .medium, claim(), claim(), claim(), ExampleClaim(account: "ann")),
        .raised("each time with another malformed id", .high, claim("x1"), claim("x2"), claim("x3")),
        .raised("always with the same malformed id", .low, claim("x1"), claim("x1"), claim("x1")),
        .raised(
            "each time with another placeholder, which is not malformed", .low, placeholder("NULL"), placeholder("nil"),
            placeholder("0")),
        .clear("twice", claim(), claim()),
        .clear("three times by an account", claims: (0..<3).map { _ in ExampleClaim(device: "", account: "ann") }),
        .clear("three times by a device", claims: (0..<3).map { _ in ExampleClaim() }),
    ]

    private static func claim(_ device: ExactText = "") -> ExampleClaim {
        ExampleClaim(device: "", malformedDevice: device, failed: device.isEmpty ? [] : [.deviceIDMalformed])
    }

    private static func placeholder(_ device: ExactText) -> ExampleClaim {
        ExampleClaim(device: "", malformedDevice: device, account: device)
    }

    static let keys = [KeyKind.receipt]

    static func stake(under key: KeyKind) -> StakeKind { .held }

    private static let minClaims = RuleLimit(
        "claims", standard: 3, in: 2...4000, "at least this many rows or distinct claims are without device and account"
    )
    private static let minMalformed = RuleLimit(
        "malformed-devices", standard: 3, in: 2...4000,
        "the severity is high if at least this many malformed devices are named")

    private let minClaims: Int
    private let minMalformed: Int
    /// The rows of this run.
    private var rows = 0
    private var claims = DistinctSketch<ClaimID>()
    /// The claims of earlier runs.
    private var earlier = BottomSet<EarlierClaim>()
    private var malformed = DistinctSketch<ExactText>()
    /// When claims with a device or an account were presented.
    private var attributed = BottomSet<Int64>()
    private var moments: Set<Int64> = []

    init(_ policy: Policy) {
        minClaims = policy.value(of: Self.minClaims, in: Self.self)
        minMalformed = policy.value(of: Self.minMalformed, in: Self.self)
    }

    /// Only a claim without a device and an account can raise the rule.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init() }

    func mayRaise(_ observation: borrowing Observation) -> Bool { observation.isUnattributed }

    mutating func add(_ observation: Observation) {
        guard observation.isUnattributed else { return attributed.insert(Self.moment(observation)) }
        if observation.isOfEarlierRun {
            earlier.insert(EarlierClaim(id: observation.id, moment: Self.moment(observation)))
        } else {
            rows += 1
            claims.insert(observation.id)
        }
        if !observation.malformedDevice.isEmpty { malformed.insert(observation.malformedDevice) }
    }

    mutating func hit() -> Hit? {
        moments = Set(attributed.keys)
        var claims = claims
        for claim in earlier.keys where !moments.contains(claim.moment) { claims.insert(claim.id) }
        guard rows >= minClaims || claims.isMore(than: minClaims - 1) else { return nil }
        var evidence = "\(rows) rows of this run, \(claims.countText) distinct claims"
        if malformed.isMore(than: 0) {
            let names = malformed.sorted.listed(of: malformed.countText) { $0.quoted(upTo: 40) }
            evidence += "; \(malformed.countText) malformed devices: \(names)"
        }
        if malformed.isMore(than: minMalformed - 1) { return Hit(evidence, severity: .high, confidence: .likely) }
        guard !moments.isEmpty else { return Hit(evidence) }
        return Hit(
            evidence + "; others present the receipt with a device or an account", severity: .medium,
            confidence: .possible)
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isUnattributed else { return false }
        return !observation.isOfEarlierRun || !moments.contains(Self.moment(observation))
    }

    /// Returns when a claim was presented, in milliseconds since 1970; the earliest moment if it is undated.
    private static func moment(_ observation: Observation) -> Int64 { observation.presentedAt?.milliseconds ?? .min }

    private struct EarlierClaim: Hashable, Comparable, Sendable {
        let id: ClaimID
        let moment: Int64

        static func < (a: EarlierClaim, b: EarlierClaim) -> Bool { (a.id, a.moment) < (b.id, b.moment) }
    }
}
