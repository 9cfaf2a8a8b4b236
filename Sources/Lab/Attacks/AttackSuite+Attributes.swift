import DER
import Encodings

/// Attributes that are repeated or missing, under a valid signature.
///
/// The App Store would have to sign such a receipt. Readers use different values: the first, the last, or none. A
/// signing service that echoes its input would sign it.
extension AttackSuite {
    @AttackList static var repeatedAttributes: [AttackCase] {
        AttackCase(receipt: "content-two-bundle-ids") {
            $0.edits = [.add(AttributeContent(2, text: "com.example.other"))]
        }
        AttackCase(receipt: "content-two-equal-bundle-ids") {
            $0.edits = [.add(AttributeContent(2, text: AttackKit.bundleID))]
        }
        AttackCase(receipt: "content-two-versions") { $0.edits = [.add(AttributeContent(3, text: "8"))] }
        AttackCase(receipt: "content-two-opaque-values") {
            $0.edits = [.add(AttributeContent(4, version: 2, value: [UInt8](repeating: 7, count: 16)))]
        }
        AttackCase(receipt: "content-two-hashes") { receipt in
            let other = receipt.with { $0.device = AttackKit.otherDevice }
            receipt.edits = [.add(AttributeContent(5, value: other.hash))]
        }
        AttackCase(receipt: "content-two-creation-dates") { $0.edits = [.add(AttributeContent(12, date: .utc(2020)))] }
        AttackCase(receipt: "content-two-environments") {
            $0.edits = [.add(AttributeContent(0, text: "ProductionSandbox"))]
        }
        AttackCase(receipt: "content-two-expiration-dates") {
            $0.expiresAt = .utc(2030)
            $0.edits = [.add(AttributeContent(21, date: .utc(2025)))]
        }
    }

    @AttackList static var missingAttributes: [AttackCase] {
        AttackCase(receipt: "content-no-bundle-id") { $0.edits = [.leaveOut(2)] }
        AttackCase(receipt: "content-no-version") { $0.edits = [.leaveOut(3)] }
        AttackCase(receipt: "content-no-opaque-value") { $0.edits = [.leaveOut(4)] }
        AttackCase(receipt: "content-no-hash") { $0.edits = [.leaveOut(5)] }
        AttackCase(receipt: "content-no-creation-date") { $0.edits = [.leaveOut(12)] }
        AttackCase(receipt: "content-empty-creation-date") { $0.edits = [.replace(12, with: DERWriter.ia5String(""))] }
        AttackCase("content-no-attributes") { kit in try kit.signed(DERWriter.element(.set)).encoded }
    }
}

extension AttackKit {
    /// A device that the receipt does not belong to.
    static let otherDevice = SampleDevice.vendorIdentifier([UInt8](repeating: 0x11, count: 16))
}
