package import Encodings
import Receipts

extension ExactText {
    /// An untrusted id in the form in which it is compared and reported: whole, or its beginning and a hash if it is
    /// longer than any real id.
    package var boundedID: ExactText {
        guard utf8.count > 256 else { return self }
        // Two hashes, so that two long ids do not collide by accident.
        let reversed = Array(utf8.reversed())
        let hashes = String(stableHash, radix: 16) + String(reversed.span.stableHash, radix: 16)
        return "\(String(decoding: utf8.prefix(64), as: UTF8.self))…\(hashes)"
    }
}

extension Purchase {
    /// Returns a purchase in the form for evidence texts: `“gold” (transaction 460000000000001, bought on …)`.
    func named(_ details: String) -> String {
        "“\(productID.boundedID)” (transaction \(transactionID.boundedID), \(details))"
    }
}

extension Array {
    /// Returns the first ten elements as text: `a, b and 3 more`.
    ///
    /// - Parameter total: the total number; if it is not a number, the text ends with `and many more`.
    func listed(of total: String? = nil, by separator: String = ", ", _ text: (Element) -> String) -> String {
        let limit = 10
        let words = prefix(limit).map(text).joined(separator: separator)
        guard count > limit else { return words }
        return words + " and \(total.flatMap(Int.init).map { String($0 - limit) } ?? "many") more"
    }

    /// Returns the first ten elements as text, for an array that has all of them.
    func listedOfAll(by separator: String = ", ", _ text: (Element) -> String) -> String {
        listed(of: String(count), by: separator, text)
    }
}
