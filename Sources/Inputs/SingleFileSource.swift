/// One receipt file, named by the user.
final class SingleFileSource: ClaimSource {
    private let path: String
    private let folder: ConfinedFolder
    private let name: String
    private var isDone = false

    init(_ path: String) throws(InputError) {
        // The user's own word may be a symbolic link: what it leads to is the file.
        guard let real = realPath(path), let slash = real.lastIndex(of: "/"),
            let folder = ConfinedFolder(String(real[...slash]))
        else { throw .unopenable(path: path, reason: systemReason()) }
        self.path = path
        self.folder = folder
        name = String(real[real.index(after: slash)...])
    }

    let omissions = Omissions()
    var fraction: Double? { isDone ? 1 : 0 }

    func next() -> ClaimBlock? {
        guard !isDone else { return nil }
        isDone = true
        var claim = Claim(source: path)
        claim.file = path
        var block = ClaimBlock()
        block.folder = folder
        block.entries.append(ClaimBlock.Entry(claim: claim, receipt: .file(name)))
        return block
    }
}
