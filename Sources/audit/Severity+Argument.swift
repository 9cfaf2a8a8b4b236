public import ArgumentParser
import Encodings
public import Rules

extension Severity: ExpressibleByArgument {
    public init?(argument: String) { self.init(code: ExactText(argument).lowercasedASCII) }

    public static var allValueStrings: [String] { allCases.map(\.code) }
}
