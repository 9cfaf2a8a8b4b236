import Checks
import Encodings
package import Inputs
import Subscriptions

/// How many claims name an account, and how many of those names have a form that may stand for many accounts at once.
///
/// Only the counts of all claims decide what such a text is: a few people may choose it as a name, and must not lose
/// their account by it.
public struct AccountForms: Sendable, Codable {
    /// The number of claims that name an account.
    private var named = 0
    private var forms = KindCounts<Placeholder.Form>()
    /// The numbers in E notation by exponent. The ids of a company have nearly equal lengths, and those that people make
    /// up to look like such numbers need not.
    private var exponents: [Int: Int] = [:]

    /// A form with fewer claims is never a placeholder.
    private static let minCount = 20
    /// A form that less than one in so many accounts has is never a placeholder.
    private static let minShare = 10

    package init() {}

    /// Whether no claim names an account.
    public var isEmpty: Bool { named == 0 }

    mutating func count(_ claim: Claim) {
        let account = claim.account
        guard !account.isEmpty else { return }
        named = named.addingSaturating(1)
        guard let form = Placeholder.Form(account: account) else { return }
        forms.add(form)
        if let exponent = Placeholder.exponent(of: account) { exponents[exponent, default: 0] += 1 }
    }

    package static func += (sum: inout AccountForms, other: AccountForms) {
        sum.named = sum.named.addingSaturating(other.named)
        sum.forms += other.forms
        sum.exponents.merge(other.exponents) { $0.addingSaturating($1) }
    }

    /// The forms that are no accounts.
    package var placeholders: AccountPlaceholders {
        AccountPlaceholders(Set(frequent.filter(\.isPlaceholder).map(\.form)))
    }

    /// The number of claims whose account is none for its form.
    var placeholderCount: Int { frequent.reduce(0) { $1.isPlaceholder ? $0.addingSaturating($1.count) : $0 } }

    /// The forms of at least a tenth of all accounts.
    private var frequent: [(form: Placeholder.Form, count: Int, isPlaceholder: Bool)] {
        let least = named / Self.minShare + (named % Self.minShare > 0 ? 1 : 0)
        return forms.occurring.filter { $0.count >= least }.map { form, count in
            let alike = form == .number ? exponents.values.max() ?? 0 : count
            return (form, count, alike >= max(least, Self.minCount))
        }
    }

    /// A sentence for each form that many accounts have.
    public var sentences: [String] {
        frequent.map { form, count, isPlaceholder in
            let rows = "account_id of \(counted(count, "row"))"
            let meaning = isPlaceholder ? "names no account" : "may name no account, but counts as one"
            guard form == .number else {
                return "\(rows) is “\(form.rawValue)”, which \(meaning): leave such cells empty; in tables --null TEXT"
                    + " says so"
            }
            return "\(rows) is in E notation (\(form.rawValue)), which \(meaning): spreadsheets write long numbers this"
                + " way, and their digits are lost. Export the column as text"
        }
    }
}
