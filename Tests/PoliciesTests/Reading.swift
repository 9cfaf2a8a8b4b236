import Policies
import Rules
import YAML

/// The policy that a text makes.
func policy(_ text: String) throws(YAMLFileError) -> Policy {
    try PolicyFile.read(bytes: Array(text.utf8), name: "policy.yml")
}

/// What is said of a text that is no policy; empty if it is one.
func complaint(_ text: String) -> String { complaint(Array(text.utf8)) }

func complaint(_ bytes: [UInt8]) -> String {
    do throws(YAMLFileError) {
        _ = try PolicyFile.read(bytes: bytes, name: "policy.yml")
        return ""
    } catch {
        return error.description
    }
}
