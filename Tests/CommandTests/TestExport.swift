import Corpus
import Foundation
import SampleStore
import Synchronization

/// A folder for one test, removed when the test is over.
final class TestExport: Sendable {
    let folder: URL
    private static let authority = Result { try PrivateAuthority() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "audit-test-\(UUID())")
        try FileManager.default.createDirectory(at: receipts, withIntermediateDirectories: true)
        try write(Self.authority.get().root.certificate, to: "root.cer")
    }

    /// A copy of a folder that is made once for all tests that begin alike, such as with a run.
    init(beginning name: String, _ make: (TestExport) throws -> Void) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "audit-test-\(UUID())")
        let shared = try Self.beginnings.withLock { beginnings in
            if let made = beginnings[name] { return made }
            let made = try TestExport()
            SharedFolders.removeAtExit(made.folder.path())
            try make(made)
            beginnings[name] = made
            return made
        }
        try FileManager.default.copyItem(at: shared.folder, to: folder)
    }

    /// The folders that tests begin with, by name.
    private static let beginnings = Mutex<[String: TestExport]>([:])

    deinit { try? FileManager.default.removeItem(at: folder) }

    var receipts: URL { folder.appending(path: "receipts") }
    var root: String { path("root.cer") }

    func path(_ name: String) -> String { folder.path() + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws { try write(Data(bytes), to: name) }

    private func write(_ bytes: Data, to name: String) throws {
        if name.hasPrefix("sample/") { try copySample() }
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func text(of name: String) -> String? {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Puts a made-up export at `sample/`.
    ///
    /// It is made once for all tests that read the same, and `sample` is a link to it until a test writes below it with
    /// ``write(_:to:)``. A test that changes it otherwise calls ``copySample()`` first.
    func writeSample(count: Int, seed: UInt64, forgeryShare: Double = 0.1, plantShare: Double = 0) throws {
        let shared = try Self.samples.withLock { samples in
            let name = "\(count) \(seed) \(forgeryShare) \(plantShare)"
            if let folder = samples[name] { return folder }
            let folder = FileManager.default.temporaryDirectory.appending(path: "audit-sample-\(UUID())")
            _ = try ExportFolder(folder.path()).write(
                SampleExport(
                    count: count, seed: seed, forgeryShare: forgeryShare, plantShare: plantShare, tokenShare: 0.2))
            samples[name] = folder
            SharedFolders.removeAtExit(folder.path())
            return folder
        }
        try FileManager.default.createSymbolicLink(at: sample, withDestinationURL: shared)
    }

    private var sample: URL { folder.appending(path: "sample") }

    /// Puts a copy of the sample that other tests read in the place of the link to it.
    func copySample() throws {
        guard let shared = try? FileManager.default.destinationOfSymbolicLink(atPath: sample.path()) else { return }
        try FileManager.default.removeItem(at: sample)
        try FileManager.default.copyItem(at: URL(filePath: shared), to: sample)
    }

    /// The folders of the samples that were made, by their parameters.
    private static let samples = Mutex<[String: URL]>([:])

    /// What a folder holds, sorted.
    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// Runs `audit run receipts/` with this export's root, as of a date after all its receipts.
    func audit(_ arguments: String..., environment: [String: String] = [:]) throws -> AuditProcess {
        try AuditProcess(
            ["run", path("receipts"), "--root", root, "--as-of", "2026-06-30"] + arguments, environment: environment)
    }

    /// The root of the receipts of ``receipt(for:)``.
    static func rootCertificate() throws -> [UInt8] { try authority.get().root.certificate }

    /// A receipt that is valid on a device.
    static func receipt(for device: SampleDevice = phone) throws -> [UInt8] {
        try receipt(ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: .utc(2024, 3, 1)))
    }

    static func receipt(_ content: ReceiptContent) throws -> [UInt8] {
        try authority.get().receipt(content, digest: .sha256)
    }

    static let phone = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    static let otherPhone = SampleDevice.vendorIdentifier(Array(0x20...0x2f))
}
