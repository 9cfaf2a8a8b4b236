import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Reports
import Rules

/// A claim's row of the table `receipts`, on its way from map to reduce.
struct ReceiptRow {
    private var source: ExactText = ""
    private var file: ExactText = ""
    private var deviceID: ExactText = ""
    private var accountID: ExactText = ""
    private var verdict: ExactText = ""
    private var failed: ExactText = ""
    private var guid: ExactText = ""
    private var receipt: ReceiptCells?
    private var signature: SignatureCells?
    /// What the rules say of the claim by itself; more is added when its marks are known.
    var rules = MarkedRules()

    /// The cells that are empty if there is nothing of a receipt.
    private struct ReceiptCells {
        var environment: ExactText = ""
        var bundleID: ExactText = ""
        var appVersion: ExactText = ""
        var originalAppVersion: ExactText = ""
        var createdAt: Instant?
        var expiresAt: Instant?
        var purchases: Int
    }

    /// The cells that are empty without a signature.
    private struct SignatureCells {
        var signer: ExactText
        var digest: ExactText
        var contentDigest: [UInt8]
    }

    /// What there is in a line.
    private struct Flags: OptionSet {
        let rawValue: Int

        static let isNamedByLine = Flags(rawValue: 1)
        static let hasReceipt = Flags(rawValue: 2)
        static let hasExpiry = Flags(rawValue: 4)
        static let hasSignature = Flags(rawValue: 8)
        static let hasCreation = Flags(rawValue: 16)
    }

    /// Writes the fields of a claim's row.
    static func write(_ facts: Facts, _ place: ClaimPlace, _ rules: MarkedRules, to line: inout LineWriter) {
        let name = SourceName(facts.claim.source, place)
        var flags: Flags = name.isNamedByLine ? .isNamedByLine : []
        if facts.purchaseCount != nil { flags.insert(.hasReceipt) }
        if facts.createdAt != nil { flags.insert(.hasCreation) }
        if facts.expiresAt != nil { flags.insert(.hasExpiry) }
        if facts.signature != nil { flags.insert(.hasSignature) }
        line.number(flags.rawValue)
        line.text(name.text)
        line.text(facts.claim.file)
        line.text(facts.claim.deviceID)
        line.text(facts.claim.accountID)
        line.text(facts.verdict.rawValue)
        line.text(facts.failed.description)
        line.text(facts.deviceHash.rawValue)
        if let purchases = facts.purchaseCount {
            for text in [facts.environment, facts.bundleID, facts.appVersion, facts.originalAppVersion] {
                line.text(text ?? "" as ExactText)
            }
            for case let date? in [facts.createdAt, facts.expiresAt] { line.instant(date) }
            line.number(purchases)
        }
        if let signature = facts.signature {
            line.text(signature.chain.signerSerialNumber)
            line.text(signature.digestAlgorithm?.rawValue ?? "")
            line.octets(signature.contentDigest.octets)
        }
        rules.write(to: &line)
    }

    init(at place: ClaimPlace, _ fields: inout LineFields) throws(LineFault) {
        let flags = Flags(rawValue: try fields.int())
        source = SourceName(text: try fields.text(), isNamedByLine: flags.contains(.isNamedByLine)).source(at: place)
        file = try fields.text()
        deviceID = try fields.text()
        accountID = try fields.text()
        verdict = try fields.text()
        failed = try fields.text()
        guid = try fields.text()
        if flags.contains(.hasReceipt) {
            receipt = ReceiptCells(
                environment: try fields.text(), bundleID: try fields.text(), appVersion: try fields.text(),
                originalAppVersion: try fields.text(),
                createdAt: flags.contains(.hasCreation) ? try fields.instant() : nil,
                expiresAt: flags.contains(.hasExpiry) ? try fields.instant() : nil, purchases: try fields.int())
        }
        if flags.contains(.hasSignature) {
            signature = SignatureCells(
                signer: try fields.text(), digest: try fields.text(), contentDigest: try fields.octets())
        }
        rules = try MarkedRules(&fields)
    }
}

extension ReceiptRow: TableRow {
    static let table = "receipts"
    static let columns = ReceiptsTable.columns

    func write(to row: inout some CellWriter) {
        row.text(source)
        row.text(file)
        row.text(deviceID)
        row.text(accountID)
        row.code(verdict.text)
        row.code(failed.text)
        row.code(rules.risk?.code ?? "")
        row.code(rules.ids)
        row.code(guid.text)
        for text in [receipt?.environment, receipt?.bundleID, receipt?.appVersion, receipt?.originalAppVersion] {
            if let text, !text.isEmpty { row.text(text) } else { row.empty() }
        }
        for date in [receipt?.createdAt, receipt?.expiresAt] {
            if let date { row.date(date) } else { row.empty() }
        }
        if let receipt { row.number(receipt.purchases) } else { row.empty() }
        if let signature {
            row.code(signature.signer.text)
            row.code(signature.digest.text)
            row.hex(signature.contentDigest.span)
        } else {
            for _ in 0..<3 { row.empty() }
        }
    }
}
