import DER

/// Device hashes: SHA-1(device id ‖ attribute 4 ‖ bytes of attribute 2), and wrong variants of it.
extension AttackSuite {
    @AttackList static var deviceHashes: [AttackCase] {
        AttackCase(receipt: "device-another") { $0.device = AttackKit.otherDevice }
        AttackCase("device-hash-opaque-first") { kit in try kit.signed(hashing: { $0.opaque + $0.device + $0.bundleID })
        }
        AttackCase("device-hash-bundle-id-first") { kit in
            try kit.signed(hashing: { $0.bundleID + $0.opaque + $0.device })
        }
        AttackCase("device-hash-without-opaque-value") { kit in try kit.signed(hashing: { $0.device + $0.bundleID }) }
        AttackCase("device-hash-without-device") { kit in try kit.signed(hashing: { $0.opaque + $0.bundleID }) }
        AttackCase("device-hash-decoded-bundle-id") { kit in
            try kit.signed(hashing: { $0.device + $0.opaque + Array(AttackKit.bundleID.utf8) })
        }
        AttackCase("device-hash-opaque-value-with-header") { kit in
            try kit.signed(hashing: { $0.device + DERWriter.element(.octetString, $0.opaque) + $0.bundleID })
        }
        AttackCase("device-hash-uuid-text") { kit in
            try kit.signed(hashing: { Array(AttackKit.device.text.utf8) + $0.opaque + $0.bundleID })
        }
        AttackCase("device-hash-uuid-lower-case") { kit in
            try kit.signed(hashing: { Array(AttackKit.device.text.lowercased().utf8) + $0.opaque + $0.bundleID })
        }
        AttackCase("device-hash-uuid-without-hyphens") { kit in
            try kit.signed(hashing: {
                AttackKit.device.text.utf8.filter { $0 != UInt8(ascii: "-") } + $0.opaque + $0.bundleID
            })
        }
        AttackCase("device-hash-little-endian-uuid") { kit in
            try kit.signed(hashing: { parts in
                let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
                return order.map { parts.device[$0] } + parts.opaque + parts.bundleID
            })
        }
        AttackCase(receipt: "device-hash-sha256") { receipt in
            let octets = receipt.device.octets + receipt.opaqueValue + DERWriter.utf8String(receipt.bundleID)
            receipt.edits = [.replace(5, with: Array(SampleDigest.sha256.hash(octets).prefix(20)))]
        }
        AttackCase(receipt: "device-hash-of-zeros") { $0.edits = [.replace(5, with: [UInt8](repeating: 0, count: 20))] }
        AttackCase(claim: "device-mac-for-uuid") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = "a4:83:e7:12:34:56" }
        }
    }

    /// Malformed identifiers in the claim.
    @AttackList static var deviceIdentifiers: [AttackCase] {
        AttackCase(claim: "device-id-trailing-character") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID += "?" }
        }
        AttackCase(claim: "device-id-behind-a-brace") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = "{\($0.deviceID)" }
        }
        AttackCase(claim: "device-id-misplaced-hyphens") { kit in
            try kit.claim(kit.signed().encoded).with {
                let digits = $0.deviceID.filter { $0 != "-" }
                $0.deviceID =
                    digits.prefix(4) + "-" + digits.dropFirst(4).prefix(8) + "-" + digits.dropFirst(12).prefix(4)
                    + "-" + digits.dropFirst(16).prefix(4) + "-" + digits.dropFirst(20)
            }
        }
        AttackCase(claim: "device-id-fullwidth-digits") { kit in
            try kit.claim(kit.signed().encoded).with { $0.deviceID = "\u{ff16}" + $0.deviceID.dropFirst() }
        }
        AttackCase(claim: "device-seventeen-alternatives") { kit in
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
