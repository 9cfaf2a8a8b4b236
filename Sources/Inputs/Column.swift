/// What a column of a table, or a key of a JSON object, says of a claim.
enum Column: String, CaseIterable {
    case file
    case receiptData = "receipt_data"
    case deviceID = "device_id"
    case accountID = "account_id"
    case bundleID = "bundle_id"
    case appVersion = "app_version"
    case productID = "product_id"
    case presentedAt = "presented_at"

    /// The column with this name, whatever its case. `receipt-data` was the key in verifyReceipt's requests.
    init?(name: String) {
        let name = name.lowercased()
        self.init(rawValue: name == "receipt-data" ? "receipt_data" : name)
    }
}
