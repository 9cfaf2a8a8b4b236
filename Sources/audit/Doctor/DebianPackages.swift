import Files
import FoundationEssentials
import Inputs

/// What dpkg says of installed packages, read from its files.
struct DebianPackages {
    private let versions: [String: String]
    private let documentation: String

    /// - Parameter root: the folder that stands for `/`.
    init(root: String = "") {
        documentation = root + "/usr/share/doc/"
        let text = (try? FileContents.bytes(of: root + "/var/lib/dpkg/status", limit: 64 << 20)) ?? []
        var versions: [String: String] = [:]
        var name = ""
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            if let value = line.value(of: "Package: ") { name = value }
            if let value = line.value(of: "Version: ") { versions[name] = value }
        }
        self.versions = versions
    }

    func version(of name: String) -> String? { versions[name] }

    /// The changelog of Debian's maintainers, as far as it is installed.
    func changelog(of name: String) -> String? {
        let path = documentation + name + "/changelog.Debian.gz"
        return (try? WholeFile.bytes(of: path, limit: 4 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Substring {
    fileprivate func value(of key: String) -> String? {
        hasPrefix(key) ? String(dropFirst(key.count)) : nil
    }
}
