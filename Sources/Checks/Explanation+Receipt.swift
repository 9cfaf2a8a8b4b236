import Encodings
import Inputs
import Receipts

/// What the receipt says, and what was claimed of it.
extension Explanation {
    func receiptSuccess(of check: Check) -> String {
        switch check {
        case .malformedReceipt: return "All that every receipt has is there; it was created on \(createdText)."
        case .malformedInAppPurchase:
            let count = facts.purchaseCount ?? 0
            return count == 0 ? "There are none." : "\(counted(count, "purchase")) can be read."
        case .deviceIDMalformed:
            let count = DeviceIdentifiers(facts.claim.deviceID).identifiers.count
            return count == 1 ? "It can be read." : "All \(count) alternatives can be read."
        case .guidMismatch:
            let hash = facts.deviceHashInput?.hash ?? []
            let device = devices.first { $0.hash == hash }
            return "The receipt's device hash is that of \(device?.name ?? "the device")."
        case .bundleIDMismatch: return "It is \(quoted(facts.bundleID ?? "")), as it should be."
        case .appVersionMismatch: return "It is \(quoted(facts.appVersion ?? "")), as claimed."
        case .environmentMismatch: return "\(quoted(facts.environment ?? "")) is allowed."
        default:
            guard let date = facts.expiresAt else { return "The receipt has no expiration date." }
            return "It expires on \(date), which is not before \(expectations.asOf)."
        }
    }

    func receiptFailure(of check: Check) -> String {
        let claim = facts.claim
        switch check {
        case .malformedReceipt: return malformedReceipt
        case .malformedInAppPurchase: return malformedPurchase
        case .deviceIDMalformed:
            return "\(quoted(claim.deviceID)) is neither a UUID nor a MAC address, nor several of them."
        case .guidMismatch: return deviceMismatch
        case .bundleIDMismatch:
            return mismatch(claim.bundleID, facts.bundleID, else: "is not that of one of our apps")
        case .appVersionMismatch:
            return mismatch(claim.appVersion, facts.appVersion, else: "is not what was claimed")
        case .environmentMismatch:
            return facts.environment.map { "\(quoted($0)) is not an environment that is allowed." }
                ?? "The receipt names no environment."
        default:
            return "It expired on \(facts.expiresAt?.description ?? ""), before \(expectations.asOf)."
        }
    }

    private var createdText: String { facts.createdAt?.description ?? "" }

    private func mismatch(_ claimed: ExactText, _ found: ExactText?, else fault: String) -> String {
        let found = found ?? ""
        return claimed.isEmpty || found == claimed
            ? "The receipt's \(quoted(found)) \(fault)."
            : "\(quoted(claimed)) was claimed, but the receipt's is \(quoted(found))\(difference(claimed, found))."
    }

    /// Where two texts differ that may look the same: the first scalars that are not equal, if one is not ASCII.
    private func difference(_ claimed: ExactText, _ found: ExactText) -> String {
        let scalars = zip(claimed.text.unicodeScalars, found.text.unicodeScalars)
        guard let index = scalars.enumerated().first(where: { $1.0 != $1.1 }),
            !index.element.0.isASCII || !index.element.1.isASCII
        else { return "" }
        let (first, second) = index.element
        return ": character \(index.offset + 1) is \(codePoint(first)) in the one, \(codePoint(second)) in the other"
    }

    /// `U+212A`.
    private func codePoint(_ scalar: Unicode.Scalar) -> String {
        "U+" + Hex.digits(scalar.value, count: 4).uppercased()
    }

    private var deviceMismatch: String {
        let hash = facts.deviceHashInput?.hash ?? []
        let expected = Hex.string(hash.span)
        let computed = devices.map { "that of \($0.name) would be \(Hex.string($0.hash.span))" }
        return "The receipt's device hash is \(expected), but \(computed.joined(separator: ", and "))."
    }

    private var malformedReceipt: String {
        guard let error = facts.receiptError else {
            return "It says that it was created on \(createdText), more than a day after \(expectations.asOf)."
        }
        let start = facts.purchaseCount == nil ? "The content is not a receipt" : "The receipt is not in order"
        guard let attributes else { return "\(start): \(error)." }
        return "\(start): \(AttributeFlaw(error, in: attributes))."
    }

    private var malformedPurchase: String {
        guard let error = facts.purchaseError else { return "A purchase cannot be read." }
        guard let attributes else { return "A purchase cannot be read: \(error)." }
        let values = attributes.purchases
        guard let index = values.firstIndex(where: { !$0.isPurchase }) else {
            return "A purchase cannot be read: \(error)."
        }
        let octets = values[index].octets
        let flaw = AttributeFlaw(error, in: AttributeListing(ofPurchase: octets.span))
        return "Purchase \(index + 1) of \(values.count) cannot be read: \(flaw)."
    }
}

extension AttributeListing {
    fileprivate var purchases: [ListedAttribute] {
        attributes.filter { $0.type == AttributeType.inAppPurchase.rawValue }
    }
}

extension ListedAttribute {
    fileprivate var isPurchase: Bool {
        do throws(ReceiptError) {
            _ = try Purchase(parsing: octets.span)
            return true
        } catch {
            return false
        }
    }
}
