/// Samples with one name, in the text format that Prometheus reads (version 0.0.4).
struct MetricFamily {
    let name: String
    /// In a sentence.
    let help: String
    private var samples: [(labels: [(name: String, value: String)], value: String)] = []

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) { add(String(value), labels) }

    /// A number with three decimals, which is the same in every locale.
    mutating func add(thousandths: Int64, _ labels: (String, String)...) {
        let (whole, rest) = max(0, thousandths).quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest)
        add("\(whole)." + String(repeating: "0", count: 3 - digits.utf8.count) + digits, labels)
    }

    private mutating func add(_ value: String, _ labels: [(String, String)]) {
        samples.append((labels.map { (name: $0.0, value: $0.1) }, value))
    }

    /// Nothing if there is no sample.
    var lines: [String] {
        guard !samples.isEmpty else { return [] }
        return ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
            + samples.map { sample in
                let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
                return name + (labels.isEmpty ? "" : "{\(labels)}") + " " + sample.value
            }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
