import Encodings
import Files
import SQLite
import Subscriptions

/// The sections of a summary in a database, with which a page says what a run was and what it counted.
///
/// A cell is a kind and its values, so that a page that is made later shows the same.
enum StoredSections {
    /// The tables; as in the SQL of views, a comment has a column, its type and its meaning.
    static let tables = """
        -- sections.section TEXT the id of a section of the summary: a small table on pages
        -- sections.title TEXT its title
        -- sections.explanation TEXT what its numbers mean
        -- sections.readers TEXT who sees it: all, people, programs, or sentences, which is not shown as a table
        -- sections.keys INTEGER how many leading cells together name the subject of a row
        CREATE TABLE sections(
            section TEXT NOT NULL, title TEXT NOT NULL, explanation TEXT NOT NULL, readers TEXT NOT NULL, keys INTEGER NOT NULL);
        -- section_columns.section TEXT a section
        -- section_columns.name TEXT the name of one of its columns, in their order
        CREATE TABLE section_columns(section TEXT NOT NULL, name TEXT NOT NULL);
        -- section_terms.section TEXT a section
        -- section_terms.name TEXT a word in it
        -- section_terms.meaning TEXT what the word means
        CREATE TABLE section_terms(section TEXT NOT NULL, name TEXT NOT NULL, meaning TEXT NOT NULL);
        -- section_cells.section TEXT a section
        -- section_cells.line INTEGER the row, from 0
        -- section_cells.kind TEXT none, text (untrusted), code (a word of ours), number, share, known-share, date, cut-month or money
        -- section_cells.text TEXT the text, the date, the first day of the month, or the currency of money
        -- section_cells.number INTEGER the number, the part of a share, or millionths of money
        -- section_cells.whole INTEGER the whole of a share
        -- section_cells.unknown INTEGER of how many more a share is not known
        CREATE TABLE section_cells(
            section TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT, number INTEGER, whole INTEGER,
            unknown INTEGER);
        """

    /// The section that says whether findings are compared with earlier ones.
    private static let comparedID = "compared"

    static func write(_ summary: Summary, isCompared: Bool, to database: DatabaseFile) throws(FileError) {
        let (heads, columns) = (
            try DatabaseFile.Rows("sections", columns: 5, in: database),
            try DatabaseFile.Rows("section_columns", columns: 2, in: database)
        )
        let (terms, cells) = (
            try DatabaseFile.Rows("section_terms", columns: 3, in: database),
            try DatabaseFile.Rows("section_cells", columns: 7, in: database)
        )
        var compared = Summary.Section(comparedID, "", columns: ["compared"], rows: isCompared ? [[.number(1)]] : [])
        compared.readers = .sentences
        for section in summary.sections + [compared] {
            for text in [section.id, section.title, section.explanation, section.readers.rawValue] { heads.text(text) }
            heads.number(Int64(section.keys))
            try heads.insert()
            for column in section.columns {
                columns.text(section.id)
                columns.text(column)
                try columns.insert()
            }
            for term in section.terms {
                for text in [section.id, term.name, term.meaning] { terms.text(text) }
                try terms.insert()
            }
            for (line, row) in section.rows.enumerated() {
                for cell in row {
                    cells.text(section.id)
                    cells.number(Int64(line))
                    write(cell, to: cells)
                    try cells.insert()
                }
            }
        }
    }

    private static func write(_ cell: Summary.Cell, to row: DatabaseFile.Rows) {
        let values: (kind: String, text: String?, number: Int64?, whole: Int?, unknown: Int?) =
            switch cell {
            case .none: ("none", nil, nil, nil, nil)
            case .text(let text): ("text", text.text, nil, nil, nil)
            case .code(let code): ("code", code, nil, nil, nil)
            case .number(let number): ("number", nil, Int64(number), nil, nil)
            case .tenths(let number): ("tenths", nil, Int64(number), nil, nil)
            case .share(let part, let whole): ("share", nil, Int64(part), whole, nil)
            case .knownShare(let part, let whole, let unknown): ("known-share", nil, Int64(part), whole, unknown)
            case .date(let date): ("date", date.description, nil, nil, nil)
            case .cutMonth(let month): ("cut-month", month.start.description, nil, nil, nil)
            case .money(let millionths, let currency): ("money", currency.text, millionths, nil, nil)
            }
        row.text(values.kind)
        if let text = values.text { row.text(text) } else { row.null() }
        for number in [values.number, values.whole.map(Int64.init), values.unknown.map(Int64.init)] {
            if let number { row.number(number) } else { row.null() }
        }
    }

    /// Reads the sections, and whether findings are compared with earlier ones.
    static func read(_ reader: DatabaseReader) throws -> (summary: Summary, isCompared: Bool) {
        var sections: [Summary.Section] = []
        var places: [String: Int] = [:]
        try reader.forEachRow("SELECT * FROM sections ORDER BY rowid") { row in
            let id = row.text("section")
            places[id] = sections.count
            var section = Summary.Section(id, row.text("title"), row.text("explanation"), columns: [], rows: [])
            section.readers = Summary.Readers(rawValue: row.text("readers")) ?? .programs
            section.keys = row.number("keys")
            sections.append(section)
        }
        let read = { (table: String, body: (DatabaseReader.Cells, Int) -> Void) in
            try reader.forEachRow("SELECT * FROM \(table) ORDER BY rowid") { row in
                if let place = places[row.text("section")] { body(row, place) }
            }
        }
        try read("section_columns") { sections[$1].columns.append($0.text("name")) }
        try read("section_terms") {
            sections[$1].terms.append(Summary.Term(name: $0.text("name"), meaning: $0.text("meaning")))
        }
        try read("section_cells") { row, place in
            if row.number("line") >= sections[place].rows.count { sections[place].rows.append([]) }
            sections[place].rows[sections[place].rows.count - 1].append(cell(row))
        }
        let isCompared = places[comparedID].map { !sections[$0].rows.isEmpty } ?? false
        return (Summary(sections: sections.filter { $0.id != comparedID }), isCompared)
    }

    private static func cell(_ row: DatabaseReader.Cells) -> Summary.Cell {
        switch row.text("kind") {
        case "text": .text(ExactText(row.text("text")))
        case "code": .code(row.text("text"))
        case "number": .number(row.number("number"))
        case "tenths": .tenths(row.number("number"))
        case "share": .share(row.number("number"), of: row.number("whole"))
        case "known-share":
            .knownShare(row.number("number"), of: row.number("whole"), unknown: row.number("unknown"))
        case "date": Instant(written: row.text("text").utf8.span).map { .date($0) } ?? .none
        case "cut-month": Instant(written: row.text("text").utf8.span).map { .cutMonth(Month($0)) } ?? .none
        case "money": .money(Int64(row.number("number")), currency: ExactText(row.text("text")))
        default: .none
        }
    }
}
