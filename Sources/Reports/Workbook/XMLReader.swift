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
/// entities could make text of any length. So are a token (a tag with its attributes, a comment) and a text of more than
/// ``maxToken`` bytes, and elements nested deeper than ``maxDepth``.
///
/// Before 2.6.0, Expat reads an unfinished token from its start again with each piece (CVE-2023-52425). So it gets the
/// next bytes only when they double the token: each byte is read at most twice on average.
@safe final class XMLReader {
    enum Event {
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    /// The maximum size of a token, and of the text between two tags, in bytes.
    static let maxToken = 1 << 20
    /// The maximum nesting of elements. A workbook's is less than 10.
    static let maxDepth = 1000

    private let parser: XML_Parser
    private let handler: Handler
    /// The bytes that Expat has not got yet.
    private var held: [UInt8] = []
    /// The number of bytes that Expat has got.
    private var given = 0

    @safe fileprivate final class Handler {
        let parser: XML_Parser
        let body: (Event) -> Bool
        /// Whether the reader has read enough.
        var isDone = false
        /// The reason why the rest is not read.
        var refusal: String?
        private var depth = 0
        private var textSize = 0

        init(_ parser: XML_Parser, _ body: @escaping (Event) -> Bool) {
            unsafe self.parser = unsafe parser
            self.body = body
        }

        func handle(_ event: Event) {
            checkToken()
            switch event {
            case .start: (depth, textSize) = (depth + 1, 0)
            case .end: (depth, textSize) = (depth - 1, 0)
            case .text(let piece): textSize += piece.utf8.count
            }
            if depth > XMLReader.maxDepth { refuse("its XML is nested deeper than \(XMLReader.maxDepth) elements") }
            if textSize > XMLReader.maxToken { refuse(XMLReader.tooLong) }
            if !isDone, !body(event) { isDone = true }
        }

        /// Refuses a token that is too long.
        func checkToken() {
            if unsafe Int(XML_GetCurrentByteCount(parser)) > XMLReader.maxToken { refuse(XMLReader.tooLong) }
        }

        func refuse(_ reason: String) {
            guard !isDone else { return }
            refusal = reason
            isDone = true
        }
    }

    fileprivate static let tooLong = "its XML has a token of more than 1 MiB"

    /// - Parameter body: receives each element's start and end and each piece of text, until it returns `false`.
    init(_ body: @escaping (Event) -> Bool) throws {
        guard let made = unsafe XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: "|"))) else {
            throw ArchiveReader.Failure(reason: "memory ran out")
        }
        unsafe parser = unsafe made
        handler = unsafe Handler(made, body)
        let context = unsafe Unmanaged.passUnretained(handler).toOpaque()
        unsafe XML_SetUserData(parser, context)
        unsafe XML_SetElementHandler(parser, onStart, onEnd)
        unsafe XML_SetCharacterDataHandler(parser, onText)
        unsafe XML_SetStartDoctypeDeclHandler(parser, onType)
        unsafe XML_SetDefaultHandler(parser, onOther)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads a piece.
    ///
    /// - Returns: whether to continue.
    func read(_ piece: Span<UInt8>, isLast: Bool = false) throws -> Bool {
        guard !handler.isDone else { return false }
        held.append(copying: piece)
        guard isLast || held.count >= unfinished else { return true }
        given += held.count
        let status = unsafe held.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count), isLast ? 1 : 0)
        }
        held.removeAll(keepingCapacity: true)
        if unfinished > Self.maxToken { handler.refuse(Self.tooLong) }
        if let refusal = handler.refusal { throw ArchiveReader.Failure(reason: refusal) }
        guard status != XML_STATUS_ERROR || handler.isDone else {
            throw ArchiveReader.Failure(reason: "its XML is damaged")
        }
        return !handler.isDone
    }

    /// The number of bytes of the token that Expat has begun to read.
    private var unfinished: Int {
        let start = unsafe Int(XML_GetCurrentByteIndex(parser))
        return start < 0 ? 0 : max(0, given - start)
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
    unsafe handler(context)?.refuse("it has a document type")
}

/// Receives comments, processing instructions and everything else that is not passed on.
private let onOther: XML_DefaultHandler = { context, _, _ in unsafe handler(context)?.checkToken() }
