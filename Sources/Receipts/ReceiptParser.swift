extension Receipt {
    /// Reads a container's content: a SET of numbered attributes.
    ///
    /// Unknown attributes are skipped, as Apple asks of readers. Purchases that cannot be read are left out,
    /// and the first reason is kept in ``purchaseError``.
    ///
    /// - Throws: ``ReceiptError`` if it is not a receipt, or lacks what every receipt has.
    public init(parsing content: Span<UInt8>) throws(ReceiptError) {
        var fields = ReceiptFields()
        try AttributeReader.read(content) { attribute throws(ReceiptError) in try fields.read(attribute) }
        self = try fields.receipt()
    }
}
