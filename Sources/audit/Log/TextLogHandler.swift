import Logging

/// Lines for people: the message alone, and before what is not as it should be, what it is.
struct TextLogHandler: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let prefix =
            switch event.level {
            case .trace, .debug, .info: ""
            case .notice: "audit: "
            case .warning: "audit: warning: "
            case .error, .critical: "audit: error: "
            }
        write(prefix + event.message.description + "\n")
    }
}
