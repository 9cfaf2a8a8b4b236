import DER
import Encodings

/// Signed content that is not a receipt, or whose encoding is ambiguous.
extension AttackSuite {
    @AttackList static var contentForms: [AttackCase] {
        AttackCase(
            receipt: "content-created-tomorrow",
            "The receipt was created 24 hours and a second after the instant of the check.",
            why: "A receipt from the future was dated by somebody: a clock may be off by a day, no more.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.createdAt = AttackKit.asOf.adding(seconds: 86401) }
        AttackCase(
            receipt: "content-date-in-verify-receipt-form",
            "The creation date is written “2024-03-01 00:00:00 Etc/GMT”.",
            why:
                "verifyReceipt's responses have this form, receipts have RFC 3339. A lenient reader reads other dates, too.",
            reference: "RFC 3339, section 5.6", fails: .malformedReceipt
        ) { $0.edits = [.replace(12, with: DERWriter.ia5String("2024-03-01 00:00:00 Etc/GMT"))] }
        AttackCase(
            receipt: "content-date-that-no-calendar-has", "The creation date is 2023-02-29T00:00:00Z.",
            why: "Readers that carry over take it for the first of March, others for nothing.",
            reference: "RFC 3339, section 5.7", fails: .malformedReceipt
        ) { $0.edits = [.replace(12, with: DERWriter.ia5String("2023-02-29T00:00:00Z"))] }
        AttackCase(
            receipt: "content-date-as-utctime", "The creation date is a UTCTime, as certificates have them.",
            why: "Its year has two digits; receipts have text.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes", fails: .malformedReceipt
        ) { $0.edits = [.replace(12, with: DERWriter.element(.utcTime, Array("240301000000Z".utf8)))] }
        AttackCase(
            receipt: "content-bundle-id-ia5", "The bundle id is an IA5String, where a UTF8String belongs.",
            why: "The device hash is over its octets, tag included; a reader that compares texts only does not notice.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes", fails: .malformedReceipt
        ) { $0.replaceBundleID(with: DERWriter.ia5String(AttackKit.bundleID)) }
        AttackCase(
            receipt: "content-bundle-id-trailing-octets",
            "Two octets follow the bundle id's UTF8String inside the attribute.",
            why:
                "Each reader that takes the first element leaves what follows free, although it enters the device hash.",
            reference: "X.690, section 8.1.1; CWE-1286", fails: .malformedReceipt
        ) { $0.replaceBundleID(with: DERWriter.utf8String(AttackKit.bundleID) + [0x05, 0x00]) }
        AttackCase(
            receipt: "content-bundle-id-overlong", "A dot of the bundle id is encoded in two octets, C0 AE.",
            why: "Overlong UTF-8 is none. Decoders that accept it compare equal, others replace it.",
            reference: "RFC 3629, section 3", fails: .malformedReceipt
        ) {
            let octets = Array("com".utf8) + [0xc0, 0xae] + Array("example.notes".utf8)
            $0.replaceBundleID(with: DERWriter.element(.utf8String, octets))
        }
        AttackCase(
            receipt: "content-bundle-id-surrogates",
            "The bundle id ends in a surrogate encoded in three octets, ED A0 80.",
            why: "CESU-8 is no UTF-8. Decoders that replace it with U+FFFD take many texts for one.",
            reference: "RFC 3629, section 3", fails: .malformedReceipt
        ) {
            let octets = Array(AttackKit.bundleID.utf8) + [0xed, 0xa0, 0x80]
            $0.replaceBundleID(with: DERWriter.element(.utf8String, octets))
        }
        AttackCase(
            receipt: "content-hash-too-long", "The device hash has 21 octets, of which the first 20 are right.",
            why: "A reader that compares the first 20 octets leaves the others free.",
            reference: "Apple, “Validating receipts on the device”", fails: .malformedReceipt
        ) { $0.edits = [.replace(5, with: $0.hash + [0])] }
        AttackCase(
            receipt: "content-hash-too-short", "The device hash has 19 octets, which are right.",
            why: "A reader that compares as many octets as there are compares none in the end.",
            reference: "Apple, “Validating receipts on the device”; CWE-187", fails: .malformedReceipt
        ) { $0.edits = [.replace(5, with: $0.hash.dropLast())] }
        AttackCase(
            receipt: "content-hash-empty", "The device hash has no octets.",
            why: "A reader that compares as many octets as there are compares none.",
            reference: "Apple, “Validating receipts on the device”; CWE-187", fails: .malformedReceipt
        ) { $0.edits = [.replace(5, with: [])] }
        AttackCase(
            receipt: "content-hash-in-octet-string", "The device hash stands inside an OCTET STRING of its own.",
            why: "Attribute 5 holds the hash itself. Unwrapping what looks like DER makes two forms of one receipt.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes", fails: .malformedReceipt
        ) { $0.edits = [.replace(5, with: DERWriter.element(.octetString, $0.hash))] }
        AttackCase(
            "content-sequence", "The attributes stand in a SEQUENCE, not in a SET.",
            why:
                "A receipt is a SET. A reader that looks for attributes and not at their container reads other structures, too.",
            reference: "Apple, “Validating receipts on the device”, ASN.1 module", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.identifier = [0x30] } }
        AttackCase(
            "content-two-sets", "A second SET, with a richer receipt, follows the first under one signature.",
            why: "One reader takes the first SET, another looks for purchases everywhere.",
            reference: "X.690, section 8.1.1; CWE-436", fails: .malformedReceipt
        ) { kit in try kit.signed(kit.receipt.der + kit.richerReceipt.der).encoded }
        AttackCase(
            "content-trailing-octets", "Two octets of zero follow the SET under the signature.",
            why: "They look like end-of-contents octets, and are free.",
            reference: "X.690, section 8.1.1", fails: .malformedReceipt
        ) { kit in try kit.signed(kit.receipt.der + [0, 0]).encoded }
        AttackCase(
            "content-null-in-set", "A NULL stands among the attributes.",
            why: "The SET holds attributes and nothing else.",
            reference: "Apple, “Validating receipts on the device”, ASN.1 module", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.children.append(.null) } }
        AttackCase(
            "content-fourth-field", "An attribute has a NULL behind its value.",
            why:
                "An attribute is type, version and value. Readers that take the last field as the value differ from others.",
            reference: "Apple, “Validating receipts on the device”, ASN.1 module", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.append(.null, in: [0]) } }
        AttackCase(
            "content-padded-type", "The type of an attribute has a leading octet of zero that it does not need.",
            why: "One number in two encodings lets a second attribute of a type go unnoticed.",
            reference: "X.690, section 8.3.2", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.edit(at: [3, 0]) { type in type.octets.insert(0, at: 0) } } }
        AttackCase(
            "content-type-of-nine-octets", "A second bundle id has the type 2^64 + 2.",
            why: "Read into 64 bits the type is 2 again.",
            reference: "CWE-190", fails: .malformedReceipt
        ) { kit in
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
        AttackCase(
            "content-indefinite-length", "The SET has an indefinite length.",
            why:
                "It is under the signature, but Apple writes DER: nobody else's encoder is to be trusted with a choice.",
            reference: "X.690, section 10.1", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.length = .indefinite } }
        AttackCase(
            "content-long-length", "The length of an attribute has a leading octet of zero.",
            why: "It is under the signature, but Apple writes DER.",
            reference: "X.690, section 10.1", fails: .malformedReceipt
        ) { kit in try kit.signedSet { $0.setLength(at: [0], .long(4)) } }
        AttackCase(
            "content-constructed-value", "The bundle id's OCTET STRING is constructed, in two pieces.",
            why: "The device hash is over the value's octets: with the pieces' headers or without them?",
            reference: "X.690, sections 8.7.3 and 10.2", fails: .malformedReceipt
        ) { kit in
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
        AttackCase(
            "content-in-octet-string", "The SET stands inside one more OCTET STRING under the signature.",
            why: "Readers that unwrap until they find a SET read what nobody meant as a receipt.",
            reference: "RFC 5652, section 5.2", fails: .malformedReceipt
        ) { kit in try kit.signed(DERWriter.element(.octetString, kit.receipt.der)).encoded }
        AttackCase(
            "content-property-list", "The content is a property list of iOS 6, {\"purchase-info\" = …}.",
            why: "Another format with other rules; this one was replayed for years.",
            reference: "Apple, “In-App Purchase Receipt Validation on iOS” (2012)", fails: .notAProof
        ) { kit in try kit.signed(Array("{ \"purchase-info\" = \"e30=\"; \"signature\" = \"AA==\"; }".utf8)).encoded }
        AttackCase(
            "content-verify-receipt-response", "The content is what verifyReceipt answers: {\"status\":0, …}.",
            why: "An answer of a server, signed or not, is no receipt.",
            reference: "Apple, “verifyReceipt”", fails: .notAProof
        ) { kit in
            try kit.signed(
                Array(
                    "{\"status\":0,\"environment\":\"Production\",\"receipt\":{\"bundle_id\":\"com.example.notes\"}}"
                        .utf8)
            ).encoded
        }
        AttackCase(
            receipt: "content-expired", "Attribute 21, the end of a volume purchase, has passed.",
            why: "The organisation took the app back.",
            reference: "Apple, “Validating receipts on the device”, receipt attributes", fails: .receiptExpired
        ) {
            $0.environment = "ProductionVPP"
            $0.expiresAt = AttackKit.asOf.adding(seconds: -1)
        }
    }

    /// Malformed purchases inside a well-formed receipt.
    @AttackList static var purchases: [AttackCase] {
        AttackCase(
            receipt: "purchase-two-products", "The purchase names two products, attribute 1702 twice.",
            why: "One reader unlocks the first, another the last.",
            reference: "Apple, “In-App Purchase receipt attributes”; CWE-436", fails: .malformedInAppPurchase
        ) { $0.purchases[0].edits = [.add(AttributeContent(1702, text: "com.example.notes.everything"))] }
        AttackCase(
            receipt: "purchase-two-cancellation-dates", "The purchase has attribute 1712 twice: empty, and a date.",
            why: "By the first it was never refunded.",
            reference: "Apple, “In-App Purchase receipt attributes”; CWE-436", fails: .malformedInAppPurchase
        ) { $0.purchases[0].edits = [.add(AttributeContent(1712, date: .utc(2024, 2, 15)))] }
        AttackCase(
            receipt: "purchase-no-transaction-id", "The purchase has no transaction id.",
            why: "Without it nobody can tell whether it was presented before.",
            reference: "Apple, “In-App Purchase receipt attributes”", fails: .malformedInAppPurchase
        ) { $0.purchases[0].edits = [.leaveOut(1703)] }
        AttackCase(
            receipt: "purchase-no-product-id", "The purchase has no product id.",
            why: "What is not there cannot be compared, and must not count as equal.",
            reference: "Apple, “In-App Purchase receipt attributes”", fails: .malformedInAppPurchase
        ) { $0.purchases[0].edits = [.leaveOut(1702)] }
        AttackCase(
            receipt: "purchase-date-is-none", "The purchase date is the text “never”.",
            why: "A date that cannot be read must not become today's or the first of 1970.",
            reference: "RFC 3339, section 5.6", fails: .malformedInAppPurchase
        ) { $0.purchases[0].edits = [.replace(1704, with: DERWriter.ia5String("never"))] }
        AttackCase(
            receipt: "purchase-trailing-octets", "Two octets follow the purchase's SET inside its attribute.",
            why: "The value of attribute 17 is one SET.",
            reference: "X.690, section 8.1.1", fails: .malformedInAppPurchase
        ) { $0.edits = [.replace(17, with: $0.purchases[0].der + [0x05, 0x00])] }
        AttackCase(
            receipt: "purchase-two-in-one", "One attribute 17 holds two purchases, one SET behind the other.",
            why: "One reader sees one purchase, another two.",
            reference: "X.690, section 8.1.1; CWE-436", fails: .malformedInAppPurchase
        ) {
            let other = $0.purchases[0].with { $0.productID = "com.example.notes.everything" }
            $0.edits = [.replace(17, with: $0.purchases[0].der + other.der)]
        }
        AttackCase(
            receipt: "purchase-sequence", "The purchase's attributes stand in a SEQUENCE, not in a SET.",
            why: "A purchase is a SET of attributes, as the receipt is.",
            reference: "Apple, “In-App Purchase receipt attributes”", fails: .malformedInAppPurchase
        ) { $0.edits = [.replace(17, with: [0x30] + $0.purchases[0].der.dropFirst())] }
    }
}

extension ReceiptContent {
    /// Replaces the bytes of attribute 2, which the device hash then also covers.
    fileprivate mutating func replaceBundleID(with octets: [UInt8]) {
        let hash = SampleDigest.sha1.hash(device.octets + opaqueValue + octets)
        edits = [.replace(2, with: octets), .replace(5, with: hash)]
    }
}
