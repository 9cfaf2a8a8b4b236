import DER
import Inputs
import Proofs
import Receipts

extension Checker {
    /// Reads the claimed device id, which needs no receipt.
    func checkDeviceID(_ facts: inout Facts) {
        facts.claimedDevice = DeviceIdentifiers(facts.claim.deviceID)
        if facts.claimedDevice.isMalformed { facts.fail(.deviceIDMalformed) }
    }

    /// Compares the receipt's device hash with the claimed device's. Of several alternatives one that
    /// matches is enough.
    func checkDevice(_ binding: Receipt.DeviceHashInput, into facts: inout Facts) {
        let claimed = facts.claimedDevice
        if let match = claimed.identifiers.firstIndex(where: { hash(of: $0, binding).equals(binding.hash.span) }) {
            facts.deviceHash = .match
            facts.matchedDevice = match
        } else if claimed.identifiers.isEmpty || claimed.isMalformed {
            // The alternative that cannot be read may have been the right one.
            facts.leaveUnchecked(.guidMismatch)
        } else {
            facts.deviceHash = .mismatch
            facts.fail(.guidMismatch)
        }
    }

    /// The hash that a receipt for this device carries (Receipt Validation Programming Guide, "Compute the Hash
    /// of the GUID"): SHA-1 over the device's octets, attribute 4 and the raw octets of attribute 2.
    func hash(of device: [UInt8], _ binding: Receipt.DeviceHashInput) -> Digest {
        verifier.sha1(of: device.span, binding.opaqueValue.span, binding.bundleIDOctets.span)
    }
}
