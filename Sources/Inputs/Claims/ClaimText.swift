internal import Encodings

extension Claim {
    /// Sets what a cell or a JSON value says, without the blanks around it.
    mutating func set(_ column: Column, in arena: ByteArena, _ cell: Range<Int>) throws(InputFault) {
        try set(column, arena.span(cell))
    }

    mutating func set(_ column: Column, _ text: Span<UInt8>) throws(InputFault) {
        let text = text.withoutBlanks
        switch column {
        case .file: file = try ExactText(checking: text, column)
        case .deviceID: deviceID = try ExactText(checking: text, column)
        case .accountID: accountID = try ExactText(checking: text, column)
        case .bundleID: bundleID = try ExactText(checking: text, column)
        case .appVersion: appVersion = try ExactText(checking: text, column)
        case .productID: productID = try ExactText(checking: text, column)
        case .presentedAt:
            guard text.count > 0 else { return }
            guard let instant = Instant(rfc3339: text) else {
                throw InputFault(.rowMalformed, "presented_at is not an RFC 3339 date and time")
            }
            presentedAt = instant
        case .receiptData: break
        }
    }
}

extension ExactText {
    /// Text that must be UTF-8.
    fileprivate init(checking text: Span<UInt8>, _ column: Column) throws(InputFault) {
        do {
            self.init(String(copying: try UTF8Span(validating: text)))
        } catch {
            throw InputFault(.rowMalformed, "\(column.name) is not UTF-8")
        }
    }
}

extension String {
    /// The name of a column that is not ours.
    init(blanklessName name: [UInt8]) { self.init(repairing: name.span.withoutBlanks) }

    /// Text that may be anything, as file names may; what is not UTF-8 becomes U+FFFD.
    init(repairing text: Span<UInt8>) {
        if let text = try? UTF8Span(validating: text) {
            self.init(copying: text)
        } else {
            self.init(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        }
    }
}
