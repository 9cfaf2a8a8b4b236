private import CLibCSV
private import CZlib

/// The versions of the C libraries that inputs are read with.
public enum InputLibraries {
    /// libcsv, whose version is only known when it is built with.
    public static var csv: String { "\(CSV_MAJOR).\(CSV_MINOR).\(CSV_RELEASE)" }

    public static var zlibBuiltWith: String { ZLIB_VERSION }
    public static var zlibInUse: String { unsafe String(cString: zlibVersion()) }
}

/// A file that may be compressed, read whole.
public enum WholeFile {
    /// The bytes of a file, decompressed if its name ends in `.gz`, up to a limit.
    public static func bytes(of path: String, limit: Int) throws -> [UInt8] {
        let stream = try TableFile(path).stream
        var arena = ByteArena()
        while arena.count < limit {
            if try stream.read(into: &arena, atMost: limit - arena.count) == 0 { break }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(arena.count)
        for index in 0..<arena.count { bytes.append(arena[index]) }
        return bytes
    }
}
