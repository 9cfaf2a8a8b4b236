import Foundation
import Testing

@testable import Inputs

/// A system that has no descriptors left, whatever is to be read.
struct `A process without descriptors` {
    @Test(arguments: ["folder", "folder with links", "table", "lines", "files"])
    func `throws, or reads all receipts: none is found unreadable for it`(kind: String) async throws {
        let folder = try Scratch()
        for index in 0..<6 { try folder.write("in/\(index)/\(index).der", "0 receipt \(index)") }
        try folder.write("t.csv", "file\n" + (0..<6).map { "in/\($0)/\($0).der\n" }.joined())
        try folder.write("l.ndjson", (0..<6).map { #"{"file":"in/\#($0)/\#($0).der"}"# + "\n" }.joined())
        if kind == "folder with links" {
            for index in 0..<6 { try folder.link("in/\(index)/link.der", to: "\(index).der") }
        }
        let names = ["table": ["/t.csv"], "lines": ["/l.ndjson"], "files": (0..<6).map { "/in/\($0)/\($0).der" }]
        let paths = (names[kind] ?? ["/in"]).map { folder.path + $0 }
        await #expect(processExitsWith: .exitCode(7)) { [paths = paths as [String]] in
            let all = try Self.read(paths)
            var outcomes = (thrown: 0, read: 0)
            for free in 0..<12 {
                let restored = Self.limitDescriptors(to: free)
                do {
                    guard try Self.read(paths) == all else { exit(1) }
                    outcomes.read += 1
                } catch let error as InputError {
                    guard case .exhausted(_, let reason) = error, reason == "Too many open files" else { exit(2) }
                    outcomes.thrown += 1
                }
                restored()
            }
            exit(outcomes.thrown > 0 && outcomes.read > 1 ? 7 : 3)
        }
    }

    /// What claims there are.
    private static func read(_ paths: [String]) throws -> [String] {
        var lines: [String] = []
        let source = try Inputs(paths)
        let (loader, decoder) = (ClaimLoader(pool: BufferPool()), ClaimDecoder())
        while var block = try source.next() {
            _ = loader.load(&block)
            try decoder.forEachClaim(
                in: block,
                onReceipt: { claim, bytes, _ in lines.append("\(claim.source) \(bytes.count)") },
                onFault: { claim, fault, _ in lines.append("\(claim.source) \(fault.kind) \(fault.reason)") })
        }
        return lines
    }

    /// Leaves `free` descriptors; what is returned takes the limit back.
    private static func limitDescriptors(to free: Int) -> () -> Void {
        var old = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &old)
        // The lowest numbers are given first.
        var number: CInt = 0
        var left = free
        while left > 0 || fcntl(number, F_GETFD) >= 0 {
            if fcntl(number, F_GETFD) < 0 { left -= 1 }
            number += 1
        }
        var new = old
        new.rlim_cur = rlim_t(number)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &new)
        return {
            var old = old
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &old)
        }
    }
}
