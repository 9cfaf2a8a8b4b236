import Encodings

/// Devices that are connected by findings.
public struct FraudRing: Rule {
    public static let documentation = RuleDocumentation(
        id: "fraud-ring",
        title: "Devices that pass receipts among each other",
        severity: .critical,
        raisedWhen: """
            \(minDevices.standard) or more devices are joined by \(minFindings.standard) or more findings of \
            `shared-receipt`, `shared-account` or `transaction-conflict`
            """,
        why: """
            One shared receipt can be an accident. Several that lead from device to device are a group that passes \
            purchases around, or a service that sells them.
            """,
        whenWrong: """
            One person with many devices, restored from one backup, looks like a small ring. A test department does, too: put \
            the device that the ring is called by (`device:…`) on the allow list, and the receipts and transactions that join it.
            """,
        whatToDo: "Look at the ring as a whole: its devices and accounts are listed. Act on all of it at once.",
        limits: [minDevices, minFindings])

    public static let examples: [RuleExample] = [
        .raised(
            "two receipts lead from A to B and from B to C", .critical,
            ExampleClaim(device: "A", receipt: ExampleReceipt(1)),
            ExampleClaim(device: "B", deviceHashMatches: false, receipt: ExampleReceipt(1)),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2)),
            ExampleClaim(device: "C", deviceHashMatches: false, receipt: ExampleReceipt(2))),
        .clear(
            "one receipt on three devices is one finding, and no ring",
            ExampleClaim(device: "A"), ExampleClaim(device: "B", deviceHashMatches: false),
            ExampleClaim(device: "C", deviceHashMatches: false)),
    ]

    static let minDevices = RuleLimit("devices", standard: 3, in: 2...1_000_000, "so many devices are joined")
    static let minFindings = RuleLimit("findings", standard: 2, in: 1...1_000_000, "so many findings join them")

    /// The rules whose findings join devices.
    static let joining: Set<ExactText> = ["shared-receipt", "shared-account", "transaction-conflict"]

    let devices: Int
    let findings: Int

    public init(_ policy: Policy) {
        devices = policy.value(of: Self.minDevices, in: Self.self)
        findings = policy.value(of: Self.minFindings, in: Self.self)
    }
}
