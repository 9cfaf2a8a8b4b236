public import Encodings

/// Makes a value from a document. It continues after each problem, so that all are reported at once.
public protocol YAMLReader {
    /// The problems so far, in any order.
    var problems: [YAMLFileError.Problem] { get set }

    init()
}

extension YAMLReader {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: the file's name as written by the person who reads errors.
    ///   - limit: the maximum length in bytes.
    ///   - read: makes a value from the document. The value is dropped if there is a problem.
    public static func read<Value>(
        bytes: [UInt8], name: String, limit: Int, _ read: (inout Self, YAMLValue) -> Value
    ) throws(YAMLFileError) -> Value {
        let root: YAMLValue
        do throws(YAMLFileError.Problem) {
            root = try YAMLDocument.value(of: bytes, limit: limit)
        } catch {
            throw YAMLFileError(file: name, problems: [error])
        }
        var reader = Self()
        let value = read(&reader, root)
        guard reader.problems.isEmpty else {
            let problems = reader.problems.enumerated().sorted { a, b in
                (a.element.sortingPlace, a.offset) < (b.element.sortingPlace, b.offset)
            }
            throw YAMLFileError(file: name, problems: problems.map(\.element))
        }
        return value
    }

    /// Records a problem at a place.
    public mutating func report(_ place: YAMLFileError.Place, _ message: String) {
        problems.append(YAMLFileError.Problem(place, message))
    }

    /// Records that a value differs from the expected one: “…, not …”.
    public mutating func refuse(_ value: YAMLValue, _ expectation: String, hint: String = "") {
        let found =
            switch value.content {
            case .text(let text): ", not " + text.quoted
            case .empty: ", and is empty"
            case .list: ", not a list"
            case .table: ", not a table of keys"
            }
        report(value.place, expectation + found + hint)
    }

    /// Returns the entries of a table; none if it is empty. Entries with unknown keys are recorded as problems and left
    /// out.
    ///
    /// - Parameter keys: the known keys; `nil` if any non-blank key is allowed.
    public mutating func table(_ value: YAMLValue, _ name: String, keys: [ExactText]? = nil) -> [YAMLEntry] {
        switch value.content {
        case .empty: return []
        case .table(let entries):
            return entries.filter { entry in
                if let keys { return isKnown(entry, "key", among: keys) }
                guard entry.key.isBlank else { return true }
                report(entry.place, "a key under \(name) must not be blank")
                return false
            }
        case .text, .list:
            refuse(value, "\(name) must be a table of keys")
            return []
        }
    }

    /// Returns whether a key is one of these; records a problem if it is not.
    public mutating func isKnown(_ entry: YAMLEntry, _ what: String, among keys: [ExactText]) -> Bool {
        if keys.contains(entry.key) { return true }
        let known = keys.count > 8 ? "" : "; known: \(keys.map(\.text).joined(separator: ", "))"
        let near = Nearest.question(entry.key, among: keys)
        report(entry.place, "unknown \(what) \(entry.key.quoted)" + (near.isEmpty ? known : near))
        return false
    }

    /// Returns a list of at least one text, none of them blank.
    ///
    /// - Parameter allowsEmpty: whether `""` has a meaning: the environment of the oldest receipts, which have none.
    public mutating func texts(
        _ value: YAMLValue, _ name: String, of what: String, allowsEmpty: Bool = false
    ) -> [(text: ExactText, place: YAMLFileError.Place)] {
        guard case .list(let items) = value.content else {
            refuse(value, "“\(name)” must be a list of \(what)")
            return []
        }
        if items.isEmpty { report(value.place, "“\(name)” is an empty list; leave the key out instead") }
        return items.compactMap { item in
            if let text = item.text, !text.isBlank || allowsEmpty && text.isEmpty { return (text, item.place) }
            refuse(item, "“\(name)” must be a list of \(what)")
            return nil
        }
    }

    /// Returns a text that is not blank.
    public mutating func text(_ value: YAMLValue, _ name: String, _ what: String) -> ExactText? {
        if let text = value.text, !text.isBlank { return text }
        refuse(value, "“\(name)” must be \(what)")
        return nil
    }

    /// Refuses any version other than 1.
    public mutating func checkVersion(_ value: YAMLValue) {
        if case .text("1") = value.content { return }
        refuse(value, "“version” must be 1, the only version")
    }

    /// Returns one of the raw values of an enumeration.
    public mutating func word<Value: CaseIterable & RawRepresentable<String>>(
        _ value: YAMLValue, _ name: String, of type: Value.Type
    ) -> Value? {
        let words = type.allCases.map { ExactText($0.rawValue) }
        let word = word(value, name, among: words)
        return type.allCases.first { ExactText($0.rawValue) == word }
    }

    /// Returns one of a few words.
    public mutating func word(_ value: YAMLValue, _ name: String, among words: [ExactText]) -> ExactText? {
        if let text = value.text, words.contains(text) { return text }
        let near = value.text.map { Nearest.question($0, among: words) } ?? ""
        refuse(value, "“\(name)” must be one of \(words.map(\.text).joined(separator: ", "))", hint: near)
        return nil
    }
}

extension YAMLFileError.Problem {
    fileprivate var sortingPlace: YAMLFileError.Place { place ?? YAMLFileError.Place(line: 0, column: 0) }
}

/// All problems with a file, in the order of the file.
///
/// A run with half of its rules would report that all is well where nothing was checked, so a file is read completely
/// or refused.
public struct YAMLFileError: Error, Equatable, Sendable {
    /// The file's name as written by a person.
    public let file: String
    public let problems: [Problem]

    public struct Problem: Error, Equatable, Sendable {
        /// The place; `nil` if the whole file is the problem.
        public let place: Place?
        /// What was found and what was expected. Untrusted text in it is escaped for terminals.
        public let message: String

        init(_ place: Place?, _ message: String) {
            self.place = place
            self.message = message
        }
    }

    /// The start of a value or a key, counted from 1; columns in Unicode scalars.
    public struct Place: Equatable, Comparable, Sendable {
        public let line: Int
        public let column: Int

        public static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
    }
}

extension YAMLFileError: CustomStringConvertible {
    /// One line for each problem: `policy.yml:7:5: unknown key “sevrity”; did you mean “severity”?`
    public var description: String {
        let limit = 20
        let file = TerminalText.escaped(file)
        var lines = problems.prefix(limit).map { problem in
            let place = problem.place.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(file)\(place): \(problem.message)"
        }
        if problems.count > limit { lines.append("\(file): and \(problems.count - limit) more") }
        return lines.joined(separator: "\n")
    }
}
