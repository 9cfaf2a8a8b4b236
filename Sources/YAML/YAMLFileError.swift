private import Encodings

/// What is wrong with a file: all that could be found at once, in the order of the file.
///
/// A run with half of its rules would say that all is well where nobody looked, so a file is read whole or refused.
public struct YAMLFileError: Error, Equatable, Sendable {
    /// The file's name, as the person wrote it.
    public let file: String
    public let problems: [Problem]

    public struct Problem: Equatable, Sendable {
        /// `nil` where the whole file is the problem.
        public let place: Place?
        /// What was found and what was expected. A stranger's text in it is safe for a terminal.
        public let message: String
    }

    /// Where a value or a key starts, counted from 1; columns in Unicode scalars.
    public struct Place: Equatable, Comparable, Sendable {
        public let line: Int
        public let column: Int

        public static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
    }
}

extension YAMLFileError: CustomStringConvertible {
    /// One line for each problem: `policy.yml:7:5: unknown key “sevrity”; did you mean “severity”?`
    public var description: String {
        let most = 20
        let file = TerminalText.escaped(file)
        var lines = problems.prefix(most).map { problem in
            let place = problem.place.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(file)\(place): \(problem.message)"
        }
        if problems.count > most { lines.append("\(file): and \(problems.count - most) more") }
        return lines.joined(separator: "\n")
    }
}
