import FoundationEssentials

/// A file that a person named on the command line and that cannot be read: the job cannot be done.
struct UnreadableFile: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}

/// All bytes of a file that a person named.
func fileBytes(_ path: String) throws(UnreadableFile) -> [UInt8] {
    do {
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch let error as CocoaError {
        throw UnreadableFile(path: path, reason: reason(for: error.code))
    } catch {
        throw UnreadableFile(path: path, reason: "cannot be read")
    }
}

private func reason(for code: CocoaError.Code) -> String {
    switch code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
    case .fileReadNoPermission: "permission denied"
    default: "cannot be read"
    }
}
