/// The memory limits of this process's control groups (cgroups(7)), version 1 and 2.
///
/// A limit of a group also applies to the groups below it, so the smallest one on the way to the root counts.
public struct ControlGroup {
    /// The file that names the groups of the process.
    private let membership: String
    /// The folder where the hierarchies are mounted.
    private let root: String

    public init(membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup") {
        self.membership = membership
        self.root = root
    }

    /// The smallest limit in bytes; `nil` if no limit can be read.
    ///
    /// In a container the named group may be outside the mount; then the mounted root is the container's.
    public var memoryLimit: Int? {
        groups.flatMap { group in
            Self.ancestors(of: group.path).flatMap { path in
                group.files.compactMap { number(in: group.mount + path + "/" + $0) }
            }
        }.min()
    }

    private typealias Group = (mount: String, path: String, files: [String])

    /// The groups that may limit memory: lines are `0::PATH` (version 2) and `NUMBER:CONTROLLERS:PATH` (version 1).
    private var groups: [Group] {
        guard let text = text(of: membership) else { return [(root, "", Self.files)] }
        return text.split(separator: "\n").compactMap { line -> Group? in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            if fields[0] == "0", fields[1].isEmpty { return (root, String(fields[2]), Self.files) }
            guard fields[1].split(separator: ",").contains("memory") else { return nil }
            return (root + "/memory", String(fields[2]), ["memory.limit_in_bytes"])
        }
    }

    private static let files = ["memory.max", "memory.high"]

    /// Returns the path and its ancestors; the last one is empty and means the root.
    private static func ancestors(of path: String) -> [String] {
        // Each level costs a read. Hierarchies deeper than 64 are not expected, and their lowest groups are ignored.
        let parts = path.split(separator: "/").filter { $0 != ".." && $0 != "." }.prefix(64)
        return (0...parts.count).reversed().map { count in parts.prefix(count).map { "/" + $0 }.joined() }
    }

    /// Returns the number in a file; `nil` for `max` and 0.
    private func number(in path: String) -> Int? {
        guard let text = text(of: path) else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        return UInt64(digits).flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    }

    private func text(of path: String) -> String? {
        (try? FileContents.bytes(of: path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }
}
