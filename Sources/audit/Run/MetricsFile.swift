import ArgumentParser

/// `--metrics FILE`.
struct MetricsFile: ExpressibleByArgument {
    var path: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = argument
    }

    /// Why metrics cannot be written there, if they cannot.
    var reason: String? {
        path.lowercased().hasSuffix(".json")
            ? "metrics are text for Prometheus, .prom; for JSON use the report summary=FILE.json" : nil
    }
}
