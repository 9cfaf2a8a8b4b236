import YAML

/// A text in which `${NAME}` stands for a variable of the environment, and `$$` for a dollar.
enum EnvironmentText {
    struct Problem: Error {
        let message: String
    }

    static func expanded(_ text: String, with environment: (String) -> String?) throws(Problem) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let dollar = rest.firstIndex(of: "$") {
            result.unicodeScalars += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            switch rest.first {
            case "$":
                result += "$"
                rest = rest.dropFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw Problem(message: "\(text.quoted) has “${” without “}”")
                }
                result += try value(of: String(rest[rest.index(after: rest.startIndex)..<end]), environment)
                rest = rest[rest.index(after: end)...]
            default:
                throw Problem(message: "\(text.quoted) has a “$” by itself; ${NAME} is a variable, $$ a dollar")
            }
        }
        result.unicodeScalars += rest
        return result
    }

    private static func value(of name: String, _ environment: (String) -> String?) throws(Problem) -> String {
        let isName =
            name.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || isDigit($0)) }
            && name.unicodeScalars.first.map { !isDigit($0) } ?? false
        guard isName else { throw Problem(message: "\(name.quoted) is not the name of an environment variable") }
        guard let value = environment(name) else {
            throw Problem(message: "the environment variable \(name.quoted) is not set")
        }
        return value
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
