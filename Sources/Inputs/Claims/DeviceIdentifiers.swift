public import Encodings

/// The device identifiers that a claim names: alternatives, one of which must match.
///
/// An identifier is a UUID (`identifierForVendor`, 16 bytes) or a MAC address (6 bytes): with dashes or colons in their
/// places, or as 32 or 12 hexadecimal digits, optionally with `0x` or `\x` before them. A UUID may be in braces or
/// follow `urn:uuid:`. A Mac with two network ports has two addresses. An alternative that is a ``Placeholder`` is not
/// a device, and not malformed. The signs by which exporters keep spreadsheets from changing a text (`'` before it,
/// `="…"` or quotes around it) are not part of an identifier.
public struct DeviceIdentifiers: Sendable {
    /// The bytes of each readable alternative, in written order.
    public private(set) var identifiers: [[UInt8]] = []
    /// Some alternative is not a device identifier, or there are more than ``limit``.
    public private(set) var isMalformed = false
    /// The first placeholder among the alternatives, as written.
    public private(set) var placeholder: ExactText?
    /// The placeholders among the alternatives that have no bytes, as written.
    package private(set) var otherPlaceholders: [ExactText] = []
    /// The first alternative that names a kind of device, such as `android`, as written. It is malformed.
    public private(set) var kindOfDevice: ExactText?
    /// The first alternative in an unsupported form, such as base64, as written. It is malformed.
    public private(set) var otherForm: ExactText?
    /// The index of the smallest usable identifier: MAC addresses before UUIDs, then in byte order.
    public private(set) var smallestUsable: Int?
    /// The maximum number of alternatives; later ones are ignored.
    public static let limit = 16

    /// Reads identifiers separated by `|`. Blanks and signs of spreadsheets around them and empty alternatives are
    /// ignored.
    public init(_ text: ExactText) {
        let count = Self.forEachAlternative(in: text.utf8.span) { alternative in
            guard let octets = Self.octets(of: alternative) else { return insertOther(alternative) }
            if !octets.contains(where: { $0 != 0 }) { placeholder = placeholder ?? ExactText(repairing: alternative) }
            if Self.isUsable(octets), smallestUsable.map({ Self.precedes(octets, identifiers[$0]) }) ?? true {
                smallestUsable = identifiers.count
            }
            identifiers.append(octets)
        }
        if count > Self.limit { isMalformed = true }
    }

    /// Inserts an alternative without bytes.
    private mutating func insertOther(_ alternative: Span<UInt8>) {
        guard Placeholder.matchesDevice(alternative) else {
            isMalformed = true
            if Self.kinds.contains(where: { alternative.isLowercased($0) }) {
                kindOfDevice = kindOfDevice ?? ExactText(repairing: alternative)
            } else if otherForm == nil, alternative.isDeviceInOtherForm {
                otherForm = ExactText(repairing: alternative)
            }
            return
        }
        let text = ExactText(repairing: alternative)
        placeholder = placeholder ?? text
        otherPlaceholders.append(text)
    }

    /// The words in exports for devices without an id.
    private static let kinds: [[UInt8]] = [
        "android", "ios", "ipados", "macos", "tvos", "iphone", "ipad", "ipod", "mac", "web", "browser", "simulator",
        "emulator", "device",
    ].map { Array($0.utf8) }

    /// Whether an identifier identifies a device: not if it is all zeros, or 02:00:00:00:00:00, which iOS 7 and later
    /// give to every app that asks for a MAC address.
    public static func isUsable(_ identifier: [UInt8]) -> Bool {
        identifier.dropFirst().contains { $0 != 0 }
            || identifier.first != 0 && (identifier.count != 6 || identifier.first != 2)
    }

    /// Replaces the identifiers with the same number of pseudonyms.
    package mutating func replaceIdentifiers(_ others: [[UInt8]]) { identifiers = others }

    private static func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.count == second.count ? first.span.precedes(second.span) : first.count < second.count
    }
}

