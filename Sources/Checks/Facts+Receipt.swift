public import Encodings
public import Receipts

/// What the receipt says, whole or not; `nil` where it says nothing that can be read.
extension Facts {
    public var bundleID: ExactText? { receipt?.bundleID ?? fields?.bundleID }

    public var appVersion: ExactText? { receipt?.appVersion ?? fields?.appVersion }

    public var environment: ExactText? { receipt?.environment ?? fields?.environment }

    public var originalAppVersion: ExactText? { receipt?.originalAppVersion ?? fields?.originalAppVersion }

    public var createdAt: Instant? { receipt?.createdAt ?? fields?.createdAt }

    public var expiresAt: Instant? { receipt?.expiresAt ?? fields?.expiresAt }

    /// The purchases that can be read; `nil` if there is not even a SET of attributes.
    public var purchases: [Purchase]? { receipt?.purchases ?? fields?.purchases }

    public var purchaseCount: Int? { purchases?.count }

    public var deviceHashInput: Receipt.DeviceHashInput? { receipt?.deviceHashInput ?? fields?.deviceHashInput }

    var purchaseError: ReceiptError? { receipt?.purchaseError ?? fields?.purchaseError }

    /// Why there is no whole receipt, if there is content.
    var receiptError: ReceiptError? {
        switch fault {
        case .receipt(let error) where receipt == nil: error
        case .incompleteReceipt(let error, _): error
        default: nil
        }
    }

    private var fields: ReceiptFields? {
        guard case .incompleteReceipt(_, let fields) = fault else { return nil }
        return fields
    }
}
