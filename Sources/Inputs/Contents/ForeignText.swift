import Encodings

/// Text that is recognized by its first lines and is neither a proof, a table nor JSON: other output of databases and
/// servers.
struct ForeignText {
    /// For a sentence: `SQL`.
    let kind: String
    /// How to convert it into a supported format.
    let remedy: String

    /// The maximum number of examined lines.
    private static let maxLines = 40

    /// - Parameters:
    ///   - text: the first bytes, without a byte order mark.
    ///   - path: for commands.
    /// - Returns: `nil` if the text is not known.
    init?(_ text: Span<UInt8>, _ path: String, _ names: ExportNames) {
        let file = ShellText.word(path)
        let lines = Self.lines(text)
        guard let first = lines.first else { return nil }
        let start = text.extracting(first)
        if start[0] == UInt8(ascii: "<") {
            self = Self.markup(start)
        } else if start.starts(with: Array("+-".utf8)) || start.starts(with: Array("*****".utf8)) {
            kind = "what mysql shows on a terminal"
            remedy = "mysql --batch --execute 'SELECT ...' > export.tsv"
        } else if Self.isDrawn(text) {
            (kind, remedy) = ("what psql shows on a terminal", "psql --csv -c 'SELECT ...' > export.csv")
        } else if lines.contains(where: { Self.isSQL(text.extracting($0)) }) {
            kind = "SQL"
            remedy = """
                export the table itself: psql -c "\\copy claims TO 'export.csv' WITH (FORMAT csv, HEADER)", or mysql \
                --batch --execute 'SELECT * FROM claims' > export.tsv
                """
        } else if TableHeader.separator(in: text, names, among: [UInt8(ascii: "|")]) != nil {
            kind = "a table with | between its cells"
            remedy = "tr '|' '\\t' < \(file) > \(ShellText.output(for: path, "tsv"))"
        } else {
            return nil
        }
    }

    private init(_ kind: String, _ remedy: String) { (self.kind, self.remedy) = (kind, remedy) }

    /// The first lines that are not blank, without surrounding blanks.
    private static func lines(_ text: Span<UInt8>, atMost maxLines: Int = maxLines) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while lines.count < maxLines, start < text.count {
            let feed = text.firstIndex(of: 0x0a, from: start) ?? text.count
            var (low, high) = (start, feed)
            while low < high, text[low].isBlank { low += 1 }
            while low < high, text[high - 1].isBlank { high -= 1 }
            if low < high { lines.append(low..<high) }
            start = feed + 1
        }
        return lines
    }

    private static func markup(_ start: Span<UInt8>) -> ForeignText {
        let beginning = start.extracting(..<min(start.count, 200)).copy()
        switch ForeignFormat(sniffing: beginning) {
        case .html:
            return ForeignText("an HTML page", "it may be an error of the server that the export was fetched from")
        case .xmlPropertyList:
            return ForeignText("an XML property list", "plutil -convert json, or an INPUT that is one proof")
        default: return ForeignText("XML", "export as CSV or JSON: mysql --batch without --xml > export.tsv")
        }
    }

    /// Whether a line of dashes follows the first one, or the first one begins a record, as in a table for people.
    static func isDrawn(_ text: Span<UInt8>) -> Bool {
        let lines = lines(text, atMost: 2)
        guard lines.count > 0 else { return false }
        let first = text.extracting(lines[0])
        if first.starts(with: Array("-[ RECORD".utf8)) { return true }
        guard lines.count > 1, first[0] != UInt8(ascii: "-") else { return false }
        let second = text.extracting(lines[1])
        return second.count > 2 && second.indices.allSatisfy { "-+|: ".utf8.contains(second[$0]) }
            && second.firstIndex(of: UInt8(ascii: "-")) != nil
    }

    private static let statements = [
        "-- mysql dump", "-- mariadb dump", "-- postgresql database dump", "insert into ", "create table ",
        "drop table ",
        "/*!", "set statement_timeout", "/*m!", "copy ",
    ].map { Array($0.utf8) }

    private static func isSQL(_ line: Span<UInt8>) -> Bool {
        statements.contains { statement in
            guard line.count >= statement.count,
                line.extracting(..<statement.count).equalsIgnoringCase(statement)
            else { return false }
            let end = line.extracting((line.count - min(line.count, 11))...)
            return statement != Array("copy ".utf8) || end.equalsIgnoringCase(Array("from stdin;".utf8))
        }
    }
}
