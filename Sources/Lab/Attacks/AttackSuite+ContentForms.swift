import DER
import Encodings

/// Signed content that is not a receipt, or whose encoding is ambiguous.
extension AttackSuite {
    @AttackList static var contentForms: [AttackCase] {
        AttackCase(receipt: "content-created-tomorrow") { $0.createdAt = AttackKit.asOf.adding(seconds: 86401) }
        AttackCase(receipt: "content-date-in-verify-receipt-form") {
            $0.edits = [.replace(12, with: DERWriter.ia5String("2024-03-01 00:00:00 Etc/GMT"))]
        }
        AttackCase(receipt: "content-date-that-no-calendar-has") {
            $0.edits = [.replace(12, with: DERWriter.ia5String("2023-02-29T00:00:00Z"))]
        }
        AttackCase(receipt: "content-date-as-utctime") {
            $0.edits = [.replace(12, with: DERWriter.element(.utcTime, Array("240301000000Z".utf8)))]
        }
        AttackCase(receipt: "content-bundle-id-ia5") {
            $0.replaceBundleID(with: DERWriter.ia5String(AttackKit.bundleID))
        }
        AttackCase(receipt: "content-bundle-id-trailing-octets") {
            $0.replaceBundleID(with: DERWriter.utf8String(AttackKit.bundleID) + [0x05, 0x00])
        }
        AttackCase(receipt: "content-bundle-id-overlong") {
            let octets = Array("com".utf8) + [0xc0, 0xae] + Array("example.notes".utf8)
            $0.replaceBundleID(with: DERWriter.element(.utf8String, octets))
        }
        AttackCase(receipt: "content-bundle-id-surrogates") {
            let octets = Array(AttackKit.bundleID.utf8) + [0xed, 0xa0, 0x80]
            $0.replaceBundleID(with: DERWriter.element(.utf8String, octets))
        }
        AttackCase(receipt: "content-hash-too-long") { $0.edits = [.replace(5, with: $0.hash + [0])] }
        AttackCase(receipt: "content-hash-too-short") { $0.edits = [.replace(5, with: $0.hash.dropLast())] }
        AttackCase(receipt: "content-hash-empty") { $0.edits = [.replace(5, with: [])] }
        AttackCase(receipt: "content-hash-in-octet-string") {
            $0.edits = [.replace(5, with: DERWriter.element(.octetString, $0.hash))]
        }
        AttackCase("content-sequence") { kit in try kit.signedSet { $0.identifier = [0x30] } }
        AttackCase("content-two-sets") { kit in try kit.signed(kit.receipt.der + kit.richerReceipt.der).encoded }
        AttackCase("content-trailing-octets") { kit in try kit.signed(kit.receipt.der + [0, 0]).encoded }
        AttackCase("content-null-in-set") { kit in try kit.signedSet { $0.children.append(.null) } }
        AttackCase("content-fourth-field") { kit in try kit.signedSet { $0.append(.null, in: [0]) } }
        AttackCase("content-padded-type") { kit in
            try kit.signedSet { $0.edit(at: [3, 0]) { type in type.octets.insert(0, at: 0) } }
        }
        AttackCase("content-type-of-nine-octets") { kit in
            try kit.signedSet {
                $0.children.append(
                    DERTree(
                        .sequence,
                        [
                            DERTree(.integer, [1, 0, 0, 0, 0, 0, 0, 0, 2]), DERTree(.integer, [1]),
                            DERTree(.octetString, DERWriter.utf8String("com.example.other")),
                        ]))
            }
        }
        AttackCase("content-indefinite-length") { kit in try kit.signedSet { $0.length = .indefinite } }
        AttackCase("content-long-length") { kit in try kit.signedSet { $0.setLength(at: [0], .long(4)) } }
        AttackCase("content-constructed-value") { kit in
            try kit.signedSet { set in
                let position = set.children.firstIndex { $0.children.first?.octets == [2] } ?? 0
                set.edit(at: [position, 2]) { value in
                    let octets = value.octets
                    value = DERTree(
                        identifier: [0x24],
                        children: [
                            DERTree(.octetString, Array(octets.prefix(8))),
                            DERTree(.octetString, Array(octets.dropFirst(8))),
                        ])
                }
            }
        }
        AttackCase("content-in-octet-string") { kit in
            try kit.signed(DERWriter.element(.octetString, kit.receipt.der)).encoded
        }
        AttackCase("content-property-list") { kit in
            try kit.signed(Array("{ \"purchase-info\" = \"e30=\"; \"signature\" = \"AA==\"; }".utf8)).encoded
        }
        AttackCase("content-verify-receipt-response") { kit in
            try kit.signed(
                Array(
                    "{\"status\":0,\"environment\":\"Production\",\"receipt\":{\"bundle_id\":\"com.example.notes\"}}"
                        .utf8)
            ).encoded
        }
        AttackCase(receipt: "content-expired") {
            $0.environment = "ProductionVPP"
            $0.expiresAt = AttackKit.asOf.adding(seconds: -1)
        }
    }

    /// Malformed purchases inside a well-formed receipt.
    @AttackList static var purchases: [AttackCase] {
        AttackCase(receipt: "purchase-two-products") {
            $0.purchases[0].edits = [.add(AttributeContent(1702, text: "com.example.notes.everything"))]
        }
        AttackCase(receipt: "purchase-two-cancellation-dates") {
            $0.purchases[0].edits = [.add(AttributeContent(1712, date: .utc(2024, 2, 15)))]
        }
        AttackCase(receipt: "purchase-no-transaction-id") { $0.purchases[0].edits = [.leaveOut(1703)] }
        AttackCase(receipt: "purchase-no-product-id") { $0.purchases[0].edits = [.leaveOut(1702)] }
        AttackCase(receipt: "purchase-date-is-none") {
            $0.purchases[0].edits = [.replace(1704, with: DERWriter.ia5String("never"))]
        }
        AttackCase(receipt: "purchase-trailing-octets") {
            $0.edits = [.replace(17, with: $0.purchases[0].der + [0x05, 0x00])]
        }
        AttackCase(receipt: "purchase-two-in-one") {
            let other = $0.purchases[0].with { $0.productID = "com.example.notes.everything" }
            $0.edits = [.replace(17, with: $0.purchases[0].der + other.der)]
        }
        AttackCase(receipt: "purchase-sequence") {
            $0.edits = [.replace(17, with: [0x30] + $0.purchases[0].der.dropFirst())]
        }
    }
}

extension ReceiptContent {
    /// Replaces the bytes of attribute 2, which the device hash then also covers.
    fileprivate mutating func replaceBundleID(with octets: [UInt8]) {
        let hash = SampleDigest.sha1.hash(device.octets + opaqueValue + octets)
        edits = [.replace(2, with: octets), .replace(5, with: hash)]
    }
}
