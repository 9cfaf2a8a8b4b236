import Encodings

/// Values of columns and keys that are not read.
///
/// They are examined in the first rows of each INPUT, and in few of the others, so that they cost nothing.
public struct UnknownValues: Sendable {
    private var profiles: [ExactText: ValueProfile] = [:]
    /// The names with a value that is no id: with blanks, or not of letters and digits.
    private var others: Set<ExactText> = []

    /// The rows that are examined where a name had a value: those with another value for a kind, and those without.
    private var beside: [ExactText: [LikelyColumn: (read: Int, gaps: Int)]] = [:]

    /// The names of keys inside of objects, joined by a dot.
    private var inner: Set<ExactText> = []

    /// Counts the texts and numbers in an object, if a command can name their keys as they are.
    mutating func add(inside member: SeenJSON.Member) {
        guard case .object(let members) = member.value, Self.isPlain(member.name) else { return }
        for one in members where Self.isPlain(one.name) {
            guard let value = one.value.characters else { continue }
            let name = "\(String(repairing: member.name.span)).\(String(repairing: one.name.span))"
            add(value.span, under: name)
            if profiles[ExactText(name)] != nil { inner.insert(ExactText(name)) }
        }
    }

    static func isPlain(_ name: [UInt8]) -> Bool {
        String(decoding: name, as: UTF8.self).wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    }

    /// Whether to examine a row, by its number or line.
    static func examines(_ row: Int) -> Bool { row <= 100 || row.isMultiple(of: 256) }

    init() {}

    /// The values of members under names of no column, without proofs.
    init(_ members: some Sequence<SeenJSON.Member>, besides names: ExportNames) {
        for member in members where names.column(named: member.name.span) == nil && !member.value.isProof {
            if let text = member.value.characters { add(text.span, under: String(repairing: member.name.span)) }
        }
    }

    mutating func add(_ value: Span<UInt8>, under name: String) {
        let name = ExactText(name)
        guard profiles.count < FirstNames.max || profiles[name] != nil else { return }
        profiles[name, default: ValueProfile()].add(value)
        if value.count > 0, !Self.mayBeID(value) { others.insert(name) }
    }

    /// Ends a row.
    ///
    /// - Parameters:
    ///   - names: the names with a value that is not read.
    ///   - kinds: the kinds with a value that is read.
    mutating func endRow(_ names: [String], beside kinds: Set<LikelyColumn>) {
        for name in names where profiles[ExactText(name)] != nil {
            for kind in LikelyColumn.allCases {
                var counts = beside[ExactText(name)]?[kind] ?? (0, 0)
                if kinds.contains(kind) { counts.read += 1 } else { counts.gaps += 1 }
                beside[ExactText(name), default: [:]][kind] = counts
            }
        }
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
        sum.inner.formUnion(other.inner)
        for (name, kinds) in other.beside {
            for (kind, counts) in kinds {
                let known = sum.beside[name]?[kind] ?? (0, 0)
                sum.beside[name, default: [:]][kind] = (known.read + counts.read, known.gaps + counts.gaps)
            }
        }
    }

    /// Says of each name that it has a value in rows where a kind has none, and in no others.
    private func gaps(_ lacking: [LikelyColumn]) -> [String] {
        beside.sorted { $0.key < $1.key }.compactMap { name, kinds in
            let known = ExportNames().column(named: name.utf8.span)?.column
            guard let profile = profiles[name],
                let kind = LikelyColumn.allCases.first(where: {
                    $0.column == known || known == nil && $0.isLike(name.text, profile)
                }), !lacking.contains(kind), let counts = kinds[kind], counts.gaps > 0, counts.read == 0
            else { return nil }
            return
                "“\(name.text)” (\(profile.seen)) is not read, and has a value in \(counted(counts.gaps, "row")) of those "
                + "examined where \(kind.rawValue) has none: write both as one, such as "
                + "COALESCE(\(kind.rawValue), \(name.text)) AS \(kind.rawValue)"
        }
    }

    /// Returns the column or key that looks like a kind of value, a key inside of an object first.
    ///
    /// - Parameters:
    ///   - names: the unknown columns, in the order in which they were found; `nil` for all names.
    ///   - byNameAlone: whether a device must have the name of one.
    func name(_ kind: LikelyColumn, among names: [String]? = nil, byNameAlone: Bool = false) -> String? {
        let names = names ?? profiles.keys.sorted().map(\.text)
        func isLike(_ name: String) -> Bool {
            kind.isLike(name, profiles[ExactText(name)]) && (kind != .device || !byNameAlone || kind.isNamed(name))
        }
        return inner.sorted().first { isLike($0.text) }?.text ?? names.first(where: isLike)
    }