extension DeviceIdentifiers {
    /// Appends a claim's devices in the form that its identity uses: the hexadecimal digits of each alternative in
    /// lower case, or the original text if it is not a device identifier; in byte order, distinct, joined by `|`.
    /// Includes those after ``limit``.
    public static func appendIdentity(of text: ExactText, to bytes: inout [UInt8]) {
        var alternatives: [[UInt8]] = []
        _ = forEachAlternative(in: text.utf8.span, atMost: .max) { alternative in
            var written: [UInt8] = []
            if let octets = octets(of: alternative) {
                written.reserveCapacity(2 * octets.count)
                Hex.append(octets.span, to: &written)
            } else {
                written.append(copying: alternative)
            }
            alternatives.append(written)
        }
        alternatives.sort { $0.span.precedes($1.span) }
        var last: [UInt8]?
        for alternative in alternatives where alternative != last {
            if last != nil { bytes.append(UInt8(ascii: "|")) }
            bytes.append(contentsOf: alternative)
            last = alternative
        }
    }

    /// Calls a body with the first alternatives.
    ///
    /// - Returns: their number, or one more than the limit.
    private static func forEachAlternative(
        in text: Span<UInt8>, atMost limit: Int = limit, _ body: (Span<UInt8>) -> Void
    ) -> Int {
        var start = 0
        var count = 0
        for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: "|") {
            let alternative = text.extracting(start..<index).withoutSpreadsheetSigns
            start = index + 1
            guard alternative.count > 0 else { continue }
            count += 1
            guard count <= limit else { break }
            body(alternative)
        }
        return count
    }

    /// Returns the bytes of one identifier; `nil` if the text is not one.
    private static func octets(of text: Span<UInt8>) -> [UInt8]? {
        switch text.count {
        case 12, 32:
            text.octets(inGroupsOf: [text.count], apartBy: 0) ?? text.octetsOfShortMAC
        case 14, 34:
            text.isHexPrefixed ? octets(of: text.extracting(2...)) : text.octetsOfShortMAC
        case 38 where text[0] == UInt8(ascii: "{") && text[37] == UInt8(ascii: "}"):
            octets(of: text.extracting(1..<37))
        case 45 where text.extracting(..<9).isLowercased(Array("urn:uuid:".utf8)): octets(of: text.extracting(9...))
        case 11, 13, 15, 16: text.octetsOfShortMAC
        case 36: text.octets(inGroupsOf: groupsOfUUID, apartBy: UInt8(ascii: "-"))
        case 17:
            text.octets(inGroupsOf: groupsOfMAC, apartBy: UInt8(ascii: "-"))
                ?? text.octets(inGroupsOf: groupsOfMAC, apartBy: UInt8(ascii: ":"))
        default: nil
        }
    }

    private static let groupsOfUUID = [8, 4, 4, 4, 12]
    private static let groupsOfMAC = [2, 2, 2, 2, 2, 2]

    /// Returns the device of a `device_verification_id`, which is one UUID with its hyphens, in any case; `nil` if the
    /// text is not one, or a placeholder.
    public static func device(ofVerificationID text: ExactText) -> Device? {
        let text = text.utf8.span
        guard text.count == 36, !Placeholder.matches(text), let octets = octets(of: text) else { return nil }
        return Device(octets: octets.span)
    }
}

extension DeviceIdentifiers {
    /// Returns the devices of several columns as alternatives. What is no device in one of them, such as an id of the
    /// company's own, does not count beside a device in another one.
    static func joined(_ text: Span<UInt8>) -> ExactText {
        guard text.firstIndex(of: Claim.separatorOfDevices) != nil else { return ExactText(repairing: text) }
        let texts = text.copy().split(separator: Claim.separatorOfDevices, omittingEmptySubsequences: false)
            .map { ExactText(repairing: $0.span.withoutBlanks) }
        let devices = texts.filter { text in
            let found = DeviceIdentifiers(text)
            return !found.isMalformed && found.smallestUsable != nil
        }
        guard !devices.isEmpty else { return texts.first { !$0.isEmpty } ?? "" }
        return ExactText(devices.map(\.text).joined(separator: "|"))
    }

