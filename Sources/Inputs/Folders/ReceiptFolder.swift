import Encodings
import Files
@_spi(_Unicode) import Swift
import Synchronization

/// The folder of the files that a table names.
///
/// Tables come from other systems than folders. Where a path leads to no file, its file is the one that has the same
/// name in another spelling: another case, another Unicode normal form, `\` for `/`, percent-encoded; and below a path
/// of another machine, `/srv/export/1.der`, or an address, `s3://bucket/1.der`, the file whose path ends the same. If
/// several files are meant, none is.
final class ReceiptFolder: Sendable {
    let directory: ConfinedDirectory
    /// The names of all files, once a path has led to no file.
    private let names = Mutex<FolderNames?>(nil)

    init(_ directory: ConfinedDirectory) { self.directory = directory }

    /// Opens the folder of a table, or one that a user named.
    convenience init(input path: String) throws(InputError) { self.init(try ConfinedDirectory(input: path)) }

    /// Opens the file that a table names.
    ///
    /// - Parameter path: the path with a trailing NUL.
    func open(_ path: Span<UInt8>, _ access: ConfinedDirectory.Access = .file) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            return try directory.open(path, access)
        } catch {
            guard path.count > 1, !error.isExhaustion, let file = try file(named: path.extracting(droppingLast: 1))
            else { throw error }
            return try directory.open((file + [0]).span, access)
        }
    }

    /// Returns the path of the file that has a name in another spelling; `nil` if none has, or several.
    func file(named path: Span<UInt8>) throws(SystemError) -> [UInt8]? {
        let name = path.copy()
        return try names.withLock { names throws(SystemError) in
            let known: FolderNames = if let names { names } else { try FolderNames(directory) }
            names = known
            return known.file(named: name.span)
        }
    }
}

/// The files of a folder by their names in any spelling.
private struct FolderNames {
    /// The paths, each with a trailing NUL.
    private var paths: [UInt8] = []
    /// The start of the path of each spelling's hash, or ``several``.
    private var starts: [UInt64: Int] = [:]
    /// The folder of all files, as a spelling with a trailing slash.
    private var common: [UInt8]?

    private static let several = -1
    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    /// The maximum size of all paths. In larger folders only exact names are found.
    private static let maxSize = 64 << 20
    private static let maxComponents = 64

    init(_ folder: ConfinedDirectory) throws(SystemError) {
        var walk = FolderWalk(folder)
        while paths.count <= Self.maxSize, try walk.step({ add($0) }) {}
        if paths.count > Self.maxSize { self = FolderNames() }
    }

    private init() {}

    private mutating func add(_ path: Span<UInt8>) {
        guard paths.count <= Self.maxSize else { return }
        let name = Self.spelling(path)
        let hash = name.span.stableHash
        starts[hash] = starts[hash] == nil ? paths.count : Self.several
        let shared = common.map { zip($0, name).prefix { $0 == $1 }.count } ?? name.count
        common = Array(name[..<(name[..<shared].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)])
        paths.append(contentsOf: path.copy())
        paths.append(0)
    }

    func file(named path: Span<UInt8>) -> [UInt8]? {
        let name = Self.spelling(path)
        var found: Set<Int> = []
        var start = 0
        for _ in 0..<Self.maxComponents {
            let rest = name[start...]
            for whole in [Array(rest), (common ?? []) + rest] {
                guard let place = starts[whole.span.stableHash] else { continue }
                guard place != Self.several, Self.spelling(self.path(at: place).span) == whole else { return nil }
                found.insert(place)
            }
            guard Self.isAbsolute(name), let slash = rest.firstIndex(of: Self.slash) else { break }
            start = slash + 1
        }
        return found.count == 1 ? found.first.map { self.path(at: $0) } : nil
    }

    private func path(at start: Int) -> [UInt8] { Array(paths[start...].prefix { $0 != 0 }) }

    /// Whether a spelling is a path of a machine, or an address: `/srv`, `c:/x`, `s3:/bucket`.
    private static func isAbsolute(_ name: [UInt8]) -> Bool {
        name.first == slash || name.prefix { $0 != slash }.last == colon
    }

    /// Returns the spelling that all spellings of a path have in common.
    private static func spelling(_ path: Span<UInt8>) -> [UInt8] {
        var octets: [UInt8] = []
        var index = 0
        while index < path.count {
            let byte = path[index]
            if byte == UInt8(ascii: "?"), isAbsolute(octets) { break }
            if byte == UInt8(ascii: "%"), index + 2 < path.count, let high = Hex.value(path[index + 1]),
                let low = Hex.value(path[index + 2])
            {
                octets.append(high << 4 | low)
                index += 2
            } else {
                octets.append(byte == UInt8(ascii: "\\") ? slash : byte)
            }
            index += 1
        }
        if let text = String(validating: octets, as: UTF8.self)?.lowercased() {
            octets = Array(String(String.UnicodeScalarView(text._nfc)).utf8)
        }
        let parts = octets.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        return (octets.first == slash ? [slash] : []) + Array(parts.joined(separator: [slash]))
    }
}
