import Checks
public import Encodings
import Inputs
import Receipts

/// The pages of the App Store Server API's answers that say that there are more, without a page after them.
///
/// Nobody signed that a page has a next one, so it is only told.
public struct MissingPages: Sendable, Codable {
    public fileprivate(set) var count = 0
    /// The first of them.
    public fileprivate(set) var first: ExactText?

    mutating func add(_ count: Int, from place: ExactText?) {
        self.count = self.count.addingSaturating(count)
        first = first ?? place
    }

    static func += (pages: inout MissingPages, other: MissingPages) { pages.add(other.count, from: other.first) }
}

/// A page of an answer.
struct AnswerPage: Sendable {
    let isLast: Bool
    let isOfCustomer: Bool
    let source: ExactText
    /// Identifies the customer whose transactions it has; `nil` if its tokens do not name one.
    let customer: UInt64?

    /// - Parameter facts: those of the tokens in it.
    init(_ page: EvidenceText.Page, _ source: ExactText, _ facts: ArraySlice<Facts>) {
        isLast = page.isLast
        isOfCustomer = page.isOfCustomer
        self.source = source
        let names = facts.lazy.filter { $0.verdict == .valid }.compactMap {
            $0.token?.appTransactionID ?? $0.token?.appAccountToken
        }
        customer = page.isOfCustomer ? names.first?.utf8.span.stableHash : nil
    }
}

/// Finds the pages without their next ones, from all pages in their order.
///
/// The pages of a customer belong together wherever they are. Of others, only the order tells: a page continues the one
/// before it.
struct AnswerPages {
    /// The first page of each customer that has more, and whether the last one is here.
    private var customers: [UInt64: (first: ExactText?, hasLast: Bool)] = [:]
    private var open: [Bool: ExactText] = [:]
    private static let maxCustomers = 1 << 20

    mutating func add(_ page: AnswerPage) {
        if let customer = page.customer {
            guard customers[customer] != nil || customers.count < Self.maxCustomers else { return }
            var known = customers[customer] ?? (nil, false)
            if page.isLast { known.hasLast = true } else { known.first = known.first ?? page.source }
            customers[customer] = known
        } else {
            open[page.isOfCustomer] = page.isLast ? nil : page.source
        }
    }

    /// The pages without their next ones.
    var missing: MissingPages {
        let places = customers.values.compactMap { $0.hasLast ? nil : $0.first } + open.values
        var missing = MissingPages()
        missing.add(places.count, from: places.min())
        return missing
    }
}
