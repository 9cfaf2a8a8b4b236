import Encodings

/// The first values of columns and keys that no name is known for.
///
/// They are examined only at the beginning of each INPUT, so that they cost nothing.
public struct UnknownValues: Sendable {
    private var profiles: [ExactText: ValueProfile] = [:]
    /// The names with a value that is no id: empty, with blanks, or not of letters and digits.
    private var others: Set<ExactText> = []

    /// The number of rows that are examined of each INPUT.
    static let rows = 20

    init() {}

    mutating func add(_ value: Span<UInt8>, under name: String) {
        let name = ExactText(name)
        guard profiles.count < FirstNames.max || profiles[name] != nil else { return }
        profiles[name, default: ValueProfile()].add(value)
        if !Self.mayBeID(value) { others.insert(name) }
    }

    /// Whether a value is short, without blanks, and has letters and digits.
    private static func mayBeID(_ value: Span<UInt8>) -> Bool {
        guard (3...64).contains(value.count) else { return false }
        var (hasDigit, hasLetter) = (false, false)
        for index in value.indices {
            switch value[index] {
            case 0x30...0x39: hasDigit = true
            case 0x41...0x5a, 0x61...0x7a: hasLetter = true
            case 0...0x20: return false
            default: break
            }
        }
        return hasDigit && hasLetter
    }

    static func += (sum: inout Self, other: Self) {
        for (name, profile) in other.profiles where sum.profiles.count < FirstNames.max || sum.profiles[name] != nil {
            sum.profiles[name, default: ValueProfile()] += profile
        }
        sum.others.formUnion(other.others)
    }

    /// Returns a sentence for each column with proofs, and for each kind of value that no claim has, if one looks like it.
    ///
    /// - Parameters:
    ///   - names: the unknown columns, in the order in which they were found.
    ///   - lacking: the columns without a value in all claims.
    func sentences(_ names: [String], lacking: [LikelyColumn]) -> [String] {
        let unread = names.compactMap { name -> String? in
            guard let profile = profiles[ExactText(name)], let form = profile.main?.form,
                form == .receipt || form == .token
            else { return nil }
            return "“\(name)” (\(profile.seen) in the first rows) holds proofs and is not read: "
                + "--columns \(ShellText.argument("receipt_data=\(name)")) reads it instead"
        }
        return unread
            + lacking.compactMap { kind in
                let found = names.first { kind.isLike($0, profiles[ExactText($0)]) }
                let id =
                    kind == .account
                    ? names.first { profiles[ExactText($0)]?.main?.form == .text && !others.contains(ExactText($0)) }
                    : nil
                guard let name = found ?? id else { return nil }
                let seen = profiles[ExactText(name)].map { $0.count > 0 ? " (\($0.seen))" : "" } ?? ""
                let columns = ShellText.argument("\(kind.rawValue)=\(name)")
                return "no claim has \(kind.noun), and “\(name)”\(seen) looks like one: --columns \(columns) reads it"
            }
    }
}

/// A column whose absence is worth a word, because rules need it.
public enum LikelyColumn: String, CaseIterable, Sendable {
    case device = "device_id"
    case account = "account_id"
    case date = "presented_at"

    fileprivate var noun: String {
        switch self {
        case .device: "a device"
        case .account: "an account"
        case .date: "a date"
        }
    }

    private var words: [String] {
        switch self {
        case .device: ["device", "vendor", "idfv", "hardware", "install", "machine", "udid"]
        case .account:
            [
                "user", "account", "customer", "member", "player", "login", "email", "uid", "subscriber", "distinctid",
                "owner", "person", "client", "buyer",
            ]
        case .date: ["time", "date", "created", "updated", "sent", "received", "stamp", "when", "event"]
        }
    }

    /// Whether a column may hold such values, by its name, and by its values if some were seen.
    fileprivate func isLike(_ name: String, _ profile: ValueProfile?) -> Bool {
        let bare = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
        let isNamed =
            words.contains { bare.contains($0) }
            || self == .date && (bare == "ts" || name.lowercased().hasSuffix("_at"))
        guard let profile, let main = profile.main else { return isNamed }
        switch self {
        case .device: return main.form == .uuid
        case .account: return main.form == .email || isNamed && ![.date, .json, .address].contains(main.form)
        case .date: return main.form == .date || isNamed && main.form == .transactionID
        }
    }
}

extension Omissions {
    /// Counts what the values under unknown keys look like, in the first lines of a block.
    mutating func examine(_ block: ClaimBlock) {
        guard block.shape == .lines, block.items.first?.line ?? 1 <= 1 else { return }
        let text = block.text
        for item in block.items.prefix(UnknownValues.rows) where !item.text.isEmpty {
            for case .object(let members) in SeenJSON.values(text.span(item.text), atMost: 1).values {
                for member in members where block.origin.names.column(named: member.name.span) == nil {
                    guard let value = member.value.characters else { continue }
                    unknownValues.add(value.span, under: String(repairing: member.name.span))
                }
            }
        }
    }

    /// The sentences about columns that look like what no claim has.
    public func sentences(lacking: [LikelyColumn]) -> [String] {
        unknownValues.sentences(unknownColumns, lacking: lacking)
    }
}