    /// Returns the member of an object of jq that reads a key as a kind of value; `nil` if its name has quotes.
    static func field(_ kind: LikelyColumn, _ name: String) -> String? {
        guard !name.contains(where: { "\"\\'".contains($0) }) else { return nil }
        let isPlain = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
            Self.isPlain(Array($0.utf8))
        }
        return "\(kind.rawValue): .\(isPlain ? name : "\"\(name)\"")"
    }

    private func mayBeIDs(_ name: String) -> Bool {
        profiles[ExactText(name)]?.main?.form == .text && !others.contains(ExactText(name))
    }

    /// The first key inside of an object that is certainly a device or an account, by its name or values.
    fileprivate var presenterKey: ExactText? {
        inner.sorted().first { name in
            let known = ExportNames().column(named: Array(name.text.replacing(".", with: "_").utf8).span)?.column
            let isDevice = LikelyColumn.device.isNamed(name.text) && profiles[name]?.main?.form == .uuid
            return known == .accountID || known == .deviceID || isDevice
        }
    }

    /// Returns a sentence for each column with proofs, and for each kind of value that no claim has, if one looks like it.
    fileprivate func sentences(
        _ names: [String], lacking: [LikelyColumn], byNameAlone: Bool, path: String
    ) -> [String] {
        let unread = names.compactMap { name -> String? in
            guard let profile = profiles[ExactText(name)], let form = profile.main?.form,
                form == .receipt || form == .token
            else { return nil }
            return "“\(name)” (\(profile.seen) in the examined rows) holds proofs and is not read: "
                + "--columns \(ShellText.argument("receipt_data=\(name)")) reads it instead"
        }
        let found = lacking.compactMap { kind in
            (name(kind, among: names, byNameAlone: byNameAlone)
                ?? (kind == .account ? names.first { mayBeIDs($0) } : nil)).map { (kind: kind, name: $0) }
        }
        let keys = found.filter { inner.contains(ExactText($0.name)) }
        var sentences = unread + gaps(lacking)
        guard keys.isEmpty else {
            // The command makes another file, so that it reads all of them.
            let fields = found.compactMap { Self.field($0.kind, $0.name) }.joined(separator: ", ")
            let named = found.map { "“\($0.name)”" }.joined(separator: ", ")
            let jq = ShellText.jq("(arrays | .[]), objects | . + {\(fields)}", path)
            let verb = found.count == 1 ? "looks like one" : "look like them"
            sentences.append(
                "no claim has \(found.map(\.kind.noun).joined(separator: " or ")), and \(named) \(verb): \(jq)")
            return sentences
        }
        return sentences
            + found.map { kind, name in
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

    var column: Column {
        switch self {
        case .device: .deviceID
        case .account: .accountID
        case .date: .presentedAt
        }
    }

    fileprivate var noun: String {
        switch self {
        case .device: "a device"
        case .account: "an account"
        case .date: "a date"
        }
    }

    private var words: [String] {
        switch self {
        case .device: ["device", "vendor", "idfv", "hardware", "install", "machine", "udid", "hwid"]
        case .account:
            [
                "user", "account", "customer", "member", "player", "login", "email", "uid", "subscriber", "distinctid",
                "owner", "person", "client", "buyer",
            ]
        case .date: ["time", "date", "created", "updated", "sent", "received", "stamp", "when", "event", "day"]
        }
    }

    fileprivate func isNamed(_ name: String) -> Bool {
        let bare = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
        return words.contains { bare.contains($0) }
            || self == .date && (bare == "ts" || name.lowercased().hasSuffix("_at"))
    }

    /// Whether a column may hold such values, by its name, and by its values if some were seen.
    fileprivate func isLike(_ name: String, _ profile: ValueProfile?) -> Bool {
        let isNamed = isNamed(name)
        guard let profile, let main = profile.main else { return isNamed }
        switch self {
        // Models and names of devices are shorter.
        case .device: return main.form == .uuid || isNamed && main.shortest >= 20
        case .account:
            return main.form == .email
                || isNamed && ![.date, .address].contains(main.form) && (main.form != .json || main.longest < 64)
        case .date:
            return main.form == .date
                || isNamed
                    && ([.transactionID, .hexadecimal].contains(main.form) || main.form == .json && main.longest < 64)
        }
    }
}

extension Omissions {
    /// Counts what the values under keys that are not read look like.
    mutating func examine(_ block: ClaimBlock) {
        guard block.shape == .lines else { return }
        let text = block.text
        for item in block.items where UnknownValues.examines(item.line) && !item.text.isEmpty {
            guard case .object(let members)? = SeenJSON.values(text.span(item.text), atMost: 1).values.first else {
                continue
            }
            let known = members.map { block.origin.names.column(named: $0.name.span) }
            for (member, known) in zip(members, known) { columnSearch.add(member.name.span, known) }
            let read = ExportNames.read(known)
            var others: [String] = []
            var kinds: Set<LikelyColumn> = []
            for (member, column) in zip(members, read) {
                if column == nil { unknownValues.add(inside: member) }
                guard let value = member.value.characters, !value.span.withoutBlanks.isEmpty,
                    member.value != .word(Array("null".utf8))
                else { continue }
                if let column {
                    if let kind = LikelyColumn.allCases.first(where: { $0.column == column }) { kinds.insert(kind) }
                } else {
                    others.append(String(repairing: member.name.span))
                    unknownValues.add(value.span, under: others[others.count - 1])
                }
            }
            unknownValues.endRow(others, beside: kinds)
        }
    }

    /// The sentences about columns that look like what no claim has.
    ///
    /// - Parameters:
    ///   - byNameAlone: whether a device must have the name of one: claims have UUIDs of devices under another.
    ///   - path: that of the INPUT, for commands.
    public func sentences(
        lacking: [LikelyColumn], byNameAlone: Bool = false, path: String = "INPUT"
    ) -> [String] {
        unknownValues.sentences(unknownColumns, lacking: lacking, byNameAlone: byNameAlone, path: path)
    }

    /// The first key inside of an object that is certainly a device or an account, and is not read.
    public var presenterKey: String? { unknownValues.presenterKey?.text }
}