    /// Returns a UUID in its canonical form (RFC 9562: lower case, with hyphens), read from any form that a device may
    /// have; `nil` if the text is no UUID.
    public static func canonicalUUID(_ text: ExactText) -> ExactText? {
        let written = text.utf8.span
        let bare = written.withoutSpreadsheetSigns
        // Most texts are no UUID or a canonical one.
        guard lengthsOfUUID.contains(bare.count) else { return nil }
        guard let octets = octets(of: bare), octets.count == 16 else { return nil }
        let digits = uuid(octets.span)
        return digits.span.isSame(as: written) ? text : ExactText(repairing: digits.span)
    }

    /// Returns the text of a UUID's bytes, in lower case.
    static func uuid(_ octets: Span<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for group in [0..<4, 4..<6, 6..<8, 8..<10, 10..<16] {
            if group.lowerBound > 0 { digits.append(UInt8(ascii: "-")) }
            Hex.append(octets.extracting(group), to: &digits)
        }
        return digits
    }

    private static let lengthsOfUUID = [36, 32, 34, 38, 45]
}

extension Span where Element == UInt8 {
    /// The text without blanks, and without the signs of spreadsheets around it; as it is, if it is a ``Placeholder``.
    var withoutSpreadsheetSigns: Span<UInt8> {
        @_lifetime(copy self) get {
            let text = withoutBlanks
            guard text.count > 0, !Placeholder.matches(text) else { return text }
            var (start, end) = (0, text.count)
            if text[start] == UInt8(ascii: "="), end > 1, text[1].isQuote { start += 1 }
            if text[start].isQuote { start += 1 }
            if start < end, text[end - 1].isQuote { end -= 1 }
            return text.extracting(start..<end).withoutBlanks
        }
    }

    /// Whether hexadecimal digits follow `0x` or `\x`, as databases write bytes.
    fileprivate var isHexPrefixed: Bool {
        count > 2 && (self[0] == UInt8(ascii: "0") || self[0] == UInt8(ascii: "\\"))
            && self[1] | 0x20 == UInt8(ascii: "x")
            && Hex.value(self[2]) != nil
    }

    /// The bytes of a MAC address with colons and without leading zeros, as from ether_ntoa(3).
    fileprivate var octetsOfShortMAC: [UInt8]? {
        var octets: [UInt8] = []
        var digits = 0
        for index in 0...count {
            guard index < count, self[index] != UInt8(ascii: ":") else {
                guard (1...2).contains(digits) else { return nil }
                digits = 0
                continue
            }
            guard let value = Hex.value(self[index]), digits < 2, octets.count < 7 else { return nil }
            if digits == 0 {
                octets.append(value)
            } else {
                octets[octets.count - 1] = octets[octets.count - 1] << 4 | value
            }
            digits += 1
        }
        return octets.count == 6 ? octets : nil
    }

    /// Whether a text is base64 of 16 bytes, or a MAC address in groups of four digits with dots: forms that could also
    /// be something else.
    fileprivate var isDeviceInOtherForm: Bool {
        if count == 14 { return octets(inGroupsOf: [4, 4, 4], apartBy: UInt8(ascii: ".")) != nil }
        var octets: [UInt8] = []
        return (22...24).contains(count) && Base64.decode(self, into: &octets) && octets.count == 16
    }

    /// Returns the bytes of hexadecimal digits in groups with a separator.
    fileprivate func octets(inGroupsOf groups: [Int], apartBy mark: UInt8) -> [UInt8]? {
        var areDigits = true
        let octets = [UInt8](capacity: count / 2) { octets in
            var position = 0
            for group in groups {
                if position > 0 {
                    areDigits = areDigits && self[position] == mark
                    position += 1
                }
                for _ in 0..<group / 2 {
                    guard areDigits, let high = Hex.value(self[position]), let low = Hex.value(self[position + 1])
                    else { return areDigits = false }
                    octets.append(high << 4 | low)
                    position += 2
                }
            }
        }
        return areDigits ? octets : nil
    }
}

extension UInt8 {
    /// Whether it is `"` or `'`.
    fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
