import Encodings

extension FileShape {
    /// Recognizes text that is neither a proof, a table nor JSON by its first lines.
    ///
    /// - Parameters:
    ///   - text: the first bytes, without a byte order mark.
    ///   - path: for commands.
    /// - Returns: `nil` if the text is not known.
    init?(text: Span<UInt8>, _ path: String) {
        let lines = FirstLines(text)
        guard let first = lines.all.first else { return nil }
        let known =
            Self.markup(first) ?? Self.terminal(lines)
            ?? (lines.all.contains(where: Self.isSQL) ? FileShape("SQL", Self.tables) : nil)
            ?? Self.otherTable(lines) ?? Self.log(lines, path)
        guard let known else { return nil }
        self = known
    }

    private static let tables = """
        export the table itself: psql -c "\\copy claims TO 'export.csv' WITH (FORMAT csv, HEADER)", or mysql --batch \
        --execute 'SELECT * FROM claims' > export.tsv
        """

    private static func markup(_ start: [UInt8]) -> FileShape? {
        guard start.first == UInt8(ascii: "<") else { return nil }
        let isTable = ["<table", "<tr", "<TABLE"].contains { SeenForm.contains(start.prefix(4000), $0) }
        switch SeenForm(structured: start[...]) {
        case .dataDescription: return nil
        case .html where isTable:
            return FileShape("an HTML page with a table", "open it as a sheet, and save that as CSV UTF-8")
        case .html: return FileShape("an HTML page", "is this the right file?")
        case .xmlPropertyList:
            return FileShape("an XML property list", "export as CSV or JSON, or name an INPUT that is one proof")
        default: return FileShape("XML", "export as CSV or JSON: mysql --batch without --xml > export.tsv")
        }
    }

    private static func terminal(_ lines: FirstLines) -> FileShape? {
        guard let first = lines.all.first else { return nil }
        if first.starts(with: Array("+-".utf8)) || first.starts(with: Array("*****".utf8)) {
            return FileShape("what mysql shows on a terminal", "mysql --batch --execute 'SELECT ...' > export.tsv")
        }
        guard lines.areDrawn else { return nil }
        return FileShape("what psql shows on a terminal", "psql --csv -c 'SELECT ...' > export.csv")
    }

    /// Recognizes a table without a header.
    private static func otherTable(_ lines: FirstLines) -> FileShape? {
        for separator in TableHeader.separators {
            let cells = (lines.all.first ?? []).split(separator: separator, omittingEmptySubsequences: false)
                .map { cell in
                    let cell = Array(cell)
                    return cell.span.withoutQuotes.copy()
                }
            guard cells.count > 1, cells.contains(where: { ProofStart.begins($0.span) }) else { continue }
            let seen = cells.prefix(8).enumerated().map { "\($0 + 1). \(SeenValue($1.span)?.noun ?? "nothing")" }
            return FileShape(
                "a table without a header (\(seen.joined(separator: "; ")))",
                "write its header: UNLOAD … HEADER FORMAT CSV, COPY … WITH (FORMAT csv, HEADER), or a first line that names "
                    + "the columns")
        }
        return nil
    }

    /// Recognizes lines of a log, of a form, and of YAML.
    private static func log(_ lines: FirstLines, _ path: String) -> FileShape? {
        guard let first = lines.all.first else { return nil }
        let isPrefixed = lines.all.prefix(2).allSatisfy { line in
            guard let brace = line.firstIndex(of: UInt8(ascii: "{")), brace > 0, line.last == UInt8(ascii: "}") else {
                return false
            }
            return SeenForm(structured: line[brace...]) != nil && SeenForm.contains(line[brace...], "\":")
        }
        if isPrefixed {
            return FileShape("JSON after the prefix of a log", "sed 's/^[^{]*//' FILE > export.ndjson", path)
        }
        guard lines.all.contains(where: { SeenForm.contains($0[...], "MII") || SeenForm.contains($0[...], "eyJ") })
        else {
            return nil
        }
        if first.starts(with: Array("---".utf8)) && first.count == 3 || first.starts(with: Array("- ".utf8))
            || Self.isYAML(first)
        {
            return FileShape("YAML", "yq -o=json '.' FILE > export.json", path)
        }
        let start = Array(first.prefix(400))
        switch SeenForm(word: start.span) {
        case .formEncoded: return FileShape("forms in URL encoding (a=b&c=d)", advice)
        case .keyValues: return FileShape("lines of key=value pairs", advice)
        default:
            // A header, and a proof in several lines, have lines without the beginning of one.
            let haveProofs = lines.all.count > 1 && lines.all.allSatisfy { hasInnerProof($0) }
            return haveProofs ? FileShape("lines with proofs inside of other text", advice) : nil
        }
    }

