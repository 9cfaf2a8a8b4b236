private import CExpat
import Files

/// Names the versions of Expat.
public enum XMLLibrary {
    public static var builtWith: String { "\(XML_MAJOR_VERSION).\(XML_MINOR_VERSION).\(XML_MICRO_VERSION)" }

    public static var inUse: String {
        let version = XML_ExpatVersionInfo()
        return "\(version.major).\(version.minor).\(version.micro)"
    }
}

/// Reads XML element by element, in pieces.
///
/// Names have no prefixes and namespaces. A document type is refused: no program writes one into a workbook, and its
/// entities could make text of any length.
@safe final class XMLReader {
    enum Event {
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    private let parser: XML_Parser
    private let handler: Handler

    fileprivate final class Handler {
        let body: (Event) -> Bool
        /// Whether the reader has read enough.
        var isDone = false
        var hasType = false

        init(_ body: @escaping (Event) -> Bool) { self.body = body }

        func handle(_ event: Event) { if !isDone, !body(event) { isDone = true } }
    }

    /// - Parameter body: receives each element's start and end and each piece of text, until it returns `false`.
    init(_ body: @escaping (Event) -> Bool) throws {
        guard let made = unsafe XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: "|"))) else {
            throw ArchiveReader.Failure(reason: "memory ran out")
        }
        unsafe parser = unsafe made
        handler = Handler(body)
        let context = unsafe Unmanaged.passUnretained(handler).toOpaque()
        unsafe XML_SetUserData(parser, context)
        unsafe XML_SetElementHandler(parser, onStart, onEnd)
        unsafe XML_SetCharacterDataHandler(parser, onText)
        unsafe XML_SetStartDoctypeDeclHandler(parser, onType)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads a piece.
    ///
    /// - Returns: whether to continue.
    func read(_ piece: Span<UInt8>, isLast: Bool = false) throws -> Bool {
        guard !handler.isDone else { return false }
        let status = unsafe piece.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count), isLast ? 1 : 0)
        }
        guard !handler.hasType else { throw ArchiveReader.Failure(reason: "it has a document type") }
        guard status != XML_STATUS_ERROR || handler.isDone else {
            throw ArchiveReader.Failure(reason: "its XML is damaged")
        }
        return !handler.isDone
    }
}

private func handler(_ context: UnsafeMutableRawPointer?) -> XMLReader.Handler? {
    unsafe context.map { unsafe Unmanaged<XMLReader.Handler>.fromOpaque($0).takeUnretainedValue() }
}

private func name(_ text: UnsafePointer<XML_Char>?) -> String {
    guard let text = unsafe text else { return "" }
    let whole = unsafe String(cString: text)
    return whole.lastIndex(of: "|").map { String(whole[whole.index(after: $0)...]) } ?? whole
}

private let onStart: XML_StartElementHandler = { context, element, attributes in
    var found: [String: String] = [:]
    var next = unsafe attributes
    while let list = unsafe next, let key = unsafe list[0], let value = unsafe list[1] {
        unsafe found[name(key)] = unsafe String(cString: value)
        unsafe next = unsafe list + 2
    }
    unsafe handler(context)?.handle(.start(unsafe name(element), found))
}

private let onEnd: XML_EndElementHandler = { context, element in
    unsafe handler(context)?.handle(.end(unsafe name(element)))
}

private let onText: XML_CharacterDataHandler = { context, text, count in
    let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
    unsafe handler(context)?.handle(.text(String(decoding: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
}

private let onType: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    guard let handler = unsafe handler(context) else { return }
    (handler.hasType, handler.isDone) = (true, true)
}
