import Rules

/// Makes a policy of a document, and goes on after what is wrong, to tell all of it at once.
struct PolicyReader {
    private(set) var problems: [PolicyError.Problem] = []

    /// The whole of it.
    mutating func policy(_ root: YAMLValue) -> Policy {
        var policy = Policy()
        let keys = ["version", "environments", "apps", "rules", "allow"]
        for entry in table(root, "a policy", keys: keys) {
            switch entry.key {
            case "version": readVersion(entry.value)
            case "environments": policy.environments = environments(entry.value)
            case "apps": policy.apps = apps(entry.value)
            case "rules": policy.rules = rules(entry.value)
            default: policy.allowances = allowances(entry.value)
            }
        }
        return policy
    }

    private mutating func readVersion(_ value: YAMLValue) {
        if value.text != "1" { refuse(value, "“version” must be 1, the one version there is") }
    }

    private mutating func environments(_ value: YAMLValue) -> Set<String> {
        let known = ["Production", "ProductionSandbox", "ProductionVPP", "ProductionVPPSandbox", "Sandbox", "Xcode"]
        let texts = texts(value, "environments", of: "environments", allowsEmpty: true)
        for (text, place) in texts where !known.contains(text) {
            // Others may come; the known ones are compared letter by letter, so they must be written so.
            guard let name = known.first(where: { $0.lowercased() == text.lowercased() }) else { continue }
            note(place, "the environment \(text.quoted) is written \(name.quoted)")
        }
        return Set(texts.map(\.text))
    }

    // MARK: What every part needs

    mutating func note(_ place: PolicyError.Place, _ message: String) {
        problems.append(PolicyError.Problem(place: place, message: message))
    }

    /// Notes that a value is not what it must be: “…, not …”.
    mutating func refuse(_ value: YAMLValue, _ expectation: String, hint: String = "") {
        let found =
            switch value.content {
            case .text(let text): ", not " + text.quoted
            case .empty: ", and is empty"
            case .list: ", not a list"
            case .table: ", not a table of keys"
            }
        note(value.place, expectation + found + hint)
    }

    /// The entries of a table; none if it is empty. Entries whose keys are not known are noted and left out.
    ///
    /// - Parameter keys: the keys there are; `nil` for any but the empty one.
    mutating func table(_ value: YAMLValue, _ name: String, keys: [String]? = nil) -> [YAMLEntry] {
        switch value.content {
        case .empty: return []
        case .table(let entries):
            return entries.filter { entry in
                if let keys { return isKnown(entry, "key", among: keys) }
                guard entry.key.isBlank else { return true }
                note(entry.place, "a key under \(name) must not be blank")
                return false
            }
        case .text, .list:
            refuse(value, "\(name) must be a table of keys")
            return []
        }
    }

    /// Whether a key is one of these; notes it if it is not.
    mutating func isKnown(_ entry: YAMLEntry, _ what: String, among keys: [String]) -> Bool {
        if keys.contains(entry.key) { return true }
        let known = keys.count > 8 ? "" : "; known: \(keys.joined(separator: ", "))"
        let near = Nearest.question(entry.key, among: keys)
        note(entry.place, "unknown \(what) \(entry.key.quoted)" + (near.isEmpty ? known : near))
        return false
    }

    /// A list of at least one text, none of them blank.
    ///
    /// - Parameter allowsEmpty: whether `""` means something: the environment of the oldest receipts, which name none.
    mutating func texts(
        _ value: YAMLValue, _ name: String, of what: String, allowsEmpty: Bool = false
    ) -> [(text: String, place: PolicyError.Place)] {
        guard case .list(let items) = value.content else {
            refuse(value, "“\(name)” must be a list of \(what)")
            return []
        }
        if items.isEmpty { note(value.place, "“\(name)” is an empty list; leave it out to say nothing") }
        return items.compactMap { item in
            if let text = item.text, !text.isBlank || allowsEmpty && text.isEmpty { return (text, item.place) }
            refuse(item, "“\(name)” must be a list of \(what)")
            return nil
        }
    }

    /// A text that is not blank.
    mutating func text(_ value: YAMLValue, _ name: String, _ what: String) -> String? {
        if let text = value.text, !text.isBlank { return text }
        refuse(value, "“\(name)” must be \(what)")
        return nil
    }

    /// One of a few words.
    mutating func word(_ value: YAMLValue, _ name: String, among words: [String]) -> String? {
        if let text = value.text, words.contains(text) { return text }
        let near = value.text.map { Nearest.question($0, among: words) } ?? ""
        refuse(value, "“\(name)” must be one of \(words.joined(separator: ", "))", hint: near)
        return nil
    }
}

extension String {
    /// Whether there is nothing to be seen in it.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
