import Encodings

/// An unsupported format that is recognized by its first bytes: an archive, a database, another text encoding.
struct ForeignBytes {
    /// For a sentence: `compressed with xz`.
    let kind: String
    /// How to convert it into a supported format.
    let remedy: String

    /// - Parameters:
    ///   - bytes: the first bytes, decompressed.
    ///   - path: for commands.
    /// - Returns: `nil` if the bytes are not known.
    init?(_ bytes: Span<UInt8>, _ path: String) {
        let known = Self.known.first { known in known.marks.contains { bytes.starts(with: $0, at: known.place) } }
        if let known {
            if known.kind == Self.zip, bytes.firstIndex(of: Array("[Content_Types].xml".utf8), from: 0) != nil {
                self.init("a workbook", "save the sheet as CSV")
            } else {
                self.init(known.kind, known.remedy, path)
            }
        } else if let encoding = Self.encoding(bytes) {
            let output = ShellText.output(for: path)
            self.init("text in \(encoding.name)", "iconv -f \(encoding.code) -t UTF-8 FILE > \(output)", path)
        } else if Self.isBSON(bytes) {
            self.init("BSON", "bsondump FILE > export.ndjson", path)
        } else {
            return nil
        }
    }

    private init(_ kind: String, _ remedy: String, _ path: String = "") {
        self.kind = kind
        self.remedy = remedy.replacing("FILE", with: ShellText.word(path))
            .replacing("PATH", with: ShellText.quoted(path))
    }

    private struct Known {
        let kind: String
        let marks: [[UInt8]]
        let place: Int
        /// With `FILE` instead of the path, and `PATH` in SQL in double quotes.
        let remedy: String

        init(_ kind: String, _ marks: [[UInt8]], at place: Int = 0, _ remedy: String) {
            (self.kind, self.marks, self.place, self.remedy) = (kind, marks, place, remedy)
        }
    }

    private static func text(_ mark: String) -> [[UInt8]] { [Array(mark.utf8)] }

    private static let zip = "a zip archive"
    /// Programs write bytes into CSV in various forms.
    private static let octets = " (octets with base64(COLUMN): see docs/exporting.md)"

    private static let known: [Known] = [
        Known(zip, text("PK\u{3}\u{4}"), "unzip FILE"),
        Known("compressed with bzip2", text("BZh"), "bunzip2 --keep FILE"),
        Known("compressed with xz", [[0xfd] + Array("7zXZ\0".utf8)], "unxz --keep FILE"),
        Known("compressed with zstd", [[0x28, 0xb5, 0x2f, 0xfd]], "unzstd FILE"),
        Known("compressed with lz4", [[0x04, 0x22, 0x4d, 0x18], [0x02, 0x21, 0x4c, 0x18]], "unlz4 FILE"),
        Known("compressed with gzip twice", [[0x1f, 0x8b]], "gunzip -c < FILE > export.gz"),
        Known("compressed with compress", [[0x1f, 0x9d]], "zcat < FILE > export.csv"),
        Known("a 7-Zip archive", [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]], "7z x FILE"),
        Known("a RAR archive", text("Rar!\u{1a}\u{7}"), "unrar x FILE"),
        Known("a tar archive", text("ustar"), at: 257, "tar -xf FILE"),
        Known("a Parquet file", text("PAR1"), "duckdb -c \"COPY (FROM 'PATH') TO 'export.csv'\"" + octets),
        Known("an Avro file", text("Obj\u{1}"), "duckdb -c \"COPY (FROM read_avro('PATH')) TO 'export.csv'\"" + octets),
        Known("an ORC file", text("ORC"), "orc-contents FILE > export.ndjson"),
        Known(
            "an Arrow file", text("ARROW1") + text("FEA1"),
            "python3 -c 'import sys, pyarrow.feather as f; f.read_feather(sys.argv[1]).to_csv(\"export.csv\")' FILE"),
        Known("a database", text("SQLite format 3\0"), "sqlite3 -csv -header FILE 'SELECT ...' > export.csv"),
        Known(
            "a dump of pg_dump -Fc", text("PGDMP"),
            "pg_restore it into a database, and then psql -c \"\\copy claims TO 'export.csv' WITH (FORMAT csv, HEADER)\""
        ),
        Known(
            "the binary format of COPY", text("PGCOPY\n"),
            "psql -c \"\\copy claims TO 'export.csv' WITH (FORMAT csv, HEADER)\""),
        Known("an old workbook", [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]], "save the sheet as CSV"),
        Known("a PDF document", text("%PDF-"), "an INPUT is a receipt, a token, a table or JSON"),
        Known(
            "a picture", [[0x89] + Array("PNG\r\n".utf8), [0xff, 0xd8, 0xff], Array("GIF8".utf8)],
            "an INPUT is a receipt, a token, a table or JSON"),
    ]

    /// The encoding of text that is neither UTF-8 nor has one byte per character: its name, and its name for iconv(1).
    private static func encoding(_ bytes: Span<UInt8>) -> (name: String, code: String)? {
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

    /// Whether the bytes begin like a document of a collection: its length, and `_id`.
    private static func isBSON(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 9, bytes[3] < 2, (1...0x13).contains(bytes[4]) else { return false }
        return bytes.starts(with: Array("_id\0".utf8), at: 5)
    }
}
