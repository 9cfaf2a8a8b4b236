package import Encodings
import Inputs
import Rules

/// Account ids that differ only in their form (``AccountSpelling``). Each is an account of its own, as people may choose
/// ids, but mostly an export has written one in two ways.
///
/// It looks at all accounts up to a limit, and beyond it at a sample that depends on the accounts alone.
public struct AccountSpellings: Sendable, Codable {
    /// The smallest ids of one spelling, in order: two are enough.
    private struct Forms: Mergeable, Sendable, Codable {
        var ids: [ExactText]

        mutating func add(_ other: Forms) { for id in other.ids { ids.insertSmallest(id, atMost: 2) } }
    }

    /// The number of spellings that are compared.
    private static let limit = 1024

    /// The ids by a hash of their spelling, which makes the sample a fair one.
    private var forms = BottomMap<UInt64, Forms>(limit: limit)
    /// The last id: many claims in a row have the same.
    private var last: ExactText = ""

    private enum CodingKeys: CodingKey {
        case forms
    }

    package init() {}

    package mutating func insert(_ account: ExactText) {
        guard !account.isEmpty, account != last, Placeholder.Form(account: account) == nil else { return }
        last = account
        let hash = AccountSpelling(account).folded.stableHash
        forms.update(hash, from: Forms(ids: [])) { $0.add(Forms(ids: [account])) }
    }

    package static func += (sum: inout AccountSpellings, other: AccountSpellings) { sum.forms.add(other.forms) }

    /// A sentence about the ids that differ only in form; none if there are none.
    public var sentences: [String] {
        let pairs = forms.sorted.map(\.value.ids)
            .filter { $0.count == 2 && AccountSpelling($0[0]) == AccountSpelling($0[1]) }
        guard !pairs.isEmpty else { return [] }
        return [
            "\(forms.isComplete ? "" : "at least ")\(counted(pairs.count, "account")) "
                + "\(pairs.count == 1 ? "is" : "are") written in more than one way: what differs only in case, in invisible"
                + " characters, in blanks around it or in a spreadsheet's ' or =\"…\" is two accounts, as people may choose"
                + " ids; if they are one, write it in one way"
        ]
    }
}
