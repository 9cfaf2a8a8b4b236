private import Yams

extension YAMLProblem {
    /// What Yams has to say, in our words where we have better ones.
    init(_ error: any Error, _ text: String) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let context = context.map { $0.text + ": " } ?? ""
            self.init(YAMLFileError.Place(mark), "is not YAML: \(context)\(problem)")
        case .composer(let context, let problem, let mark, _):
            // The one composer error with a context is that of a second document.
            let message =
                context == nil ? "is not YAML: \(problem)" : "here starts a second document; there must be one"
            self.init(YAMLFileError.Place(mark), message)
        case .duplicatedKeysInMapping(let keys, let context):
            let key = (keys.first ?? "").quoted
            self.init(YAMLFileError.Place(context.mark), "the key \(key) is there more than once")
        case .reader(let problem, let offset, _, _):
            let before = Array(text.prefix(offset ?? 0).utf8)
            self.init(YAMLFileError.Place(at: before.count, of: before), "is not YAML: \(problem)")
        case let other: self.init(nil, "cannot be read: " + "\(other.map { "\($0)" } ?? "\(error)")".quoted)
        }
    }
}

extension YAMLFileError.Place {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}
