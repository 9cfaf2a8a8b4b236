import Receipts
import Rules
import YAML

/// Makes a policy of a document, and goes on after what is wrong, to tell all of it at once.
struct PolicyReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []

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
        // No receipt says “Sandbox”, but the App Store Server API does.
        let known = KnownEnvironment.names + ["Sandbox"]
        let texts = texts(value, "environments", of: "environments", allowsEmpty: true)
        for (text, place) in texts where !known.contains(text) {
            // Others may come; the known ones are compared letter by letter, so they must be written so.
            guard let name = known.first(where: { $0.lowercased() == text.lowercased() }) else { continue }
            note(place, "the environment \(text.quoted) is written \(name.quoted)")
        }
        return Set(texts.map(\.text))
    }
}
