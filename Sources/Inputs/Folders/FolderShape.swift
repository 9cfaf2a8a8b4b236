import Encodings

/// What the paths of a folder's files reveal: whether it may contain receipts, or only tables and their companions.
struct FolderShape {
    /// The first path of a table, as long as all files are tables, JSON, archives, or files without data.
    private(set) var onlyTable: String?
    /// A manifest in a folder below the top.
    private(set) var nestedManifest: String?
    /// The first files at the top that may be a manifest of another name, such as `devices (1).csv`.
    private(set) var tables: [String] = []
    private var isDone: Bool
    private var mayBeReceipts = false
    private static let manifest = Array("/devices.csv".utf8)
    private static let endings = [".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".xlsx", ".ods", ".json", ".ndjson"]
    private static let maxTables = 16

    init(hasManifest: Bool) { isDone = hasManifest }

    mutating func add(_ path: Span<UInt8>) {
        guard !isDone else { return }
        if nestedManifest == nil, path.starts(with: Self.manifest, at: path.count - Self.manifest.count),
            path.firstIndex(of: UInt8(ascii: "/")) == path.count - Self.manifest.count
        {
            nestedManifest = String(repairing: path)
        }
        if tables.count < Self.maxTables, path.firstIndex(of: UInt8(ascii: "/")) == nil,
            Self.endings.contains(where: String(repairing: path).lowercased().hasExtension)
        {
            tables.append(String(repairing: path))
        }
        guard !mayBeReceipts else { return }
        let name = String(repairing: path)
        if Self.isNoData(name) { return }
        if InputContent.isNamedExport(name) || Self.isArchive(name) || Self.isPart(name) {
            if onlyTable == nil { onlyTable = name }
        } else {
            mayBeReceipts = true
            onlyTable = nil
        }
    }

    /// Whether tools or people put the file next to data: `_SUCCESS`, `.DS_Store`, `README.md`.
    private static func isNoData(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if parts.contains(where: { $0.hasPrefix(".") || $0.hasPrefix("_") }) { return true }
        let name = parts.last.map { $0.split(separator: ".", omittingEmptySubsequences: false) } ?? []
        return name.count <= 2
            && name.first.map { Array($0.utf8).span.equalsIgnoringCase(Array("readme".utf8)) } == true
    }

    private static func isArchive(_ name: String) -> Bool {
        archives.contains { name.hasExtension($0) }
            || name.hasExtension(".gz") && !proofs.contains { name.hasExtension($0 + ".gz") }
    }

    private static let archives = [
        ".zip", ".zst", ".xz", ".bz2", ".lz4", ".7z", ".rar", ".tar", ".tar.gz", ".tgz", ".parquet", ".avro", ".orc",
        ".arrow", ".feather", ".bson", ".sql", ".sql.gz", ".xlsx", ".xls", ".sqlite",
    ]

    /// Whether a file is named like a part of an engine's table: `part-00000`, with anything after it except the ending
    /// of a proof.
    private static func isPart(_ path: String) -> Bool {
        let name = Array((path.split(separator: "/").last ?? "").utf8)
        let mark = Array("part-".utf8)
        guard name.starts(with: mark) else { return false }
        let rest = name.dropFirst(mark.count)
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        let next = rest.dropFirst(digits.count).first
        guard digits.count >= 4, next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "-") else {
            return false
        }
        return !proofs.contains { path.hasExtension($0) }
    }

    private static let proofs = [".der", ".b64", ".base64", ".jws", ".pem", ".p7", ".p7b", ".p7s", ".bin", ".receipt"]
}
