import Encodings

/// A file that is recognized by its first bytes or lines and holds no claims that can be read: what it is, and how it
/// is converted.
struct FileShape: Equatable {
    /// For a sentence: `compressed with xz`.
    let kind: String
    /// The command or the sentence that leads to a supported format.
    let remedy: String

    /// - Parameters:
    ///   - kind: for a sentence.
    ///   - remedy: with `FILE` instead of the path, `PATH` for it in SQL in double quotes, and `OUT` for an output in the
    ///     same form. It may also write `export.csv`, or another ending.
    ///   - path: for commands.
    init(_ kind: String, _ remedy: String, _ path: String = "") {
        self.kind = kind
        // A command must not write over the file that it reads.
        self.remedy = ["csv", "tsv", "json", "ndjson", "gz"].reduce(remedy) { remedy, ending in
            remedy.replacing("export.\(ending)", with: ShellText.name(for: path, ending))
        }
        .replacing("FILE", with: ShellText.word(path))
        .replacing("PATH", with: ShellText.quoted(path))
        .replacing("OUT", with: ShellText.output(for: path))
    }

    /// What is said of a compressed file: its commands read what is unpacked.
    func unpacked(_ path: String) -> FileShape {
        guard !remedy.hasPrefix("gunzip"), remedy.contains(ShellText.word(path)) else { return self }
        let output =
            "unpacked"
            + (path.split(separator: ".").dropLast(path.hasExtension(".gz") ? 1 : 0).last.map { ".\($0)" } ?? "")
        return FileShape(
            kind + ", compressed", "gunzip -c < FILE > \(ShellText.word(output)) unpacks it for another try", path)
    }

    /// One entry of the table of first bytes.
    private struct Magic {
        let kind: String
        let marks: [[UInt8]]
        let place: Int
        let remedy: String

        init(_ kind: String, _ marks: [[UInt8]], at place: Int = 0, _ remedy: String) {
            self.kind = kind
            self.marks = marks
            self.place = place
            self.remedy = remedy
        }

        init(_ kind: String, _ mark: String, at place: Int = 0, _ remedy: String) {
            self.init(kind, [Array(mark.utf8)], at: place, remedy)
        }
    }

    /// Programs write bytes into CSV in various forms.
    private static let octets = " (octets with base64(COLUMN): see docs/exporting.md)"
    private static let copy = "psql -c \"\\copy claims TO 'export.csv' WITH (FORMAT csv, HEADER)\""
    private static let save = "save the sheet as CSV UTF-8"
    private static let others = "an INPUT is a receipt, a token, a table or JSON"

