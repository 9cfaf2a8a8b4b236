import Encodings
import Inputs

/// Finds receipts that several devices send.
package struct SharedReceipt: GroupRule {
    package static let documentation = RuleDocumentation(
        id: "shared-receipt",
        title: "One receipt was sent in by several devices",
        severity: .critical,
        raisedWhen: "one receipt's content is claimed with \(minDevices.standard) or more device ids",
        why: """
            A receipt is made for one device, whose identifier is hashed into it. The same receipt from a second \
            device was copied there, by a person who passes it on or by a tool that hands it out.
            """,
        whenWrong: """
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores: an old \
            receipt that is sent in again then comes with a new id. A Mac hashes the address of en0, or en1: export \
            both, with `|` between.
            """,
        whatToDo: """
            Honour the claim whose device hash matches, if one does. Ask the other devices to refresh their receipt; \
            who bought the app gets one that matches.
            """,
        limits: [minDevices])

    package static let examples: [RuleExample] = [
        .raised(
            "a second phone sends in the first one's receipt", .critical, ExampleClaim(device: "A"),
            ExampleClaim(device: "B", deviceHashMatches: false)),
        .clear("one phone sends in its receipt twice", ExampleClaim(device: "A"), ExampleClaim(device: "A")),
        .clear(
            "two phones send in receipts of their own", ExampleClaim(device: "A"),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2))),
        .clear("a claim without a device says nothing", ExampleClaim(device: "A"), ExampleClaim(device: "")),
    ]

    package static let keys = [KeyKind.receipt]
    private static let minDevices = RuleLimit(
        "devices", standard: 2, in: 2...4000, "at least this many devices send in one receipt")

    private let minDevices: Int
    private var devices = DeviceCount()

    package init(_ policy: Policy) { minDevices = policy.value(of: Self.minDevices, in: Self.self) }

    package mutating func add(_ observation: Observation) { devices.add(observation) }

    package mutating func code(_ coder: inout StateCoder) throws { try coder.code(&devices) }

    package func hit() -> Hit? {
        guard devices.all.isMore(than: minDevices - 1) else { return nil }
        return Hit("\(devices.all.countText) devices: \(devices.list)")
    }

    package func involves(_ observation: Observation) -> Bool { observation.device != nil }
}
