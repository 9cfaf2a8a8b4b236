import DER
import Encodings
import SampleStore
import Testing

struct `The content of a receipt` {
    @Test func `reads back as it was written`() throws {
        let decoded = try DecodedAttributes(Samples.receipt.der)
        let types = decoded.all.map(\.type).sorted()
        #expect(types == Array(0...20) + [25])
        #expect(try decoded.text(0) == "Production")
        #expect(try decoded.text(2) == "com.example.notes")
        #expect(try decoded.text(12) == "2024-03-01T00:00:00Z")
        #expect(decoded.value(9) == [0x02, 0x04] + Array("P302".utf8))
        #expect(decoded.value(20) == [0x0c, 0x00])
        #expect(decoded.value(25) == [0x02, 0x01, 0x03])
        #expect(decoded.all.filter { $0.version == 2 }.map(\.type) == [4])
    }

    @Test func `has the hash of device, opaque value and raw bundle id`() throws {
        let decoded = try DecodedAttributes(Samples.receipt.der)
        let opaque = try #require(decoded.value(4))
        let bundleID = try #require(decoded.value(2))
        let hash = SampleDigest.sha1.hash(Samples.phone.octets + opaque + bundleID)
        #expect(decoded.value(5) == hash)
        #expect(bundleID.starts(with: [0x0c, 17]))
    }

    @Test func `of a Mac has no attribute 20, and platform 2`() throws {
        let receipt = Samples.receipt.with { $0.device = Samples.mac }
        let decoded = try DecodedAttributes(receipt.der)
        #expect(decoded.value(20) == nil)
        #expect(decoded.value(25) == [0x02, 0x01, 0x02])
    }

    @Test func `is a SET in the order of DER`() throws {
        let encodings = try DecodedAttributes(Samples.receipt.der).all.map(\.der)
        #expect(zip(encodings, encodings.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `writes no date as an empty IA5String`() throws {
        let decoded = try DecodedAttributes(Samples.receipt.with { $0.downloadedAt = nil }.der)
        #expect(decoded.value(8) == [0x16, 0x00])
    }

    @Test func `has an expiry date only if one is set`() throws {
        let decoded = try DecodedAttributes(Samples.receipt.with { $0.expiresAt = .utc(2025) }.der)
        #expect(try decoded.text(21) == "2025-01-01T00:00:00Z")
    }

    @Test func `can lack, add, replace and renumber the version of an attribute`() throws {
        let added = AttributeContent(99, value: [1, 2, 3])
        let receipt = Samples.receipt.with {
            $0.edits = [.leaveOut(12), .replace(3, with: [0xff]), .version(4, 7), .add(added)]
        }
        let decoded = try DecodedAttributes(receipt.der)
        #expect(decoded.value(12) == nil)
        #expect(decoded.value(3) == [0xff])
        #expect(decoded.all.first { $0.type == 4 }?.version == 7)
        #expect(decoded.all.contains(added))
    }
}

struct `The content of a purchase` {
    @Test func `reads back as it was written`() throws {
        let decoded = try #require(try DecodedAttributes(Samples.receipt.der).purchases.first)
        #expect(decoded.all.map(\.type).sorted() == Array(1701...1718))
        #expect(try decoded.text(1702) == "com.example.notes.pro")
        #expect(try decoded.text(1705) == "460000000000001")
        #expect(decoded.value(1708) == [0x16, 0x00])
        #expect(decoded.value(1709) == [0x0c, 0x00])
    }

    @Test func `of a subscription has the attributes that came later`() throws {
        let purchase = Samples.purchase.with {
            $0.kind = .autoRenewable
            $0.expiresAt = .utc(2024, 4)
            $0.isIntroOffer = true
            $0.promotionalOfferID = "loyal"
            $0.hasAttribute1722 = true
        }
        let decoded = try DecodedAttributes(purchase.der)
        #expect(decoded.value(1719) == [0x02, 0x01, 0x01])
        #expect(try decoded.text(1721) == "loyal")
        #expect(decoded.value(1722) == [0x02, 0x01, 0x00])
    }
}

struct `A device` {
    @Test func `writes itself as manifests do`() {
        #expect(Samples.phone.text == "10111213-1415-1617-1819-1A1B1C1D1E1F")
        #expect(Samples.mac.text == "a4:83:e7:01:02:03")
    }
}
