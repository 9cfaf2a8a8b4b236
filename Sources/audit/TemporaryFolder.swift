import FoundationEssentials

/// Where temporary files go: `TMPDIR`, else where there is room for large ones.
enum TemporaryFolder {
    static var path: String {
        let folder = ProcessInfo.processInfo.environment["TMPDIR", default: ""]
        return folder.isEmpty ? "/var/tmp" : folder
    }
}
