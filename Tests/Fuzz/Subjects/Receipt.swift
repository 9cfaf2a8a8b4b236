import DER
import Encodings
import Rules
import SampleStore

@testable import Checks
@testable import Engine
@testable import Inputs
@testable import Proofs
@testable import Receipts
@testable import Streams

/// The content of receipts, as if Apple had signed it: attributes, purchases, what is shown, and the way to the rules.
struct ReceiptSubject: Subject {
    private let checker: Checker
    /// A verdict on a genuine receipt, instead of one on a container that nobody signed.
    private let genuine: SignatureVerdict
    private let container: SignedDataContent
    private let settings: StreamSettings

    init() throws {
        let trust = try Settings.trust()
        checker = try Checker(trust: trust, expectations: Expectations(asOf: Settings.asOf))
        container = try PrivateAuthority().sign(Settings.receipt)
        guard let genuine = checker.facts(of: Settings.claim, receipt: container.encoded.span).signature else {
            fatalError("the sample receipt is not read")
        }
        self.genuine = genuine
        settings = Settings.stream(trust)
    }

    func read(_ content: [UInt8]) {
        let receipt = try? Receipt(parsing: content.span)
        let fields = ReceiptFields(legibleIn: content.span)
        if let receipt {
            guard let fields else { return demand(false, "a receipt without legible fields") }
            compare(receipt, fields)
        }
        compare(AttributeListing(of: content.span), hasFields: fields != nil)
        for purchase in fields?.purchases ?? [] { carry(purchase) }
        let facts = facts(of: content, receipt)
        carry(facts)
    }

    /// Content that is a receipt says the same to those who read what they can.
    private func compare(_ receipt: Receipt, _ fields: ReceiptFields) {
        demand(fields.bundleID == receipt.bundleID, "another bundle id")
        demand(fields.appVersion == receipt.appVersion, "another version")
        demand(fields.createdAt == receipt.createdAt && fields.expiresAt == receipt.expiresAt, "other dates")
        demand(fields.environment == receipt.environment, "another environment")
        demand(fields.originalAppVersion == receipt.originalAppVersion, "another original version")
        demand(fields.purchases == receipt.purchases, "other purchases")
        demand(fields.purchaseError == receipt.purchaseError, "another reason")
        let (a, b) = (fields.deviceHashInput, receipt.deviceHashInput)
        demand(
            a?.hash == b.hash && a?.opaqueValue == b.opaqueValue && a?.bundleIDOctets == b.bundleIDOctets,
            "another device")
    }

    /// A listing leaves nothing out; it finds something that cannot be read exactly where no field can be.
    private func compare(_ listing: AttributeListing, hasFields: Bool) {
        demand(listing.unreadable.isEmpty == hasFields, "the listing and the fields disagree on what can be read")
    }

    /// A purchase is read from a record as it was written.
    private func carry(_ purchase: Purchase) {
        for key in ["", purchase.transactionID, purchase.originalTransactionID ?? "x"] {
            for product in ["", purchase.productID] {
                var (written, record) = (purchase, RecordWriter())
                written.code(&record, after: product, underTransaction: key)
                let bytes = record.bytes
                var fields = RecordReader(bytes.span)
                var read = Purchase(productID: "", transactionID: "", purchaseDate: purchase.purchaseDate)
                do throws(RecordError) {
                    try read.code(&fields, after: product, underTransaction: key)
                    try fields.end()
                } catch {
                    return demand(false, "a purchase's record cannot be read")
                }
                demand(read == purchase, "another purchase in a record")
            }
        }
    }

    /// Checks the content in an unsigned container, and makes it genuine.
    private func facts(of content: [UInt8], _ receipt: Receipt?) -> Facts {
        var container = container
        container.content = content
        let bytes = container.encoded
        if content.choice(of: 16) == 0 { checkShown(checker.inspection(of: Settings.claim, receipt: bytes)) }
        var facts = checker.facts(of: Settings.claim, receipt: bytes.span)
        demand((facts.receipt == nil) == (receipt == nil), "in a container it is read otherwise")
        guard let found = facts.signature else { return facts }
        facts.signature = SignatureVerdict(
            signature: .holds, chain: genuine.chain, digestAlgorithm: genuine.digestAlgorithm,
            contentDigest: found.contentDigest, deviation: nil)
        var failed = CheckSet()
        for check in facts.failed.sorted where check != .signatureInvalid && check != .chainExpired {
            failed.insert(check)
        }
        facts.failed = failed
        return facts
    }

    /// What is written of a claim for those who reduce is what they read.
    private func carry(_ facts: Facts) {
        guard let emitter = try? LineEmitter(settings, input: 0) else { return demand(false, "nothing can be hashed") }
        emitter.emit(facts, by: settings.rules)
        let lines = try? emitter.end()
        demand(lines.map { ReduceLines.isReduced($0, settings) } == true, "lines of a claim are refused")
    }
}
