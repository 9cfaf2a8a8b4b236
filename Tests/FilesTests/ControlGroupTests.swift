import Files
import Foundation
import Testing

struct `The memory limit of control groups` {
    /// Returns the limit in a made-up tree; files are named relative to `/sys/fs/cgroup`.
    private func limit(_ membership: String?, _ files: [String: String]) throws -> Int? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "groups-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let membership {
            try membership.write(to: folder.appending(path: "self"), atomically: false, encoding: .utf8)
        }
        for (path, text) in files {
            let file = folder.appending(path: "tree/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        return ControlGroup(membership: folder.path + "/self", root: folder.path + "/tree").memoryLimit
    }

    @Test func `is that of the process's own group`() throws {
        let files = ["system.slice/audit.service/memory.max": "209715200\n", "other.slice/memory.max": "1000\n"]
        #expect(try limit("0::/system.slice/audit.service\n", files) == 209_715_200)
    }

    @Test func `is a smaller one of a group above`() throws {
        let files = ["a/b/memory.max": "max\n", "a/memory.max": "5000\n", "memory.max": "9000\n"]
        #expect(try limit("0::/a/b\n", files) == 5000)
    }

    @Test func `is memory.high where that is less than memory.max`() throws {
        #expect(try limit("0::/a\n", ["a/memory.max": "5000\n", "a/memory.high": "4000\n"]) == 4000)
    }

    @Test func `is that of the memory controller in version 1`() throws {
        let files = [
            "memory/a/b/memory.limit_in_bytes": "7000\n", "memory/memory.limit_in_bytes": "9223372036854771712\n",
            "cpu/c/memory.limit_in_bytes": "10\n",
        ]
        #expect(try limit("5:cpu,cpuacct:/c\n4:hugetlb,memory:/a/b\n0::/a\n", files) == 7000)
    }

    @Test func `is that of the mounted root for a group that is not mounted`() throws {
        #expect(try limit("0::/../../outside\n", ["memory.max": "3000\n"]) == 3000)
    }

    @Test func `is that of the mounted root without the list of groups`() throws {
        #expect(try limit(nil, ["memory.max": "3000\n"]) == 3000)
    }

    @Test func `is found for a group with a colon in its name`() throws {
        #expect(try limit("0::/a:b\n", ["a:b/memory.max": "3000\n"]) == 3000)
    }

    @Test(arguments: ["max\n", "", "-1\n", "0\n", "99999999999999999999999999\n"])
    func `is none where the file has no number`(text: String) throws {
        #expect(try limit("0::/a\n", ["a/memory.max": text]) == nil)
    }

    @Test(arguments: ["", "0", "::::\n", "0:/a\n", "4:memory\n"])
    func `is none for a list of groups that is malformed`(list: String) throws {
        #expect(try limit(list, ["a/memory.max": "3000\n"]) == nil)
    }
}
