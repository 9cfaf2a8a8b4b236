/// The folder that the attack suite is written to: `cases/`, `index.json`, `index.tsv`, `schema.json` and `README.md`.
public struct AttackFolder {
    private let folder: GeneratedFolder

    public init(_ path: String) {
        folder = GeneratedFolder(
            path: path, content: "an attack suite",
            names: ["README.md", "cases", "index.json", "index.tsv", "schema.json"], title: AttackReadme.title)
    }

    /// Writes the whole suite: the same bytes each time.
    ///
    /// - Parameter replacing: whether a suite that was written there before is removed first.
    /// - Throws: an error that says why the folder is not written to, or which file could not be written.
    public func write(replacing: Bool = false) throws {
        try folder.prepare(replacing: replacing, subfolder: "cases")
        let kit = try AttackKit()
        for test in AttackSuite.cases {
            try folder.write(test.json(test.claim(kit)).file, to: test.file)
        }
        try folder.write(AttackSuite.index.file, to: "index.json")
        try folder.write(Array(AttackSuite.indexTable.utf8), to: "index.tsv")
        try folder.write(AttackSuite.schema.file, to: "schema.json")
        try folder.write(Array(AttackReadme.text.utf8), to: "README.md")
    }
}
