import FoundationEssentials

/// The folder that an export is written to: `root.cer`, `policy.yml`, `truth.json`, `README.md`, and `receipts/`
/// with its `devices.csv`.
public struct ExportFolder {
    private let folder: GeneratedFolder

    public init(_ path: String) {
        folder = GeneratedFolder(
            path: path, content: "an export",
            names: ["README.md", "policy.yml", "receipts", "root.cer", "truth.json"], title: ExportReadme.title)
    }

    /// Writes a whole export.
    ///
    /// - Parameters:
    ///   - first: the index of the first claim that is written.
    ///   - replacing: whether an earlier export in the same folder is removed first.
    ///   - progress: is called with the number of claims that are written, once for each folder of them.
    public func write(
        _ export: SampleExport, from first: Int = 0, replacing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> ExportSummary {
        try folder.prepare(replacing: replacing, subfolder: "receipts")
        try folder.write(export.root, to: "root.cer")
        try folder.write(Array(SamplePolicy.text.utf8), to: "policy.yml")
        let receipts = folder.url.appending(path: "receipts")
        let table = try OutputFile(receipts.appending(path: "devices.csv").path())
        var rows = SampleRow.header
        var summary = ExportSummary()
        for index in min(max(0, first), export.count)..<export.count {
            if index.isMultiple(of: ClaimDraft.filesPerFolder) || index == first {
                try FileManager.default.createDirectory(
                    at: receipts.appending(path: ClaimDraft.folder(of: index)), withIntermediateDirectories: true)
                try table.write(rows)
                rows.removeAll(keepingCapacity: true)
                progress(index)
            }
            let claim = try export.claim(at: index)
            if let file = claim.file {
                try folder.write(file.bytes, to: "receipts/" + file.path, extendedTo: file.extendedTo)
            }
            rows += claim.row.line
            summary.add(claim)
        }
        try table.write(rows)
        try folder.write(TruthFile(export).json(), to: "truth.json")
        try folder.write(Array(ExportReadme.text(of: export, summary).utf8), to: "README.md")
        progress(export.count)
        return summary
    }
}
