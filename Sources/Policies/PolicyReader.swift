import Encodings
import Receipts
import Rules
import YAML

/// Makes a policy of a document, and goes on after what is wrong, to tell all of it at once.
struct PolicyReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []

    /// The whole of it.
    mutating func policy(_ root: YAMLValue) -> Policy {
        var policy = Policy()
        let keys: [ExactText] = ["version", "environments", "apps", "rules", "allow"]
        for entry in table(root, "a policy", keys: keys) {
            switch entry.key {
            case "version": checkVersion(entry.value)
            case "environments": policy.environments = environments(entry.value)
            case "apps": policy.apps = apps(entry.value)
            case "rules": policy.rules = rules(entry.value)
            default: policy.allowances = allowances(entry.value)
            }
        }
        return policy
    }

    private mutating func environments(_ value: YAMLValue) -> Set<ExactText> {
        // No receipt says “Sandbox”, but the App Store Server API does.
        let known = KnownEnvironment.names + ["Sandbox"]
        let texts = texts(value, "environments", of: "environments", allowsEmpty: true)
        for (text, place) in texts where !known.contains(text) {
            // Others may come; the known ones are compared octet by octet, so they must be written so.
            guard let name = known.first(where: { $0.lowercasedASCII == text.lowercasedASCII }) else { continue }
            note(place, "the environment \(text.quoted) is written \(name.quoted)")
        }
        return Set(texts.map(\.text))
    }
}
