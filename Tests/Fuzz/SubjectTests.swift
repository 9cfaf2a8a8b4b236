import FoundationEssentials
import Testing

/// The subjects of the fuzzers hold on what the fuzzers start from. A subject ends the process if something does not.
@Suite("A fuzzer's subject") struct SubjectTests {
    @Test("reads its seeds, whole and cut, and its dictionary is not empty")
    func seeds() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "seeds-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Seeds(folder: folder).write()
        for kind in FuzzTarget.allCases {
            let subject = try kind.subject()
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)").sorted()
            #expect(!names.isEmpty)
            for name in names.prefix(12) {
                let seed = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(kind)/\(name)")))
                subject.read(seed)
                subject.read(Array(seed.prefix(seed.count * 2 / 3)))
            }
            #expect(try !Data(contentsOf: URL(filePath: "\(folder)/\(kind).dict")).isEmpty)
        }
    }
}
