import Encodings
import Files
import FoundationEssentials
import Logging

/// Writes a log as lines of text or as JSON objects, to standard error.
struct RunLogHandler: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    let format: LogFormat

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = format == .text ? text(event) : json(event)
        if let line { StandardError.write(line) }
    }

    /// The message, with its level before each line unless it is informational.
    private func text(_ event: LogEvent) -> String {
        let prefix =
            switch event.level {
            case .trace, .debug, .info: ""
            case .notice: "audit: "
            case .warning: "audit: warning: "
            case .error, .critical: "audit: error: "
            }
        return ErrorText.lines(prefix, event.message.description) + "\n"
    }

    /// Returns one JSON object on one line: `time`, `level`, `message` and metadata.
    private func json(_ event: LogEvent) -> String? {
        var members = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(JSONLogValue.init)
        members["time"] = .text(Clock.now.description)
        members["level"] = .text(event.level.rawValue)
        members["message"] = .text(event.message.description)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(members) else { return nil }
        return TerminalText.escaped(json: String(decoding: line, as: UTF8.self)) + "\n"
    }
}

/// A value in a log line. Numbers stay numbers.
private enum JSONLogValue: Encodable {
    case text(String)
    case whole(Int)
    case decimal(Double)
    case list([JSONLogValue])
    case table([String: JSONLogValue])

    init(_ value: Logger.Metadata.Value) {
        switch value {
        case .string(let text): self = .text(text)
        case .stringConvertible(let number as Int): self = .whole(number)
        case .stringConvertible(let number as Double): self = .decimal(number)
        case .stringConvertible(let other): self = .text(other.description)
        case .array(let values): self = .list(values.map(JSONLogValue.init))
        case .dictionary(let values): self = .table(values.mapValues(JSONLogValue.init))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .whole(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .list(let values): try container.encode(values)
        case .table(let values): try container.encode(values)
        }
    }
}
