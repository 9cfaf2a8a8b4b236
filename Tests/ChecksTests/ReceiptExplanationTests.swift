import DER
import Encodings
import SampleStore
import Testing

@testable import Checks

struct `An explanation of a receipt` {
    @Test(
        arguments: [
            ([.leaveOut(12)], "attribute 12, receipt_creation_date, is missing, or empty."),
            (
                [.replace(12, with: DERWriter.ia5String("May"))],
                "attribute 12, receipt_creation_date, is malformed: not an RFC 3339 date (its octets are 16034d6179)."
            ),
            (
                [.replace(3, with: [0x0c, 0x01, 0xff])],
                "attribute 3, application_version, is malformed: not UTF-8 text (its octets are 0c01ff)."
            ),
            (
                [.replace(5, with: [1, 2, 3])],
                "attribute 5, sha1_hash, is malformed: not the 20 octets of a SHA-1 hash (its octets are 010203)."
            ),
            (
                [.replace(2, with: DERWriter.ia5String("a"))],
                "attribute 2, bundle_id, is malformed: an element of another type "
                    + "(its octets are 160161)."
            ),
            ([.add(AttributeContent(2, text: "com.example.other"))], "attribute 2, bundle_id, occurs twice."),
        ] as [([AttributeEdit], String)])
    func `names the attribute, and what is wrong with it`(edits: [AttributeEdit], flaw: String) throws {
        let reason = try Inspecting.inspect(edits: edits).reason(.malformedReceipt)
        #expect(reason == "The receipt is malformed: " + flaw)
    }

    @Test func `says what cannot be judged for want of an attribute, and judges the rest`() throws {
        let inspection = try Inspecting.inspect(edits: [.leaveOut(5)])
        #expect(
            inspection.reason(.guidMismatch, .notChecked)
                == "The receipt's value is missing or unreadable.")
        #expect(
            inspection.reason(.bundleIDMismatch, .notChecked)
                == "No bundle id was claimed; the receipt's is “com.example.notes”.")
    }

    @Test func `shows the place of what is no attribute`() throws {
        let good = AttributeContent(2, text: "com.example.notes").der
        let content = DERWriter.element(.set, good, DERWriter.integer(1))
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        container.content = content
        #expect(
            try Inspecting.inspect(container.encoded).reason(.malformedReceipt)
                == "The content is not a receipt: its element at byte \(2 + good.count) is not an attribute: "
                + "it is or contains an element of another type.")
    }

    @Test func `says what content looks like that is none`() throws {
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        container.content = Array("{\"bundle_id\": \"com.example.notes\"}".utf8)
        let reason = try Inspecting.inspect(container.encoded).reason(.unknownFormat)
        #expect(
            reason
                == "It is signed JSON, not a proof of purchase, and no signature of a trusted authority holds over it.")
    }

    @Test func `says that it comes from the future`() throws {
        let receipt = Inspecting.receipt.with { $0.createdAt = .utc(2026, 1, 3) }
        let reason = try Inspecting.inspect(PrivateAuthority().receipt(receipt)).reason(.malformedReceipt)
        #expect(
            reason == "It says that it was created on 2026-01-03T00:00:00Z, more than a day after 2026-01-01T00:00:00Z."
        )
    }

    @Test func `names the purchase that cannot be read, and why`() throws {
        let broken = Inspecting.purchase.with { $0.edits = [.leaveOut(1703)] }
        let receipt = Inspecting.receipt.with { $0.purchases = [broken] }
        let inspection = try Inspecting.inspect(PrivateAuthority().receipt(receipt))
        let flaw = "attribute 1703, transaction_id, is missing, or empty."
        #expect(inspection.reason(.malformedInAppPurchase) == "Purchase 1 of 1 cannot be read: " + flaw)
    }
}
