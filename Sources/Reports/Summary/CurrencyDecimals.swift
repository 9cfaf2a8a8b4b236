import Encodings

/// The number of decimals of amounts in a currency, as people write them.
enum CurrencyDecimals {
    /// The currencies of ISO 4217 that have another number of decimals than two.
    private static let others: [String: Int] = {
        let none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
        let three = "BHD IQD JOD KWD LYD OMR TND"
        var decimals = ["CLF": 4, "UYW": 4]
        for (codes, count) in [(none, 0), (three, 3)] {
            for code in codes.split(separator: " ") { decimals[String(code)] = count }
        }
        return decimals
    }()

    static func count(of currency: ExactText) -> Int { others[currency.text] ?? 2 }

    /// Whether it has the form of a code of ISO 4217. Any other text is a token's, and untrusted.
    static func isCode(_ currency: ExactText) -> Bool {
        currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    }

    /// Returns an amount with the decimals of its currency and thousands separated: `1,234.50 USD`, `1,235 JPY`.
    ///
    /// - Parameter millionths: the amount in millionths of the unit; halves are rounded away from 0.
    static func text(_ millionths: Int64, _ currency: ExactText) -> String {
        guard isCode(currency) else { return Summary.Cell.groupedAmount(millionths) + " of no ISO currency" }
        let decimals = count(of: currency)
        let unit = (0..<(6 - decimals)).reduce(UInt64(1)) { size, _ in size * 10 }
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: unit)
        let digits = String(whole + (rest * 2 >= unit ? 1 : 0))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let isNegative = millionths < 0 && padded.contains { $0 != "0" }
        let number = (isNegative ? "-" : "") + grouped(Int(padded.dropLast(decimals)) ?? 0)
        return number + (decimals > 0 ? "." + padded.suffix(decimals) : "") + " " + currency.text
    }
}
