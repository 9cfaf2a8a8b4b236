import FoundationEssentials

/// The folder that an export is written to: `root.cer`, `policy.yml`, `truth.json`, `README.md`, and `receipts/`
/// with its `devices.csv`.
public struct ExportFolder: Sendable {
    /// Why a folder is not written to.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It holds something; an export of ours may be replaced.
        case notEmpty(String)
        /// It holds something that is no export of ours, which is never replaced.
        case foreign(String)
        /// It can be neither made nor read.
        case unusable(String)

        public var description: String {
            switch self {
            case .notEmpty(let path): "\(path) is not empty; --force replaces an export made before"
            case .foreign(let path): "\(path) is not empty and holds no export made by this command"
            case .unusable(let path): "\(path) can be neither made nor read as a folder"
            }
        }
    }

    private let path: String
    private let folder: URL
    private var receipts: URL { folder.appending(path: "receipts") }
    private var readme: URL { folder.appending(path: "README.md") }

    public init(_ path: String) {
        self.path = path
        folder = URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Writes a whole export; `progress` hears how many claims are done, after each folder of them.
    ///
    /// With `replacing`, an earlier export in the same place is removed first. Claims before `first` are left out.
    public func write(
        _ export: SampleExport, from first: Int = 0, replacing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> ExportSummary {
        try prepare(replacing: replacing)
        // First, so that an export that was interrupted is known as ours and can be replaced.
        try write(Array(ExportReadme.title.utf8), to: readme)
        try write(export.root, to: folder.appending(path: "root.cer"))
        try write(Array(SamplePolicy.text.utf8), to: folder.appending(path: "policy.yml"))
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
                try write(file.bytes, to: receipts.appending(path: file.path), extendedTo: file.extendedTo)
            }
            rows += claim.row.line
            summary.count(claim)
        }
        try table.write(rows)
        let truth = TruthFile(export)
        try write(truth.json(), to: folder.appending(path: "truth.json"))
        try write(Array(ExportReadme.text(of: export, summary).utf8), to: readme)
        progress(export.count)
        return summary
    }

    private func write(_ bytes: [UInt8], to file: URL, extendedTo size: Int? = nil) throws {
        let output = try OutputFile(file.path())
        try output.write(bytes)
        if let size { try output.extend(to: size) }
    }

    /// Makes the folder, and makes sure that it is empty.
    private func prepare(replacing: Bool) throws {
        let manager = FileManager.default
        let names: [String]
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            names = try manager.contentsOfDirectory(atPath: folder.path())
        } catch {
            throw Refusal.unusable(path)
        }
        if !names.isEmpty {
            guard replacing else { throw Refusal.notEmpty(path) }
            guard isExport(names) else { throw Refusal.foreign(path) }
            for name in names { try manager.removeItem(at: folder.appending(path: name)) }
        }
        try manager.createDirectory(at: receipts, withIntermediateDirectories: true)
    }

    private static let names = ["README.md", "policy.yml", "receipts", "root.cer", "truth.json"]

    /// Whether the folder holds what ``write(_:replacing:progress:)`` made, and nothing else.
    private func isExport(_ names: [String]) -> Bool {
        guard names.allSatisfy(Self.names.contains),
            let text = try? Data(contentsOf: readme)
        else { return false }
        return text.starts(with: ExportReadme.title.utf8)
    }
}
