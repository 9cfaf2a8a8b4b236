public import ArgumentParser
public import Rules

extension Severity: ExpressibleByArgument {
    public init?(argument: String) { self.init(code: argument.lowercased()) }

    public static var allValueStrings: [String] { allCases.map(\.code) }
}
