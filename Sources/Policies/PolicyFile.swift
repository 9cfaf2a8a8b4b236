public import Rules
public import YAML

/// A policy as a company writes it: YAML, explained in `jobs/policy.example.yml`.
public enum PolicyFile {
    /// The longest policy that is read: 8 MiB.
    public static let limit = 8 << 20

    /// Reads a policy. An empty file is the standard policy: every rule, any app, any environment.
    ///
    /// - Parameter name: the file, as the person who reads an error wrote it.
    public static func read(bytes: [UInt8], name: String) throws(YAMLFileError) -> Policy {
        try PolicyReader.read(bytes: bytes, name: name, limit: limit) { reader, root in reader.policy(root) }
    }
}
