private import Encodings
public import Rules

/// A policy as a company writes it: YAML, explained in `jobs/policy.example.yml`.
public enum PolicyFile {
    /// The longest policy that is read: 8 MiB.
    public static let limit = 8 << 20

    /// Reads a policy. An empty file is the standard policy: every rule, any app, any environment.
    ///
    /// - Parameter name: the file, as the person who reads an error wrote it.
    public static func read(bytes: [UInt8], name: String) throws(PolicyError) -> Policy {
        let root: YAMLValue
        do throws(YAMLProblem) {
            root = try YAMLDocument.value(of: bytes, limit: limit)
        } catch {
            let problem = PolicyError.Problem(place: error.place, message: error.message)
            throw PolicyError(file: name, problems: [problem])
        }
        var reader = PolicyReader()
        let policy = reader.policy(root)
        guard reader.problems.isEmpty else {
            let problems = reader.problems.enumerated().sorted { a, b in
                (a.element.sortingPlace, a.offset) < (b.element.sortingPlace, b.offset)
            }
            throw PolicyError(file: name, problems: problems.map(\.element))
        }
        return policy
    }
}

extension PolicyError.Problem {
    fileprivate var sortingPlace: PolicyError.Place { place ?? PolicyError.Place(line: 0, column: 0) }
}
