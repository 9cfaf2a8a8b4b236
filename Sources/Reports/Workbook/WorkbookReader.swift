import Encodings
import Files

/// Reads columns of a workbook by name (ECMA-376), saved by any program.
struct WorkbookReader {
    private let archive: ArchiveReader
    /// The sheets in order: the name, and the part with the content.
    private let sheets: [(name: String, part: String)]

    /// A row: the sheet, the row number as shown by a spreadsheet, and the texts of the columns.
    struct Row: Equatable {
        let sheet: String
        let number: Int
        let cells: [String]
    }

    /// The maximum number of sheets and of rows to read.
    private static let maxSheets = 1000
    private static let maxRows = 5_000_000
    /// The maximum amount of text to read from a sheet, in bytes of UTF-8. A small file may contain more than memory
    /// holds.
    private let maxText: Int
    /// The maximum size of a cell: Excel's 32,767 characters in UTF-8.
    private static let maxCell = 3 * 32_767
    /// The columns and rows of a spreadsheet in Excel and LibreOffice.
    private static let columnNumbers = 1...16_384
    private static let rowNumbers = 1...16_777_216

    /// - Throws: ``ArchiveReader/Failure`` if it is not a workbook.
    init(_ path: String, maxText: Int = 1 << 30) throws {
        self.maxText = maxText
        guard let archive = ArchiveReader(path) else {
            throw ArchiveReader.Failure(reason: "it is not a workbook (.xlsx)")
        }
        self.archive = archive
        let roots = try Self.relationships(of: "", in: archive)
        guard let book = roots.values.first(where: { $0.type.hasSuffix("/officeDocument") })?.target else {
            throw ArchiveReader.Failure(reason: "it is not a workbook (.xlsx)")
        }
        let parts = try Self.relationships(of: book, in: archive)
        var found: [(name: String, part: String)] = []
        try Self.read(book, of: archive) { event in
            if case .start("sheet", let attributes) = event, let id = attributes["id"], let part = parts[id] {
                found.append((attributes["name"] ?? "", part.target))
            }
            return found.count < Self.maxSheets
        }
        sheets = found
        strings = parts.values.first { $0.type.hasSuffix("/sharedStrings") }?.target
    }

    /// The part with the cells' shared texts.
    private let strings: String?

    /// Returns the rows of all sheets with these columns in the first row. Optional columns may be missing, and then
    /// their cells are empty.
    func rows(required: [String], optional: [String] = []) throws -> [Row] {
        var rows: [Row] = []
        for sheet in sheets {
            var header: [Int: Value] = [:]
            try forEachRow(of: sheet.part, Set(Self.columnNumbers)) { _, cells in
                header = cells
                return false
            }
            let texts = try self.texts(Set(header.values.compactMap(\.shared)))
            let names = header.mapValues { $0.text(texts) }
            let columns = (required + optional).map { name in names.first { $0.value == name }?.key }
            guard !columns.prefix(required.count).contains(nil) else { continue }
            rows += try self.rows(of: sheet, columns, limit: Self.maxRows - rows.count)
        }
        return rows
    }

    private func rows(of sheet: (name: String, part: String), _ columns: [Int?], limit: Int) throws -> [Row] {
        var found: [(number: Int, cells: [Value])] = []
        var (isFirst, size) = (true, 0)
        try forEachRow(of: sheet.part, Set(columns.compactMap(\.self))) { number, cells in
            defer { isFirst = false }
            let wanted = columns.map { $0.flatMap { cells[$0] } ?? .own("") }
            if !isFirst, wanted.contains(where: { $0 != .own("") }) {
                found.append((number, wanted))
                size += wanted.reduce(0) { $0 + $1.size }
            }
            return found.count <= limit && size <= maxText
        }
        guard size <= maxText else { throw tooMuchText }
        guard found.count <= limit else {
            throw ArchiveReader.Failure(reason: "it has more than \(grouped(Self.maxRows)) rows")
        }
        let texts = try self.texts(Set(found.flatMap { $0.cells.compactMap(\.shared) }))
        return found.map { Row(sheet: sheet.name, number: $0.number, cells: $0.cells.map { $0.text(texts) }) }
            .filter { $0.cells.contains { !$0.isEmpty } }
    }

    /// A cell's own text, or the index of a shared text.
    private enum Value: Equatable {
        case own(String)
        case shared(Int)

        var shared: Int? { if case .shared(let number) = self { number } else { nil } }

        /// The size of the cell's own text, in bytes.
        var size: Int { if case .own(let text) = self { text.utf8.count } else { 0 } }

        func text(_ texts: [Int: String]) -> String {
            switch self {
            case .own(let text): text
            case .shared(let number): texts[number] ?? ""
            }
        }
    }

