public import Encodings

/// A table of the summary, with its definition beside it.
public struct Figure: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        /// A stranger's text: an app or a product.
        case text(ExactText)
        /// A word of ours.
        case code(String)
        case month(Month)
        case number(Int)
        /// So many of so many. The part may be negative, or greater than the whole.
        case share(Int, of: Int)
        /// In millionths of the currency's unit, held at the ends of the range.
        case money(millionths: Int64, currency: ExactText)
    }

    /// Names the figure in files, and never changes.
    public let id: String
    public let title: String
    public let definition: String
    /// The names of the columns, in snake case.
    public let columns: [String]
    public let rows: [[Value]]
    /// What columns or rows count, by name.
    public var terms: [Term] = []
    /// How many of the first columns say together what a row is about.
    public var keys = 1

    public struct Term: Sendable, Equatable {
        /// A column in snake case, or the first cell of a row.
        public let name: String
        public let meaning: String
    }
}

extension Figure.Value {
    /// A share in thousandths, rounded to the nearest, halves away from 0; `nil` for other values, and of nothing.
    public var thousandths: Int? {
        guard case .share(let part, let whole) = self, whole > 0 else { return nil }
        let magnitude = (Int128(part.magnitude) * 2000 + Int128(whole)) / (2 * Int128(whole))
        return Int(clamping: part < 0 ? -magnitude : magnitude)
    }
}
