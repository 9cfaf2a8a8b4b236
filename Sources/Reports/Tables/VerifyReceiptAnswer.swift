import Checks
import Encodings
import Inputs
import Receipts

/// What verifyReceipt would have answered about a receipt ("responseBody", App Store Receipts), as far as the receipt
/// by itself proves it.
///
/// A field is present only if the receipt has its attribute and the attribute is not empty. Numbers are numbers only
/// where Apple's answers have numbers; everything else is text, including quantities and booleans.
struct VerifyReceiptAnswer {
    /// The codes of verifyReceipt that a receipt by itself can cause ("status").
    enum Status: Int {
        case valid = 0
        case malformed = 21002
        case notAuthenticated = 21003
        /// A test receipt, sent to production.
        case fromTestEnvironment = 21007
        /// A production receipt, sent to the test environment.
        case fromProduction = 21008
    }

    let status: Status
    private let environment: ExactText?
    private let listing: AttributeListing?

    /// - Parameter content: the receipt's content, if the facts do not have it.
    init(_ facts: Facts, content: [UInt8]? = nil) {
        status = Status(facts)
        environment = facts.environment
        let content = content ?? facts.content
        listing = status == .valid ? content.map { AttributeListing(of: $0.span) } : nil
    }

    var json: JSONBuilder {
        var json = JSONBuilder()
        json.object { answer in
            answer.member("status", status.rawValue)
            guard let listing else { return }
            if let name = environment?.storeEnvironment { answer.member("environment", name) }
            answer.name("receipt")
            answer.object { AnsweredReceipt(listing).write(to: &$0) }
        }
        return json
    }
}

extension VerifyReceiptAnswer.Status {
    /// If one of these checks fails, Apple did not sign the receipt in its present form.
    private static let ofAuthenticity: [Check] = [
        .noncanonicalContainer, .signatureInvalid, .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore,
    ]

    init(_ facts: Facts) {
        if facts.verdict == .unreadable {
            self = .malformed
        } else if Self.ofAuthenticity.contains(where: facts.failed.contains) {
            self = .notAuthenticated
        } else if facts.failed.contains(.malformedReceipt) || facts.failed.contains(.malformedInAppPurchase) {
            self = .malformed
        } else if !facts.isSigned {
            self = .notAuthenticated
        } else if facts.failed.contains(.environmentMismatch) {
            self = facts.environment?.storeEnvironment == "Production" ? .fromProduction : .fromTestEnvironment
        } else {
            self = .valid
        }
    }
}

extension ExactText {
    /// The environment in verifyReceipt's answer for this `receipt_type`; `nil` if Apple's server did not know the
    /// name.
    fileprivate var storeEnvironment: String? {
        switch self {
        case "Production", "ProductionVPP": "Production"
        case "ProductionSandbox", "ProductionVPPSandbox": "Sandbox"
        default: nil
        }
    }
}

/// The member `receipt` of an answer, or a purchase in its `in_app`: attributes under Apple's names.
private struct AnsweredReceipt {
    /// The readings by attribute type. A repeated attribute is omitted, because readers disagree on which value counts.
    private var readings: [Int: AttributeReading] = [:]
    private var purchases: [AttributeListing] = []

    init(_ listing: AttributeListing) {
        for attribute in listing.attributes {
            if case .purchase(let purchase) = attribute.reading {
                purchases.append(purchase)
            } else {
                readings[attribute.type] = readings[attribute.type] == nil ? attribute.reading : .octets
            }
        }
    }

    func write(to json: inout JSONBuilder) {
        text(.environment, to: &json)
        // Attribute 1 has both names.
        if let number = number(AttributeType.appItemID.rawValue) {
            json.member("adam_id", number)
            json.member("app_item_id", number)
        }
        text(.bundleID, to: &json)
        text(.appVersion, to: &json)
        for type in [AttributeType.downloadID, .versionExternalIdentifier] {
            if let number = number(type.rawValue) { json.member(type.name, number) }
        }
        for type in [AttributeType.createdAt, .originalPurchaseDate, .expiresAt, .preorderDate] {
            if let date = date(type.rawValue) { json.dates(type.name, date) }
        }
        text(.originalAppVersion, to: &json)
        json.name("in_app")
        json.array(of: purchases) { purchase, json in
            json.object { AnsweredReceipt(purchase).writePurchase(to: &$0) }
        }
    }

    private func writePurchase(to json: inout JSONBuilder) {
        if let quantity = number(PurchaseAttributeType.quantity.rawValue) { json.member("quantity", String(quantity)) }
        text(.productID, to: &json)
        text(.transactionID, to: &json)
        text(.originalTransactionID, to: &json)
        for type in [PurchaseAttributeType.purchaseDate, .originalPurchaseDate, .expiresDate, .cancellationDate] {
            if let date = date(type.rawValue) { json.dates(type.name, date) }
        }
        if let reason = number(PurchaseAttributeType.cancellationReason.rawValue) {
            json.member("cancellation_reason", String(reason))
        }
        if let item = number(PurchaseAttributeType.webOrderLineItemID.rawValue), item != 0 {
            json.member("web_order_line_item_id", String(item))
        }
        for type in [PurchaseAttributeType.isTrialPeriod, .isInIntroOfferPeriod] {
            if let flag = number(type.rawValue) { json.member(type.name, flag == 0 ? "false" : "true") }
        }
        text(.promotionalOfferID, to: &json)
    }

    private func text(_ type: AttributeType, to json: inout JSONBuilder) {
        if let text = text(type.rawValue) { json.member(type.name, text) }
    }

    private func text(_ type: PurchaseAttributeType, to json: inout JSONBuilder) {
        if let text = text(type.rawValue) { json.member(type.name, text) }
    }

    private func text(_ type: Int) -> String? {
        guard case .text(let text)? = readings[type] else { return nil }
        return text.text
    }

    private func number(_ type: Int) -> Int? {
        guard case .number(let number)? = readings[type] else { return nil }
        return number
    }

    private func date(_ type: Int) -> Instant? {
        guard case .date(let date, _)? = readings[type] else { return nil }
        return date
    }
}