    /// Whether a line has the beginning of a proof after other text.
    private static func hasInnerProof(_ line: [UInt8]) -> Bool {
        guard !ProofStart.begins(line.span.withoutQuotes) else { return false }
        return line.indices.contains { index in
            (line[index] == UInt8(ascii: "M") || line[index] == UInt8(ascii: "e"))
                && ProofStart.begins(line.span.extracting(index...).extracting(first: ProofStart.length))
        }
    }

    private static let advice =
        "write a table or JSON lines with receipt_data, device_id, account_id and presented_at (docs/inputs.md#columns)"

    /// Whether a name, a colon and a blank begin the line.
    private static func isYAML(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < line.count else {
            return false
        }
        return line[colon + 1] == 0x20 && line[..<colon].allSatisfy { ProofStart.isDigit($0) && !$0.isBlank }
    }

    private static let statements = [
        "-- mysql dump", "-- mariadb dump", "-- postgresql database dump", "insert into ", "create table ",
        "drop table ", "/*!", "set statement_timeout", "/*m!", "copy ",
    ].map { Array($0.utf8) }

    private static func isSQL(_ line: [UInt8]) -> Bool {
        statements.contains { statement in
            let line = line.span
            guard line.count >= statement.count, line.extracting(..<statement.count).equalsIgnoringCase(statement)
            else {
                return false
            }
            let end = line.extracting((line.count - min(line.count, 11))...)
            return statement != Array("copy ".utf8) || end.equalsIgnoringCase(Array("from stdin;".utf8))
        }
    }
}

/// The first lines of a text that are not blank, without surrounding blanks.
struct FirstLines {
    let all: [[UInt8]]

    /// The maximum number of examined lines.
    private static let max = 40

    init(_ text: Span<UInt8>) {
        var lines: [[UInt8]] = []
        var start = 0
        while lines.count < Self.max, start < text.count {
            let end = text.firstIndex(of: 0x0a, from: start) ?? text.count
            let line = text.extracting(start..<end).withoutBlanks
            if line.count > 0 { lines.append(line.copy()) }
            start = end + 1
        }
        all = lines
    }

    /// Whether a line of dashes follows the first one, or the first one begins a record, as in a table for people.
    var areDrawn: Bool {
        guard let first = all.first else { return false }
        if first.starts(with: Array("-[ RECORD".utf8)) { return true }
        guard all.count > 1, first[0] != UInt8(ascii: "-") else { return false }
        return all[1].count > 2 && all[1].allSatisfy { "-+|: ".utf8.contains($0) } && all[1].contains(UInt8(ascii: "-"))
    }

    /// The numbers of tokens, of receipts and tokens, and of objects in the first four lines.
    var counts: (tokens: Int, proofs: Int, objects: Int) {
        var counts = (tokens: 0, proofs: 0, objects: 0)
        for line in all.prefix(4) {
            if line[0] == UInt8(ascii: "{") { counts.objects += 1 }
            let cell = line[0] == 0x22 ? Array(line.dropFirst()) : line
            let isToken = cell.starts(with: TokenShape.mark) && cell.count(where: { $0 == UInt8(ascii: ".") }) == 2
            if isToken { counts.tokens += 1 }
            if isToken || ProofStart.beginsReceipt(cell.span) { counts.proofs += 1 }
        }
        return counts
    }

    /// Whether the first two lines have the same number of cells, and more than one.
    var areTable: Bool {
        guard all.count > 1 else { return false }
        return TableHeader.separators.contains { separator in
            let cells = all[..<2].map { line in line.count { $0 == separator } }
            return cells[0] > 0 && cells[0] == cells[1]
        }
    }
}
