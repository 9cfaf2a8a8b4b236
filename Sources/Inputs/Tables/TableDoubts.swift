/// Signs that the text of a table or of JSON is not what was meant, each a sentence with the way out.
struct TableDoubts {
    private(set) var texts: [String] = []

    /// - Parameters:
    ///   - omissions: of one table or manifest.
    ///   - path: of it, for commands.
    init(_ omissions: Omissions, of path: String) {
        if omissions.otherTexts > 0 { texts.append(Self.encoding("row", omissions.otherTexts, path)) }
        // One device may be called so.
        if omissions.nullDevices > 0, omissions.nullDevices >= omissions.rows / 20 {
            let name = path == "-" ? "standard input" : path
            texts.append(
                "\(name): device_id of \(Self.count(omissions.nullDevices, "row")) is the word NULL, which MySQL writes where "
                    + "there is nothing: --null NULL makes empty cells of it")
        }
    }

    /// - Parameters:
    ///   - keys: what was found in JSON objects.
    ///   - path: of the INPUT, if there is but one.
    init(_ keys: UnknownKeys, _ names: ExportNames, of path: String?) {
        let count = keys.otherTextCount
        if count > 0 { texts.append(Self.encoding("JSON object", count, path ?? "FILE")) }
        for key in keys.names {
            guard let found = names.column(named: key.utf8.span), found.rank != .alias else { continue }
            texts.append(
                "the key “\(key)” holds no text in some JSON objects, but an object, an array or a truth value: it is left "
                    + "out there, and the claims are judged without it")
        }
    }

    private static func encoding(_ unit: String, _ count: Int, _ path: String) -> String {
        let file = ShellText.word(path)
        let command =
            path.hasExtension(".gz")
            ? "gunzip -c \(file) | iconv -f WINDOWS-1252 -t UTF-8 > \(ShellText.output(for: path))"
            : "iconv -f WINDOWS-1252 -t UTF-8 \(file) > \(ShellText.output(for: path))"
        let name = path == "-" ? "standard input" : path
        return
            "\(name): \(Self.count(count, unit)) cannot be read, not being UTF-8. If it is what Excel writes: \(command)"
    }

    private static func count(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
}
