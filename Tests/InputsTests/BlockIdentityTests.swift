import Encodings
import Files
import Foundation
import Testing

@testable import Inputs

/// Blocks of claims are distinguished by their contents and by the status of their files.
struct `The identity of a block` {
    let folder: Scratch

    init() throws {
        folder = try Scratch()
        try folder.write("a/1.der", "0 one")
        try folder.write("a/2.der", "0 two")
        try folder.write("devices.csv", "file,device_id,account_id\na/1.der,d1,anna\na/2.der,d2,bert\n")
        try age("a/1.der")
        try age("a/2.der")
    }

    /// Long ago, as far as these tests go.
    private let settled: Int64 = 2_000_000_000_000_000_000

    private func age(_ name: String, to seconds: Double = 1_000_000_000) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder.path + "/" + name)
    }

    private func status(of name: String) throws -> FileStatus {
        try FileDescriptor.open(folder.path + "/" + name).status()
    }

    /// Waits until the clock that files are stamped with has moved on.
    private func tick() { usleep(50_000) }

    private func identities(
        of name: String = "", settledBefore: Int64? = nil
    ) throws -> (contents: [UInt8]?, status: [UInt8]?) {
        let source = try Inputs([name.isEmpty ? folder.path : folder.path + "/" + name])
        let loader = ClaimLoader(pool: BufferPool(), stampsFiles: true)
        var (contents, status): ([UInt8]?, [UInt8]?) = ([], [])
        while var block = try source.next() {
            FileStamper().stamp(block)
            var bytes: [UInt8] = []
            let hasStatus = block.appendIdentityByStatus(to: &bytes, settledBefore: settledBefore ?? settled)
            status = hasStatus ? (status ?? []) + bytes : nil
            _ = loader.load(&block)
            bytes = []
            let hasContents = block.appendIdentity(to: &bytes) { text, bytes in bytes.append(copying: text) }
            contents = hasContents ? (contents ?? []) + bytes : nil
            // What is known before a file is read and after is the same.
            bytes = []
            if block.appendIdentityByStatus(to: &bytes, settledBefore: settledBefore ?? settled) {
                #expect(status.map { Array($0.suffix(bytes.count)) } == bytes)
            }
        }
        return (contents, status)
    }

    @Test func `is the same for the same export`() throws {
        let (first, second) = (try identities(), try identities())
        #expect(first.contents != nil && first.status != nil)
        #expect(first == second)
    }

    @Test(arguments: [
        "file,device_id,account_id\na/1.der,d1,anna\na/2.der,d2,berta\n",
        "file,device_id,account_id\na/1.der,d1a,nna\na/2.der,d2,bert\n",
        "file,account_id,device_id\na/1.der,d1,anna\na/2.der,d2,bert\n",
        "file,device_id,account_id\na/2.der,d2,bert\na/1.der,d1,anna\n",
        "file,device_id,account_id\na/1.der,d1,anna\na/3.der,d2,bert\n",
        "file,device_id,account_id\na/1.der,d1,anna\n",
    ])
    func `is another one for other rows`(manifest: String) throws {
        let before = try identities()
        try folder.write("devices.csv", manifest)
        let after = try identities()
        #expect(before.contents != after.contents)
        #expect(before.status != after.status)
    }

    @Test(arguments: [
        "file,device_id,account_id\n\na/1.der,d1,anna\na/2.der,d2,bert\n",
        "file,device_id,account_id\r\n\"a/1.der\",d1,anna\r\na/2.der,d2,bert\r\n",
    ])
    func `is the same for the same rows on other lines`(manifest: String) throws {
        let before = try identities()
        try folder.write("devices.csv", manifest)
        #expect(try identities() == before)
    }

    @Test func `is the same for the same table under another name`() throws {
        let lines = "{\"receipt-data\": \"MAA=\"}\n{\"receipt-data\": \"MAE=\"}\n"
        try folder.write("x.ndjson", lines)
        try folder.write("y.ndjson", lines)
        let (first, second) = (try identities(of: "x.ndjson"), try identities(of: "y.ndjson"))
        #expect(first.contents != nil && first == second)
    }

    @Test(arguments: [0, 1, 2047, 2048, 2049, 4095, 4096, 6998, 6999])
    func `is another one for a long line that differs in one byte`(index: Int) throws {
        func identity(_ data: [UInt8]) throws -> [UInt8]? {
            let text = String(decoding: data, as: UTF8.self)
            try folder.write("x.ndjson", "{\"receipt-data\": \"\(text)\"}\n")
            return try identities(of: "x.ndjson").contents
        }
        var data = [UInt8](repeating: UInt8(ascii: "A"), count: 7000)
        let before = try identity(data)
        data[index] = UInt8(ascii: "B")
        #expect(try before != nil && identity(data) != before)
    }

    @Test func `is another one for a file without a row under another path in its folder`() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/devices.csv")
        let before = try identities()
        try FileManager.default.moveItem(atPath: folder.path + "/a/2.der", toPath: folder.path + "/a/3.der")
        let after = try identities()
        #expect(before.contents != nil && before.contents != after.contents)
        #expect(before.status != after.status)
    }

    @Test func `is another one for a file that was replaced under the same name, size, time and inode`() throws {
        let before = try identities()
        let inode = try status(of: "a/1.der").inode
        tick()
        try folder.write("a/1.der", "0 ONE")
        try age("a/1.der")
        let (after, replaced) = (try identities(), try status(of: "a/1.der"))
        #expect(replaced.inode == inode && replaced.size == 5 && replaced.modified == 1_000_000_000_000_000_000)
        #expect(before.contents != after.contents)
        #expect(before.status != nil && before.status != after.status)
    }

    @Test func `is another one by status if only the status of a file changed`() throws {
        let before = try identities()
        tick()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/a/1.der")
        let after = try identities()
        #expect(before.contents == after.contents)
        #expect(before.status != after.status)
    }

    @Test func `is another one if a file has another time, another size or another inode`() throws {
        let before = try identities()
        try age("a/1.der", to: 1_000_000_001)
        let later = try identities()
        #expect(before.contents == later.contents)
        #expect(before.status != later.status)
        try folder.write("a/new.der", "0 one")
        try FileManager.default.removeItem(atPath: folder.path + "/a/1.der")
        try FileManager.default.moveItem(atPath: folder.path + "/a/new.der", toPath: folder.path + "/a/1.der")
        try age("a/1.der")
        let moved = try identities()
        #expect(before.contents == moved.contents)
        #expect(before.status != moved.status)
    }

    @Test func `is not told by status if a file's bytes or status were changed just now`() throws {
        let changed = try max(status(of: "a/1.der").changed, status(of: "a/2.der").changed)
        #expect(try identities(settledBefore: changed).status == nil)
        #expect(try identities(settledBefore: changed + 1).status != nil)
        // 2096, with a status that was changed today.
        try age("a/2.der", to: 4_000_000_000)
        #expect(try identities(settledBefore: 4_000_000_000_000_000_000).status == nil)
        #expect(try identities(settledBefore: 4_000_000_000_000_000_001).status != nil)
    }

    @Test func `tells a missing file from one that is there`() throws {
        let before = try identities()
        try FileManager.default.removeItem(atPath: folder.path + "/a/2.der")
        let after = try identities()
        #expect(after.contents != nil && before.contents != after.contents)
        #expect(after.status != nil && before.status != after.status)
    }

    @Test func `follows a link inside the folder, and none that leads out`() throws {
        try folder.link("a/3.der", to: "1.der")
        let other = try Scratch()
        try other.write("4.der", "0 four")
        try folder.link("a/4.der", to: other.path + "/4.der")
        try folder.write("devices.csv", "file,device_id\na/3.der,d1\na/4.der,d2\n")
        let source = try Inputs([folder.path])
        let block = try #require(try source.next())
        FileStamper().stamp(block)
        #expect(block.stamps.map { $0 != nil } == [true, false])
        guard case .fault(let fault) = block.items[1].receipt else { throw Missing() }
        #expect(fault.kind == .receiptNotFound)
    }

    @Test func `is that of its lines where receipts stand in them`() throws {
        let line = #"{"device_id": "d1", "receipt_data": "MAA="}"#
        try folder.write("x.ndjson", line + "\n")
        let before = try identities(of: "x.ndjson")
        try folder.write("x.ndjson", line.replacing("MAA=", with: "MAE=") + "\n")
        let after = try identities(of: "x.ndjson")
        #expect(before.contents != nil && before.contents != after.contents)
        #expect(before.status == nil)
    }

    private struct Missing: Error {}
}
