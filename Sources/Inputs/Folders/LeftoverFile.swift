import Encodings

/// The files that systems and programs leave in folders and archives, next to people's files. They are not proofs.
enum LeftoverFile {
    /// The names of folders with nothing but such files, by whose they are.
    private static let folders: [(kind: ExactText, names: [[UInt8]])] = [
        (
            "macOS",
            octets([
                "__macosx", ".spotlight-v100", ".trashes", ".fseventsd", ".temporaryitems", ".documentrevisions-v100",
            ])
        ),
        ("netatalk", octets([".appledouble", ".appledb", ".appledesktop", "network trash folder", "temporary items"])),
        ("Windows", octets(["$recycle.bin", "system volume information"])),
        ("Synology", octets(["@eadir", "#recycle", "#snapshot"])), ("QNAP", octets(["@recycle", ".@__thumb"])),
        ("Dropbox", octets([".dropbox.cache"])), ("Google Drive", octets([".tmp.driveupload", ".tmp.drivedownload"])),
        ("Syncthing", octets([".stfolder", ".stversions"])), ("git", octets([".git", ".svn", ".hg"])),
        ("Hadoop", octets(["_temporary", "_delta_log", "_spark_metadata"])),
    ]
    private static let files: [(kind: ExactText, names: [[UInt8]])] = [
        ("macOS", octets([".ds_store", ".localized", ".apdisk", ".lsoverride", ".volumeicon.icns", "icon\r"])),
        ("Windows", octets(["thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini"])),
        ("Synology", octets([".synologyworkingdirectory"])), ("Dropbox", octets([".dropbox", ".dropbox.attr"])),
        ("Syncthing", octets([".stignore"])),
        ("git", octets([".gitignore", ".gitattributes", ".gitmodules", ".gitkeep", ".keep"])),
        ("Hadoop", octets(["_success", "_metadata", "_common_metadata"])), ("Linux", octets([".directory"])),
    ]
    /// How the names of other files start and end.
    private static let affixes: [(kind: ExactText, start: [UInt8], end: [UInt8])] = [
        ("macOS", "._", ""), ("macOS", ".com.apple.timemachine.", ""), ("Office", "~$", ""), ("Office", ".~lock.", "#"),
        ("Linux", ".nfs0000", ""), ("Linux", ".fuse_hidden", ""), ("Linux", ".", ".swp"), ("Hadoop", ".", ".crc"),
        ("Hadoop", "_committed_", ""), ("Hadoop", "_started_", ""), ("Hadoop", "", "_$folder$"),
    ].map { ($0, Array($1.utf8), Array($2.utf8)) }
    private static let bundle = Array(".app".utf8)
    private static let contents = Array("contents".utf8)
    private static let receipt = Array("_MASReceipt/receipt".utf8)

    private static func octets(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

    /// Returns whose file it is if a path below a folder belongs to such a file.
    static func kind(of path: Span<UInt8>) -> ExactText? {
        var start = 0
        var isInBundle = false
        while let slash = path.firstIndex(of: 0x2f, from: start) {
            let folder = path.extracting(start..<slash)
            if let known = folders.first(where: { $0.names.contains { folder.isLowercased($0) } }) { return known.kind }
            // Of an app for macOS, only the receipt is one.
            if isInBundle, folder.isLowercased(contents) {
                return path.extracting(slash...).ends(with: receipt) ? nil : "app bundles"
            }
            isInBundle = folder.count > bundle.count && folder.ends(with: bundle)
            start = slash + 1
        }
        let name = path.extracting(start...)
        if let known = files.first(where: { $0.names.contains { name.isLowercased($0) } }) { return known.kind }
        return affixes.first {
            name.count > $0.start.count + $0.end.count && name.starts(with: $0.start) && name.ends(with: $0.end)
        }?.kind
    }
}

extension Span<UInt8> {
    fileprivate func ends(with end: [UInt8]) -> Bool { starts(with: end, at: count - end.count) }
}