    private static let magics: [Magic] = [
        Magic("an old workbook", [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]], save),
        Magic("compressed with bzip2", "BZh", "bunzip2 --keep FILE"),
        Magic("compressed with xz", [[0xfd] + Array("7zXZ\0".utf8)], "unxz --keep FILE"),
        Magic("compressed with zstd", [[0x28, 0xb5, 0x2f, 0xfd]], "unzstd FILE"),
        Magic("compressed with lz4", [[0x04, 0x22, 0x4d, 0x18], [0x02, 0x21, 0x4c, 0x18]], "unlz4 FILE"),
        Magic("compressed with gzip twice", [[0x1f, 0x8b]], "gunzip -c < FILE > export.gz"),
        Magic("compressed with compress", [[0x1f, 0x9d]], "zcat < FILE > export.csv"),
        Magic(
            "compressed with zlib", [[0x78, 0x01], [0x78, 0x5e], [0x78, 0x9c], [0x78, 0xda]],
            "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))' < FILE > OUT"
        ),
        Magic("a 7-Zip archive", [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]], "7z x FILE"),
        Magic("a RAR archive", "Rar!\u{1a}\u{7}", "unrar x FILE"),
        Magic("a tar archive", "ustar", at: 257, "tar -xf FILE"),
        Magic("a Parquet file", "PAR1", "duckdb -c \"COPY (FROM 'PATH') TO 'export.csv'\"" + octets),
        Magic("an Avro file", "Obj\u{1}", "duckdb -c \"COPY (FROM read_avro('PATH')) TO 'export.csv'\"" + octets),
        Magic("an ORC file", "ORC", "orc-contents FILE > export.ndjson"),
        Magic(
            "an Arrow file", [Array("ARROW1".utf8), Array("FEA1".utf8)],
            "python3 -c 'import sys, pyarrow.feather as f; f.read_feather(sys.argv[1]).to_csv(\"export.csv\")' FILE"),
        Magic("a database", "SQLite format 3\0", "sqlite3 -csv -header FILE 'SELECT ...' > export.csv"),
        Magic("a dump of pg_dump -Fc", "PGDMP", "pg_restore it into a database, and then " + copy),
        Magic("the binary format of COPY", "PGCOPY\n", copy),
        Magic("a binary property list", "bplist", "plutil -convert json -o export.json FILE"),
        Magic("JSON text sequences (RFC 7464)", [[0x1e]], "tr -d '\\036' < FILE > export.ndjson"),
        Magic("a PDF document", "%PDF-", others),
        Magic("a picture", [[0x89] + Array("PNG\r\n".utf8), [0xff, 0xd8, 0xff], Array("GIF8".utf8)], others),
    ]

    /// - Parameters:
    ///   - bytes: the first bytes, decompressed.
    ///   - path: for commands.
    /// - Returns: `nil` if the bytes are not known.
    init?(_ bytes: Span<UInt8>, _ path: String) {
        if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            self = Self.archive(bytes, path)
        } else if let known = Self.magics.first(where: { one in
            one.marks.contains { bytes.starts(with: $0, at: one.place) }
        }) {
            self.init(known.kind, known.remedy, path)
        } else if let encoding = Self.encoding(bytes) {
            self.init("text in \(encoding.name)", "iconv -f \(encoding.code) -t UTF-8 FILE > OUT", path)
        } else if SeenForm.isBSON(bytes) {
            self.init("BSON", "bsondump FILE > export.ndjson", path)
        } else {
            return nil
        }
    }

    private static func archive(_ bytes: Span<UInt8>, _ path: String) -> FileShape {
        func holds(_ text: String) -> Bool { bytes.firstIndex(of: Array(text.utf8), from: 0) != nil }
        if holds("[Content_Types].xml") { return FileShape("a workbook", save) }
        guard holds("opendocument.spreadsheet") else { return FileShape("a zip archive", "unzip FILE", path) }
        return FileShape("a workbook of OpenDocument", "soffice --headless --convert-to csv FILE", path)
    }

    /// The encoding of text that is neither UTF-8 nor has one byte per character: its name, and its name for iconv(1).
    static func encoding(_ bytes: Span<UInt8>) -> (name: String, code: String)? {
        func begins(_ mark: [UInt8]) -> Bool { bytes.starts(with: mark) }
        if begins([0xff, 0xfe, 0, 0]) || begins([0, 0, 0xfe, 0xff]) { return ("UTF-32", "UTF-32") }
        if begins([0xff, 0xfe]) || begins([0xfe, 0xff]) { return ("UTF-16", "UTF-16") }
        guard bytes.count >= 8 else { return nil }
        let zeros = (0..<8).map { bytes[$0] == 0 }
        guard (0..<8).allSatisfy({ zeros[$0] || (0x09..<0x7f).contains(bytes[$0]) }) else { return nil }
        let forms: [(name: String, code: String, width: Int, place: Int)] = [
            ("UTF-16", "UTF-16LE", 2, 0), ("UTF-16", "UTF-16BE", 2, 1), ("UTF-32", "UTF-32LE", 4, 0),
            ("UTF-32", "UTF-32BE", 4, 3),
        ]
        return forms.first { form in (0..<8).allSatisfy { zeros[$0] != ($0 % form.width == form.place) } }
            .map { ($0.name, $0.code) }
    }
}
