import FoundationEssentials

/// The folder that an export is written to: `root.cer`, `README.md`, and `receipts/` with its `devices.csv`.
public struct ExportFolder: Sendable {
    /// Why a folder is not written to.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It holds something; an export of ours may be replaced.
        case notEmpty(String)
        /// It holds something that is no export of ours, which is never replaced.
        case foreign(String)

        public var description: String {
            switch self {
            case .notEmpty(let path): "\(path) is not empty; --force replaces an export made before"
            case .foreign(let path): "\(path) is not empty and holds no export made by this command"
            }
        }
    }

    private let folder: URL
    private var receipts: URL { folder.appending(path: "receipts") }
    private var readme: URL { folder.appending(path: "README.md") }

    public init(_ path: String) { folder = URL(filePath: path, directoryHint: .isDirectory) }

    /// Writes a whole export; `progress` hears how many claims are done, after each folder of them.
    ///
    /// With `replacing`, an earlier export in the same place is removed first.
    public func write(
        _ export: SampleExport, replacing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> ExportSummary {
        try prepare(replacing: replacing)
        // First, so that an export that was interrupted is known as ours and can be replaced.
        try Data(ExportReadme.title.utf8).write(to: readme)
        try Data(export.root).write(to: folder.appending(path: "root.cer"))
        var table = Data(SampleRow.header)
        var summary = ExportSummary()
        for index in 0..<export.count {
            if index.isMultiple(of: ClaimDraft.filesPerFolder) {
                try FileManager.default.createDirectory(
                    at: receipts.appending(path: ClaimDraft.folder(of: index)), withIntermediateDirectories: true)
                progress(index)
            }
            let claim = try export.claim(at: index)
            if let file = claim.file { try write(file) }
            table.append(contentsOf: claim.row.line)
            summary.count(claim)
        }
        try table.write(to: receipts.appending(path: "devices.csv"))
        try Data(ExportReadme.text(of: export, summary).utf8).write(to: readme)
        progress(export.count)
        return summary
    }

    private func write(_ file: SampleFile) throws {
        var data = Data(file.bytes)
        if let size = file.extendedTo { data.append(Data(count: max(0, size - data.count))) }
        try data.write(to: receipts.appending(path: file.path))
    }

    /// Makes the folder, and makes sure that it is empty.
    private func prepare(replacing: Bool) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        try removeOldExport(replacing: replacing, manager)
        try manager.createDirectory(at: receipts, withIntermediateDirectories: true)
    }

    private func removeOldExport(replacing: Bool, _ manager: FileManager) throws {
        let names = try manager.contentsOfDirectory(atPath: folder.path())
        guard !names.isEmpty else { return }
        guard replacing else { throw Refusal.notEmpty(folder.path()) }
        guard names.allSatisfy(["README.md", "root.cer", "receipts"].contains),
            let text = try? Data(contentsOf: readme), text.starts(with: ExportReadme.title.utf8)
        else { throw Refusal.foreign(folder.path()) }
        for name in names { try manager.removeItem(at: folder.appending(path: name)) }
    }
}
