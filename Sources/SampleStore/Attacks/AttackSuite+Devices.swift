import DER

/// Device hashes: SHA-1(device id ‖ attribute 4 ‖ bytes of attribute 2), and wrong variants of it.
extension AttackSuite {
    @AttackList static var deviceHashes: [AttackCase] {
        AttackCase(
            receipt: "device-another", "The receipt belongs to another device.",
            why: "A copied receipt is genuine in everything but the device.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { $0.device = AttackKit.otherDevice }
        AttackCase(
            "device-hash-opaque-first", "The hash is over opaque value, device id, bundle id.",
            why: "The order of the parts is fixed.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { $0.opaque + $0.device + $0.bundleID }) }
        AttackCase(
            "device-hash-bundle-id-first", "The hash is over bundle id, opaque value, device id.",
            why: "The order of the parts is fixed.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { $0.bundleID + $0.opaque + $0.device }) }
        AttackCase(
            "device-hash-without-opaque-value", "The hash is over device id and bundle id alone.",
            why: "The opaque value is what makes the hash another one in each receipt.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { $0.device + $0.bundleID }) }
        AttackCase(
            "device-hash-without-device", "The hash is over opaque value and bundle id alone.",
            why: "Everybody can compute it: it binds the receipt to no device.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { $0.opaque + $0.bundleID }) }
        AttackCase(
            "device-hash-decoded-bundle-id", "The hash is over the bundle id's text, without its DER header.",
            why:
                "The octets of attribute 2 are hashed as they stand, tag and length included. This is a common mistake.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { $0.device + $0.opaque + Array(AttackKit.bundleID.utf8) }) }
        AttackCase(
            "device-hash-opaque-value-with-header",
            "The hash is over the opaque value with the header of its OCTET STRING.",
            why: "The contents of the attribute are hashed, not its header.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in
            try kit.signed(hashing: { $0.device + DERWriter.element(.octetString, $0.opaque) + $0.bundleID })
        }
        AttackCase(
            "device-hash-uuid-text", "The hash is over the UUID's text with hyphens, in capitals.",
            why: "The sixteen octets of the UUID are hashed.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.signed(hashing: { Array(AttackKit.device.text.utf8) + $0.opaque + $0.bundleID }) }
        AttackCase(
            "device-hash-uuid-lower-case", "The hash is over the UUID's text with hyphens, in small letters.",
            why: "The sixteen octets of the UUID are hashed.",
            reference: "RFC 9562, section 4", fails: .guidMismatch
        ) { kit in
            try kit.signed(hashing: { Array(AttackKit.device.text.lowercased().utf8) + $0.opaque + $0.bundleID })
        }
        AttackCase(
            "device-hash-uuid-without-hyphens", "The hash is over the UUID's text of 32 digits.",
            why: "The sixteen octets of the UUID are hashed.",
            reference: "RFC 9562, section 4", fails: .guidMismatch
        ) { kit in
            try kit.signed(hashing: {
                AttackKit.device.text.utf8.filter { $0 != UInt8(ascii: "-") } + $0.opaque + $0.bundleID
            })
        }
        AttackCase(
            "device-hash-little-endian-uuid",
            "The hash is over the UUID as Microsoft writes GUIDs, the first three fields reversed.",
            why:
                "A UUID's octets stand in network order; a server on .NET that forgets it rejects everything but this.",
            reference: "RFC 9562, section 4", fails: .guidMismatch
        ) { kit in
            try kit.signed(hashing: { parts in
                let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
                return order.map { parts.device[$0] } + parts.opaque + parts.bundleID
            })
        }
        AttackCase(
            receipt: "device-hash-sha256", "The hash is the first 20 octets of SHA-256.",
            why: "The device hash is SHA-1, also in receipts that are signed with SHA-256.",
            reference: "Apple, TN3138", fails: .guidMismatch
        ) { receipt in
            let octets = receipt.device.octets + receipt.opaqueValue + DERWriter.utf8String(receipt.bundleID)
            receipt.edits = [.replace(5, with: Array(SampleDigest.sha256.hash(octets).prefix(20)))]
        }
        AttackCase(
            receipt: "device-hash-of-zeros", "The hash is twenty octets of zero.",
            why: "It is what a buffer holds that was never filled: compared with another such buffer it is equal.",
            reference: "CWE-457", fails: .guidMismatch
        ) { $0.edits = [.replace(5, with: [UInt8](repeating: 0, count: 20))] }
        AttackCase(
            claim: "device-mac-for-uuid", "A Mac's address is claimed for a receipt that belongs to an iPhone.",
            why: "Only the claimed identifier may be compared.",
            reference: "Apple, “Validating receipts on the device”, computing the hash", fails: .guidMismatch
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID = "a4:83:e7:12:34:56" } }
    }

    /// Malformed identifiers in the claim.
    @AttackList static var deviceIdentifiers: [AttackCase] {
        AttackCase(
            claim: "device-id-trailing-character",
            "The claimed device id is the right one with a question mark behind it.",
            why: "Readers that stop at the end of the UUID accept any number of spellings for one device.",
            reference: "RFC 9562, section 4", fails: .deviceIDMalformed
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID += "?" } }
        AttackCase(
            claim: "device-id-behind-a-brace", "The claimed device id is the right one behind an opening brace.",
            why:
                "Windows writes GUIDs in braces. A reader that drops them wherever they are accepts what nobody writes.",
            reference: "RFC 9562, section 4", fails: .deviceIDMalformed
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.deviceID = "{\($0.deviceID)" } }
        AttackCase(
            claim: "device-id-misplaced-hyphens", "The hyphens of the claimed device id are in other places.",
            why: "A reader that drops all hyphens accepts any number of spellings for one device.",
            reference: "RFC 9562, section 4", fails: .deviceIDMalformed
        ) { kit in
            try kit.claim(kit.signed().encoded).with {
                let digits = $0.deviceID.filter { $0 != "-" }
                $0.deviceID =
                    digits.prefix(4) + "-" + digits.dropFirst(4).prefix(8) + "-" + digits.dropFirst(12).prefix(4)
                    + "-" + digits.dropFirst(16).prefix(4) + "-" + digits.dropFirst(20)
            }
        }
        AttackCase(
            claim: "device-id-fullwidth-digits", "The claimed device id has one fullwidth digit, U+FF16.",
            why: "It is a digit in Unicode and none in hexadecimal.",
            reference: "RFC 9562, section 4; UTS 39", fails: .deviceIDMalformed
        ) { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = "\u{ff16}" + $0.deviceID.dropFirst() }
        }
        AttackCase(
            claim: "device-seventeen-alternatives", "The claim names 17 devices, the first of which is the right one.",
            why: "Each alternative is one more guess, and one more hash: 16 are allowed.",
            reference: "CWE-400", fails: .deviceIDMalformed
        ) { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = AttackKit.alternatives(17, right: 0) }
        }
    }
}

/// The hashed bytes.
private struct HashParts {
    let device: [UInt8]
    let opaque: [UInt8]
    /// Attribute 2 as encoded, tag and length included.
    let bundleID: [UInt8]
}

extension AttackKit {
    /// Returns the receipt with the hash of these parts in another order or encoding.
    fileprivate func signed(hashing parts: (HashParts) -> [UInt8]) throws(SigningError) -> [UInt8] {
        try signedReceipt { receipt in
            let octets = parts(
                HashParts(
                    device: receipt.device.octets, opaque: receipt.opaqueValue,
                    bundleID: DERWriter.utf8String(receipt.bundleID)))
            receipt.edits = [.replace(5, with: SampleDigest.sha1.hash(octets))]
        }
    }

    /// Returns a list of device ids separated by `|`, one of them the right one.
    static func alternatives(_ count: Int, right: Int) -> String {
        (0..<count).map { number in
            let other = SampleDevice.vendorIdentifier([UInt8](repeating: 0x20 + UInt8(number), count: 16))
            return number == right ? device.text : other.text
        }.joined(separator: "|")
    }
}
