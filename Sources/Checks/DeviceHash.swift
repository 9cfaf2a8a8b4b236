import Inputs

/// A claimed device, and the hash that a receipt for it would carry.
struct DeviceHash {
    let octets: [UInt8]
    let hash: [UInt8]

    /// A UUID, or a MAC address.
    var name: String { Device(octets: octets.span)?.description ?? "" }
}
