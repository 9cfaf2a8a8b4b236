import Files
import FoundationEssentials
import Inputs

/// A known vulnerability of OpenSSL 3 in code that an untrusted receipt may reach, or close to such code.
struct KnownVulnerability {
    let id: String
    let title: String
    /// The first release of each series that has the fix: `3.0.19`.
    let fixedIn: [String]

    /// The vulnerabilities that were known when this version was made.
    static let all = [
        KnownVulnerability(
            id: "CVE-2022-0778", title: "endless loop over a certificate's curve", fixedIn: ["3.0.2"]),
        KnownVulnerability(id: "CVE-2022-3602", title: "stack overflow in a certificate's name", fixedIn: ["3.0.7"]),
        KnownVulnerability(id: "CVE-2023-0286", title: "type confusion in a certificate's name", fixedIn: ["3.0.8"]),
        KnownVulnerability(
            id: "CVE-2023-0401", title: "NULL read while a PKCS #7 signature is verified", fixedIn: ["3.0.8"]),
        KnownVulnerability(id: "CVE-2022-4450", title: "double free while PEM is read", fixedIn: ["3.0.8"]),
        KnownVulnerability(
            id: "CVE-2023-0464", title: "chains that take exponential time", fixedIn: ["3.0.9", "3.1.1"]),
        KnownVulnerability(
            id: "CVE-2023-2650", title: "object identifiers that take quadratic time", fixedIn: ["3.0.9", "3.1.1"]),
        KnownVulnerability(id: "CVE-2024-0727", title: "NULL read in PKCS #7", fixedIn: ["3.0.13", "3.1.5", "3.2.1"]),
        KnownVulnerability(
            id: "CVE-2025-15467", title: "stack overflow in CMS",
            fixedIn: ["3.0.19", "3.3.6", "3.4.4", "3.5.5", "3.6.1"]),
        KnownVulnerability(
            id: "CVE-2026-22796", title: "type confusion in PKCS #7",
            fixedIn: ["3.0.19", "3.3.6", "3.4.4", "3.5.5", "3.6.1"]),
    ]

    enum State: Equatable {
        /// It is fixed by the version.
        case fixed
        /// It is fixed by the distribution, according to its changelog.
        case fixedByDistribution
        case open
        /// The series is not known, or there is no changelog.
        case unknown
    }

    /// - Parameters:
    ///   - version: of OpenSSL, such as `3.0.15`.
    ///   - changelog: of the distribution's package, if there is one.
    func state(in version: String, changelog: String?) -> State {
        if let changelog, changelog.contains(id) { return .fixedByDistribution }
        guard let numbers = Self.numbers(version) else { return .unknown }
        let fixes = fixedIn.compactMap { Self.numbers($0) }
        if let fix = fixes.first(where: { $0[0] == numbers[0] && $0[1] == numbers[1] }) {
            if numbers[2] >= fix[2] { return .fixed }
            // Distributions fix old versions, which only the changelog shows.
            return changelog == nil ? .unknown : .open
        }
        // Later series were made with the fix in them.
        let isLater = fixes.allSatisfy { ($0[0], $0[1]) < (numbers[0], numbers[1]) }
        return isLater ? .fixed : .unknown
    }

    private static func numbers(_ version: String) -> [Int]? {
        let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) }
        return numbers.count == 3 && !numbers.contains(nil) ? numbers.compactMap { $0 } : nil
    }
}

/// The installed packages of dpkg, read from its files.
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

    /// Returns the changelog of Debian's maintainers, if it is installed.
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
