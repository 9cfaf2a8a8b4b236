import Encodings
import Testing

@testable import Inputs

/// What other systems do to folders and to names.
struct `A folder from another system` {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    @Test func `holds leftovers, which are skipped and counted`() throws {
        let leftovers = [
            "__MACOSX/2026/._1.der", "__MACOSX/x", "2026/._1.der", ".DS_Store", "2026/.DS_Store", "2026/Thumbs.db",
            "2026/desktop.ini", "Desktop.ini", ".dropbox", "~$a.xlsx", ".AppleDouble/1.der", "2026/@eaDir/1.der/x",
            ".git/HEAD",
            ".gitignore", "_SUCCESS", ".part-0.crc", "a_$folder$", "Icon\r",
        ]
        for name in leftovers + ["2026/1.der", "thumbs.der", "_1.der", ".x"] { try folder.write(name, "0a") }
        let inputs = try Inputs([folder.path])
        #expect(try claims(of: inputs).map(\.claim.source) == [".x", "2026/1.der", "_1.der", "thumbs.der"])
        #expect(inputs.omissions.skipped.leftovers == leftovers.count)
        #expect(
            inputs.omissions.skipped.leftoverKinds == [
                "macOS", "Windows", "Dropbox", "Office", "netatalk", "Synology", "git", "Hadoop",
            ])
    }

    @Test func `holds apps for macOS, of which only the receipt is one`() throws {
        let app = "Mac/Scores.app/Contents/"
        for name in ["Info.plist", "MacOS/Scores", "_CodeSignature/CodeResources", "_MASReceipt/receipt"] {
            try folder.write(app + name, "0a")
        }
        for name in ["com.example.app/1.der", "Contents/1.der"] { try folder.write(name, "0b") }
        let inputs = try Inputs([folder.path])
        #expect(
            try claims(of: inputs).map(\.claim.source) == [
                "Contents/1.der", "Mac/Scores.app/Contents/_MASReceipt/receipt", "com.example.app/1.der",
            ])
        #expect(inputs.omissions.skipped.leftoverKinds == ["app bundles"])
    }

    @Test(arguments: [
        ("Zo\u{eb}.der", "Zoe\u{308}.der"), ("Zoe\u{308}.der", "Zo\u{eb}.der"),
        ("d\u{e9}/\u{ac00}", "de\u{301}/\u{1100}\u{1161}"),
    ])
    func `has names in another Unicode normal form than its manifest`(row: String, file: String) throws {
        try folder.write(file, "0a")
        try folder.write("other.der", "0b")
        try folder.write("devices.csv", "file,device_id\n\(row),x\n")
        let inputs = try Inputs([folder.path])
        #expect(try claims(of: inputs).map(\.line) == ["devices.csv:2 0a", "other.der 0b"])
        #expect(inputs.omissions.doubts.count == 1 && inputs.omissions.doubts[0].contains("such as other.der"))
    }

    @Test func `may have both forms of a name, which are two files`() throws {
        try folder.write("e\u{301}.der", "0d")
        try folder.write("\u{e9}.der", "0c")
        try folder.write("devices.csv", "file,device_id\n\u{e9}.der,x\n")
        #expect(try claims(folder.path).map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["0c", "0d"])
    }
}
