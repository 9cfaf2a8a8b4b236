import Encodings

extension RunDescription {
    /// The command that makes the same run again, without its reports.
    var command: String {
        var words = ["audit", "run"]
        let option = { (name: String, value: String) in words += [name, ShellText.word(value)] }
        // A name that looks like an option does not if it starts with its folder.
        words += inputs.map { ShellText.word($0.hasPrefix("-") && $0 != "-" ? "./" + $0 : $0) }
        if let manifest { option("--devices", manifest) }
        for file in rootFiles { option("--root", file) }
        if let policy { option("--policy", policy.file) }
        if let baseline { option("--baseline", baseline) }
        option("--as-of", asOf.description)
        return words.joined(separator: " ")
    }
}
