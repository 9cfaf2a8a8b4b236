import Encodings
import Inputs

/// One receipt from several devices.
public struct SharedReceipt: GroupRule {
    public static let documentation = RuleDocumentation(
        id: "shared-receipt",
        title: "One receipt was sent in by several devices",
        severity: .critical,
        raisedWhen: "one receipt's content is claimed with \(minDevices.standard) or more device ids",
        why: """
            A receipt is made for one device, whose identifier is hashed into it. The same receipt from a second device was \
            copied there, by a person who passes it on or by a tool that hands it out.
            """,
        whenWrong: """
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores: an old receipt that \
            is sent in again then comes with a new id. A Mac hashes the address of en0, or en1: export both, with `|` between.
            """,
        whatToDo: """
            Honour the claim whose device hash matches, if one does. Ask the other devices to refresh their receipt; who \
            bought the app gets one that matches.
            """,
        limits: [minDevices])

    public static let examples: [RuleExample] = [
        .raised(
            "a second phone sends in the first one's receipt", .critical, ExampleClaim(device: "A"),
            ExampleClaim(device: "B", deviceHashMatches: false)),
        .clear("one phone sends in its receipt twice", ExampleClaim(device: "A"), ExampleClaim(device: "A")),
        .clear(
            "two phones send in receipts of their own", ExampleClaim(device: "A"),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2))),
        .clear("a claim without a device says nothing", ExampleClaim(device: "A"), ExampleClaim(device: "")),
    ]

    public static let keys = [KeyKind.receipt]
    private static let minDevices = RuleLimit(
        "devices", standard: 2, in: 2...4000, "so many devices send in one receipt")

    private let fewest: Int
    private var devices = DeviceCount()

    public init(_ policy: Policy) { fewest = policy.value(of: Self.minDevices, in: Self.self) }

    public mutating func take(_ observation: Observation) { devices.take(observation) }

    public mutating func carry(_ carrier: inout StateCoder) throws {
        try carrier.carry(&devices)
    }

    public func hit() -> Hit? {
        guard devices.all.isMore(than: fewest - 1) else { return nil }
        return Hit("\(devices.all.countText) devices: \(devices.list)")
    }

    public func involves(_ observation: Observation) -> Bool { observation.device != nil }
}