    /// Calls a body with each row's number and its cells in some columns, until it returns `false`.
    private func forEachRow(
        of part: String, _ columns: Set<Int>, _ body: @escaping (Int, [Int: Value]) -> Bool
    ) throws {
        var (row, column, kind, text, isValue) = (0, 0, "", "", false)
        var cells: [Int: Value] = [:]
        try Self.read(part, of: archive) { event in
            switch event {
            case .start("row", let attributes):
                row = attributes["r"].flatMap { Int($0) }.flatMap { Self.rowNumbers.contains($0) ? $0 : nil } ?? row + 1
                column = 0
                cells = [:]
            case .start("c", let attributes):
                column = attributes["r"].flatMap(Self.column) ?? column + 1
                kind = attributes["t"] ?? ""
                text = ""
            case .start("v", _), .start("t", _): isValue = true
            case .start("rPh", _): kind = "phonetic"
            case .text(let piece) where isValue && kind != "phonetic":
                if columns.contains(column), text.utf8.count < Self.maxCell { text += piece }
            case .end("v"), .end("t"): isValue = false
            case .end("rPh"): kind = "inlineStr"
            case .end("c"):
                if !columns.contains(column) { break }
                if kind == "s", let number = Int(text) {
                    cells[column] = .shared(number)
                } else if !text.isEmpty {
                    cells[column] = .own(Self.unescaped(text))
                }
            case .end("row"): return body(row, cells)
            default: break
            }
            return true
        }
    }

    /// Returns shared texts by their numbers.
    private func texts(_ numbers: Set<Int>) throws -> [Int: String] {
        guard let last = numbers.max(), let strings else { return [:] }
        var (texts, number, text, isText, isPhonetic, size) = ([Int: String](), 0, "", false, false, 0)
        try Self.read(strings, of: archive) { event in
            switch event {
            case .start("si", _): text = ""
            case .start("t", _): isText = !isPhonetic
            case .start("rPh", _): isPhonetic = true
            case .end("rPh"): isPhonetic = false
            case .end("t"): isText = false
            case .text(let piece) where isText && numbers.contains(number):
                if text.utf8.count < Self.maxCell { text += piece }
            case .end("si"):
                if numbers.contains(number) { texts[number] = Self.unescaped(text) }
                number += 1
                size += text.utf8.count
                return number <= last && size <= maxText
            default: break
            }
            return true
        }
        guard size <= maxText else { throw tooMuchText }
        return texts
    }

    private var tooMuchText: ArchiveReader.Failure {
        ArchiveReader.Failure(reason: "a sheet has more than \(grouped(maxText)) bytes of text")
    }

    /// Returns the column of a reference, `B7`, from 1.
    private static func column(_ reference: String) -> Int? {
        let letters = reference.utf8.prefix { (0x41...0x5a).contains($0) }
        guard (1...3).contains(letters.count) else { return nil }
        return letters.reduce(0) { $0 * 26 + Int($1) - 0x40 }
    }

    /// Reads `_x0041_` as the character that it stands for (ECMA-376, 22.9.2.19).
    private static func unescaped(_ text: String) -> String {
        guard text.contains("_x") else { return text }
        return text.replacing(/_x([0-9A-Fa-f]{4})_/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
        }
    }

    private typealias Relationship = (type: String, target: String)

    /// Returns the references of a part, by id.
    private static func relationships(
        of part: String, in archive: ArchiveReader
    ) throws -> [String: Relationship] {
        let slash = part.lastIndex(of: "/")
        let folder = slash.map { String(part[...$0]) } ?? ""
        let name = slash.map { String(part[part.index(after: $0)...]) } ?? part
        var found: [String: Relationship] = [:]
        try read(folder + "_rels/" + name + ".rels", of: archive) { event in
            guard case .start("Relationship", let attributes) = event, let id = attributes["Id"],
                let target = attributes["Target"]
            else { return true }
            let path = target.hasPrefix("/") ? String(target.dropFirst()) : folder + target
            found[id] = (attributes["Type"] ?? "", path)
            return found.count < 10 * maxSheets
        }
        return found
    }

    /// Reads a part; nothing if it does not exist.
    private static func read(
        _ part: String, of archive: ArchiveReader, _ body: @escaping (XMLReader.Event) -> Bool
    ) throws {
        let reader = try XMLReader(body)
        var wantsMore = true
        let isThere = try archive.read(part) { piece in
            wantsMore = try reader.read(piece)
            return wantsMore
        }
        if isThere, wantsMore { _ = try reader.read([UInt8]().span, isLast: true) }
    }
}
