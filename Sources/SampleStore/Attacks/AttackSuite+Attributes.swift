import DER
import Encodings

/// Attributes that are repeated or missing, under a valid signature.
///
/// The App Store would have to sign such a receipt. Readers use different values: the first, the last, or none. A
/// signing service that echoes its input would sign it.
extension AttackSuite {
    @AttackList static var repeatedAttributes: [AttackCase] {
        AttackCase(
            receipt: "content-two-bundle-ids", "Attribute 2, the bundle id, stands there twice, for two apps.",
            why: "One reader takes the first, another the last: each app sees a receipt of its own.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(2, text: "com.example.other"))] }
        AttackCase(
            receipt: "content-two-equal-bundle-ids",
            "Attribute 2, the bundle id, stands there twice with the same value.",
            why: "A receipt has one. Whether the values agree is more than a reader should have to ask.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(2, text: AttackKit.bundleID))] }
        AttackCase(
            receipt: "content-two-versions", "Attribute 3, the app's version, stands there twice.",
            why: "One reader takes the first, another the last.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(3, text: "8"))] }
        AttackCase(
            receipt: "content-two-opaque-values", "Attribute 4, the opaque value, stands there twice.",
            why: "The device hash is computed with it: each value could fit another device.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(4, version: 2, value: [UInt8](repeating: 7, count: 16)))] }
        AttackCase(
            receipt: "content-two-hashes", "Attribute 5, the device hash, stands there twice, for two devices.",
            why: "One receipt would belong to two devices.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { receipt in
            let other = receipt.with { $0.device = AttackKit.otherDevice }
            receipt.edits = [.add(AttributeContent(5, value: other.hash))]
        }
        AttackCase(
            receipt: "content-two-creation-dates", "Attribute 12, the creation date, stands there twice.",
            why: "The chain is judged at this date: a second one lets the forger choose.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(12, date: .utc(2020)))] }
        AttackCase(
            receipt: "content-two-environments",
            "Attribute 0, the environment, stands there twice: Production and ProductionSandbox.",
            why: "A sandbox's purchases cost nothing.",
            reference: "CWE-436", fails: .malformedReceipt
        ) { $0.edits = [.add(AttributeContent(0, text: "ProductionSandbox"))] }
        AttackCase(
            receipt: "content-two-expiration-dates", "Attribute 21, the end of a volume purchase, stands there twice.",
            why: "One of them has passed.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes; CWE-436",
            fails: .malformedReceipt
        ) {
            $0.expiresAt = .utc(2030)
            $0.edits = [.add(AttributeContent(21, date: .utc(2025)))]
        }
    }

    @AttackList static var missingAttributes: [AttackCase] {
        AttackCase(
            receipt: "content-no-bundle-id", "Attribute 2, the bundle id, is missing.",
            why: "What is not there cannot be compared, and must not count as equal.",
            reference: "Apple, “Validating receipts on the device”", fails: .notAProof
        ) { $0.edits = [.leaveOut(2)] }
        AttackCase(
            receipt: "content-no-version", "Attribute 3, the app's version, is missing.",
            why: "What is not there cannot be compared, and must not count as equal.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut(3)] }
        AttackCase(
            receipt: "content-no-opaque-value", "Attribute 4, the opaque value, is missing.",
            why: "Without it no device hash can be computed, and none must pass.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut(4)] }
        AttackCase(
            receipt: "content-no-hash", "Attribute 5, the device hash, is missing.",
            why: "A receipt that belongs to no device would belong to every one.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut(5)] }
        AttackCase(
            receipt: "content-no-creation-date", "Attribute 12, the creation date, is missing.",
            why: "There is no date to judge the chain at. Today's must not take its place.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut(12)] }
        AttackCase(
            receipt: "content-empty-creation-date", "Attribute 12, the creation date, is an empty string.",
            why: "Apple writes “none” like that elsewhere; of this attribute there is always a value.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.replace(12, with: DERWriter.ia5String(""))] }
        AttackCase(
            "content-no-attributes", "The receipt is an empty SET.",
            why: "Nothing in it is wrong, because nothing is in it.",
            reference: "Apple, “Validating receipts on the device”", fails: .notAProof
        ) { kit in try kit.signed(DERWriter.element(.set)).encoded }
    }
}

extension AttackKit {
    /// A device that the receipt does not belong to.
    static let otherDevice = SampleDevice.vendorIdentifier([UInt8](repeating: 0x11, count: 16))
}
