public import Encodings

/// Makes a value of a document, and goes on after what is wrong, to tell all of it at once.
public protocol YAMLReader {
    /// What is wrong so far, in any order.
    var problems: [YAMLFileError.Problem] { get set }

    init()
}

extension YAMLReader {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: the file, as the person who reads an error wrote it.
    ///   - limit: how long it may be.
    ///   - read: makes something of the document; what it returns is dropped if it noted a problem.
    public static func read<Value>(
        bytes: [UInt8], name: String, limit: Int, _ read: (inout Self, YAMLValue) -> Value
    ) throws(YAMLFileError) -> Value {
        let root: YAMLValue
        do throws(YAMLProblem) {
            root = try YAMLDocument.value(of: bytes, limit: limit)
        } catch {
            let problem = YAMLFileError.Problem(place: error.place, message: error.message)
            throw YAMLFileError(file: name, problems: [problem])
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

    /// Notes what is wrong at a place.
    public mutating func note(_ place: YAMLFileError.Place, _ message: String) {
        problems.append(YAMLFileError.Problem(place: place, message: message))
    }

    /// Notes that a value is not what it must be: “…, not …”.
    public mutating func refuse(_ value: YAMLValue, _ expectation: String, hint: String = "") {
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
    public mutating func table(_ value: YAMLValue, _ name: String, keys: [ExactText]? = nil) -> [YAMLEntry] {
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
    public mutating func isKnown(_ entry: YAMLEntry, _ what: String, among keys: [ExactText]) -> Bool {
        if keys.contains(entry.key) { return true }
        let known = keys.count > 8 ? "" : "; known: \(keys.map(\.text).joined(separator: ", "))"
        let near = Nearest.question(entry.key, among: keys)
        note(entry.place, "unknown \(what) \(entry.key.quoted)" + (near.isEmpty ? known : near))
        return false
    }

    /// A list of at least one text, none of them blank.
    ///
    /// - Parameter allowsEmpty: whether `""` means something: the environment of the oldest receipts, which name none.
    public mutating func texts(
        _ value: YAMLValue, _ name: String, of what: String, allowsEmpty: Bool = false
    ) -> [(text: ExactText, place: YAMLFileError.Place)] {
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
    public mutating func text(_ value: YAMLValue, _ name: String, _ what: String) -> ExactText? {
        if let text = value.text, !text.isBlank { return text }
        refuse(value, "“\(name)” must be \(what)")
        return nil
    }

    /// Refuses any version but 1.
    public mutating func checkVersion(_ value: YAMLValue) {
        if case .text("1") = value.content { return }
        refuse(value, "“version” must be 1, the one version there is")
    }

    /// One of the raw values of an enumeration.
    public mutating func word<Value: CaseIterable & RawRepresentable<String>>(
        _ value: YAMLValue, _ name: String, of type: Value.Type
    ) -> Value? {
        let words = type.allCases.map { ExactText($0.rawValue) }
        let word = word(value, name, among: words)
        return type.allCases.first { ExactText($0.rawValue) == word }
    }

    /// One of a few words.
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
