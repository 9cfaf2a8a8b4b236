import DER
import Encodings
import Inputs
import SampleStore
import Testing

@testable import Checks

/// Every check that can be made is made, also of a receipt that lacks something.
struct `Of an incomplete receipt` {
    private let authority: PrivateAuthority

    init() throws { authority = try PrivateAuthority() }

    private static let date = AttributeContent(12, date: Samples.created)

    @Test(
        arguments: [
            ("no date", [.leaveOut(12)], [.chainExpired]),
            ("two dates", [.add(date)], [.chainExpired]),
            ("no version", [.leaveOut(3)], [.appVersionMismatch]),
            ("a version that is no text", [.replace(3, with: [0x0c, 1, 0xff])], [.appVersionMismatch]),
            ("no opaque value", [.leaveOut(4)], [.guidMismatch]),
            ("a short hash", [.replace(5, with: [1, 2, 3])], [.guidMismatch]),
            ("two bundle ids", [.add(AttributeContent(2, text: "a.b"))], [.guidMismatch, .bundleIDMismatch]),
            ("an environment that is no text", [.replace(0, with: [0x0c, 1, 0xff])], [.environmentMismatch]),
            ("an end in words", [.add(AttributeContent(21, value: DERWriter.ia5String("never")))], [.receiptExpired]),
        ] as [(String, [AttributeEdit], CheckSet)])
    func `only what hangs on the missing part stays unchecked, with`(
        name: String, edits: [AttributeEdit], unchecked: CheckSet
    ) throws {
        let facts = try facts(edits)
        #expect(facts.failed == [.malformedReceipt])
        #expect(facts.notChecked == unchecked)
        #expect(facts.receipt == nil)
    }

    @Test func `a strange device fails, if only the date is missing`() throws {
        let other = ExactText(SampleDevice.vendorIdentifier(Array(0x20...0x2f)).text)
        let facts = try facts([.leaveOut(12)]) { $0.deviceID = other }
        #expect(facts.failed == [.malformedReceipt, .guidMismatch])
        #expect(facts.deviceHash == .mismatch)
    }

    @Test func `another app and version than claimed fail, if only the hash is missing`() throws {
        let facts = try facts([.leaveOut(5)]) {
            $0.bundleID = "com.example.other"
            $0.appVersion = "0.1"
        }
        #expect(facts.failed == [.malformedReceipt, .bundleIDMismatch, .appVersionMismatch])
    }

    @Test func `an environment that is not allowed fails`() throws {
        let facts = try facts([.leaveOut(12)], expecting: { $0.environments = ["Xcode"] })
        #expect(facts.failed == [.malformedReceipt, .environmentMismatch])
    }

    @Test func `an end before as-of fails`() throws {
        let end = AttributeContent(21, date: Samples.asOf.adding(seconds: -1))
        #expect(try facts([.leaveOut(3), .add(end)]).failed == [.malformedReceipt, .receiptExpired])
    }

    @Test func `the chain is judged at its date, if that is there`() throws {
        let old = Samples.receipt.with {
            $0.createdAt = .utc(1999)
            $0.edits = [.leaveOut(3)]
        }
        let checker = try Samples.checker(trusting: authority.root.certificate)
        #expect(checker.codes(try authority.receipt(old)) == "chain-expired;malformed-receipt")
    }

    @Test func `a broken purchase fails as it does in a whole one`() throws {
        let receipt = Samples.receipt.with { content in
            content.edits = [.leaveOut(12)]
            content.purchases.append(content.purchases[0].with { $0.edits = [.leaveOut(1702)] })
        }
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let facts = checker.facts(try authority.receipt(receipt))
        #expect(facts.failed == [.malformedReceipt, .malformedInAppPurchase])
        #expect(facts.purchaseCount == 1)
    }

    @Test func `what can be read is shown`() throws {
        let facts = try facts([.leaveOut(5)])
        #expect(facts.bundleID == ExactText(Samples.receipt.bundleID))
        #expect(facts.environment == "Production")
        #expect(facts.createdAt == Samples.created)
        #expect(facts.purchaseCount == Samples.receipt.purchases.count)
    }

    @Test func `nothing is believed of what ends in the middle`() throws {
        var container = try authority.sign(Samples.receipt)
        container.content = DERWriter.element(
            .set, AttributeContent(2, text: "com.example.notes").der, DERWriter.integer(1))
        let facts = try Samples.checker(trusting: authority.root.certificate).facts(container.encoded)
        #expect(facts.bundleID == nil)
        #expect(facts.notChecked.contains(.bundleIDMismatch))
    }

    /// The facts of the sample claim, with these edits of its receipt. Every check that a run can ask for is asked for.
    private func facts(
        _ edits: [AttributeEdit], claiming edit: (inout Claim) -> Void = { _ in },
        expecting change: (inout Expectations) -> Void = { _ in }
    ) throws -> Facts {
        var claim = Samples.claim
        edit(&claim)
        let checker = try Samples.checker(trusting: authority.root.certificate) {
            $0.environments = ["Production"]
            change(&$0)
        }
        return checker.facts(try authority.receipt(Samples.receipt.with { $0.edits = edits }), claim)
    }
}
