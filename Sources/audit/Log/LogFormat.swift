import ArgumentParser

/// How a run speaks on standard error.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    /// Lines for people.
    case text
    /// One JSON object a line.
    case json
}
