import DER
import FoundationEssentials

/// PEM and other text around the proof.
extension AttackSuite {
    @AttackList static var armour: [AttackCase] {
        AttackCase(
            claim: "text-empty", "There are no octets at all.",
            why: "Nothing is wrong with nothing: every loop over it passes.",
            reference: "CWE-1284", fails: .receiptEmpty
        ) { kit in kit.claim(text: "") }
        AttackCase(
            claim: "text-blanks", "There are blanks and line breaks, and nothing else.",
            why: "Blanks around base64 are dropped; nothing is left.",
            reference: "RFC 4648, section 3.3", fails: .receiptEmpty
        ) { kit in kit.claim(text: " \r\n\t\n ") }
        AttackCase(
            claim: "text-two-pem-blocks", "The genuine receipt stands in a PEM block; a second block has the forger's.",
            why: "One reader takes the first block, another the last.",
            reference: "RFC 7468, section 2; CWE-436", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded) + kit.pem(kit.signed(by: kit.rogue).encoded))
        }
        AttackCase(
            claim: "text-two-pem-blocks-reversed",
            "The forger's receipt stands in a PEM block; a second block has the genuine one.",
            why: "One reader takes the first block, another the last.",
            reference: "RFC 7468, section 2; CWE-436", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: kit.pem(kit.signed(by: kit.rogue).encoded) + kit.pem(kit.signed().encoded))
        }
        AttackCase(
            claim: "text-behind-pem", "Text follows the END line of the PEM block.",
            why: "Explanatory text is for people; around a proof it is free.",
            reference: "RFC 7468, section 5.2", fails: .unknownFormat
        ) { kit in try kit.claim(text: kit.pem(kit.signed().encoded) + "and some more\n") }
        AttackCase(
            claim: "text-before-pem", "Text precedes the BEGIN line of the PEM block.",
            why: "Explanatory text is for people; around a proof it is free.",
            reference: "RFC 7468, section 5.2", fails: .unknownFormat
        ) { kit in try kit.claim(text: "Subject: a receipt\n" + kit.pem(kit.signed().encoded)) }
        AttackCase(
            claim: "text-pem-labels-differ", "The BEGIN line says PKCS7, the END line CERTIFICATE.",
            why: "The two labels must be the same; the second one would be free.",
            reference: "RFC 7468, section 2", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded, end: "CERTIFICATE"))
        }
        AttackCase(
            claim: "text-pem-without-end", "The PEM block has no END line.",
            why: "The text may have been cut short; where it ends is a guess.",
            reference: "RFC 7468, section 3", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: String(kit.pem(kit.signed().encoded).split(separator: "-----END")[0]))
        }
        AttackCase(
            claim: "text-pem-headers", "The PEM block has headers, as encrypted keys have them.",
            why: "PEM of PKCS #7 has none; what they say is free.",
            reference: "RFC 7468, section 2; RFC 1421", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded, headers: "Proc-Type: 4,CLEAR\nX-Note: anything\n\n"))
        }
        AttackCase(
            claim: "text-json", "The receipt stands in the body of a verifyReceipt request.",
            why:
                "The body is what an app sends to its server; the proof is the value in it. Whoever searches for it finds two in "
                + "another body.",
            reference: "Apple, “verifyReceipt”", fails: .unknownFormat
        ) { kit in try kit.claim(text: "{\"receipt-data\":\"\(kit.base64(kit.signed().encoded))\"}") }
        AttackCase(
            claim: "text-quoted", "The base64 stands in quotation marks.",
            why: "They belong to JSON, from which the text was cut.",
            reference: "RFC 4648, section 3.3", fails: .unknownFormat
        ) { kit in try kit.claim(text: "\"\(kit.base64(kit.signed().encoded))\"") }
        AttackCase(
            "text-gzip", "The container is compressed with gzip.",
            why: "Whoever unpacks what devices send can be sent a bomb; and each level and header makes another file.",
            reference: "RFC 1952; CWE-409", fails: .unknownFormat
        ) { kit in Gzip.stored(try kit.signed().encoded) }
        AttackCase(
            "text-line-break-before-der", "A line break precedes the container's DER.",
            why: "DER has no blanks around it; a reader that skips them makes many files of one receipt.",
            reference: "X.690, section 8.1.1", fails: .unknownFormat
        ) { kit in [0x0a] + (try kit.signed().encoded) }
        AttackCase(
            "text-byte-order-mark-before-der", "A byte order mark precedes the container's DER.",
            why: "It belongs to text, and DER is none.",
            reference: "RFC 3629, section 6", fails: .unknownFormat
        ) { kit in [0xef, 0xbb, 0xbf] + (try kit.signed().encoded) }
    }

    /// Text that is nearly base64.
    @AttackList static var alphabets: [AttackCase] {
        AttackCase(
            claim: "text-padding-in-the-middle", "Two receipts in base64, each with its padding, one behind the other.",
            why: "One reader stops at the first padding, another skips it.",
            reference: "RFC 4648, section 3.2; CWE-436", fails: .unknownFormat
        ) { kit in
            let genuine = kit.base64(try kit.signed(length: 1).encoded)
            return kit.claim(text: genuine + kit.base64(try kit.signed(by: kit.rogue).encoded))
        }
        AttackCase(
            claim: "text-too-much-padding", "The base64 has more padding than its last group needs.",
            why: "Padding fills the last group of four, and no more.",
            reference: "RFC 4648, section 3.2", fails: .unknownFormat
        ) { kit in try kit.claim(text: kit.base64(kit.signed().encoded) + "====") }
        AttackCase(
            claim: "text-foreign-characters", "An asterisk stands at the end of every line of the base64.",
            why:
                "A decoder that skips what it does not know makes many texts of one receipt; MIME's does, others do not.",
            reference: "RFC 4648, section 3.3; CWE-436", fails: .unknownFormat
        ) { kit in
            try kit.claim(text: kit.base64(kit.signed().encoded, lineLength: 64).replacing("\n", with: "*\n"))
        }
        AttackCase(
            claim: "text-percent-encoded", "Some characters of the base64 are percent-encoded, as in a URL.",
            why: "Form data is decoded before, once. Decoding here, too, makes two forms of one receipt.",
            reference: "RFC 3986, section 2.1; CWE-174", fails: .unknownFormat
        ) { kit in
            try kit.claim(
                text: kit.base64(kit.signed().encoded).replacing("+", with: "%2B").replacing("/", with: "%2F")
                    .replacing("M", with: "%4D", maxReplacements: 1))
        }
        AttackCase(
            claim: "text-base64-twice", "The base64 is encoded in base64 again.",
            why: "A reader that decodes until something fits makes as many forms of one receipt as it likes.",
            reference: "CWE-174", fails: .unknownFormat
        ) { kit in try kit.claim(text: kit.base64(Array(kit.base64(kit.signed().encoded).utf8))) }
        AttackCase(
            claim: "text-fullwidth", "The first letter of the base64 is fullwidth, U+FF2D.",
            why: "Compatibility normalisation makes it an M; base64 is ASCII.",
            reference: "RFC 4648, section 4; UTS 39", fails: .unknownFormat
        ) { kit in try kit.claim(text: "\u{ff2d}" + kit.base64(kit.signed().encoded).dropFirst()) }
        AttackCase(
            claim: "text-behind-nul", "A NUL and some text follow the base64.",
            why: "Read as a C string it ends before; read as a buffer it does not.",
            reference: "CWE-158", fails: .unknownFormat
        ) { kit in try kit.claim(text: kit.base64(kit.signed().encoded) + "\0and some more") }
        AttackCase(
            claim: "text-utf16", "The base64 is written in UTF-16.",
            why: "Every second octet is zero. A proof is octets; nobody says which encoding.",
            reference: "RFC 4648, section 4", fails: .unknownFormat
        ) { kit in
            let text = kit.base64(try kit.signed().encoded)
            return kit.claim([0xff, 0xfe] + text.utf8.flatMap { [$0, 0] }).with { $0.isText = true }
        }
        AttackCase(
            claim: "text-three-dots", "Four pieces of the base64 are joined by dots.",
            why: "Two dots make a JWS, three make nothing. A reader that drops dots reads a receipt.",
            reference: "RFC 7515, section 7.1", fails: .unknownFormat
        ) { kit in try kit.claim(text: kit.dotted(kit.signed().encoded, parts: 4)) }
        AttackCase(
            claim: "text-token-look-alike", "Three pieces of the base64 are joined by dots, as the parts of a JWS are.",
            why:
                "It is to be read as a JWS, whose header is then no JSON; a reader that tries one format after the other lets "
                + "the sender choose the rules.",
            reference: "RFC 7515, section 7.1; CWE-436", fails: .malformedContainer
        ) { kit in try kit.claim(text: kit.dotted(kit.signed().encoded, parts: 3)) }
    }
}

extension AttackKit {
    /// Returns bytes in standard base64 with padding; with line breaks if a length is given.
    func base64(_ octets: [UInt8], lineLength: Int? = nil) -> String {
        let text = Array(Data(octets).base64EncodedString().utf8)
        guard let lineLength else { return String(decoding: text, as: UTF8.self) }
        return stride(from: 0, to: text.count, by: lineLength).map { start in
            String(decoding: text[start..<min(start + lineLength, text.count)], as: UTF8.self) + "\n"
        }.joined()
    }

    /// Returns bytes in a PEM block (RFC 7468, section 8).
    func pem(_ octets: [UInt8], end: String = "PKCS7", headers: String = "") -> String {
        "-----BEGIN PKCS7-----\n" + headers + base64(octets, lineLength: 64) + "-----END \(end)-----\n"
    }

    /// Returns bytes in unpadded base64url, split into `parts` pieces with dots between them.
    fileprivate func dotted(_ octets: [UInt8], parts: Int) -> String {
        let text = Array(base64url(octets).utf8)
        let size = text.count / parts
        return (0..<parts).map { part in
            let end = part == parts - 1 ? text.count : (part + 1) * size
            return String(decoding: text[(part * size)..<end], as: UTF8.self)
        }.joined(separator: ".")
    }

    /// Returns bytes in the URL-safe alphabet without padding (RFC 4648, section 5).
    func base64url(_ octets: [UInt8]) -> String {
        base64(octets).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns a container whose length has this remainder modulo 3, so that its base64 has padding.
    fileprivate func signed(length remainder: Int) throws(SigningError) -> SignedDataContent {
        for count in 0..<3 {
            let container = try signed(receipt { $0.attribute6 = [UInt8](repeating: 0x80, count: 64 + count) }.der)
            if container.encoded.count % 3 == remainder { return container }
        }
        return try signed()
    }
}

/// A minimal gzip writer: stored blocks (RFC 1951, section 3.2.4; RFC 1952).
enum Gzip {
    /// Returns bytes as uncompressed gzip.
    static func stored(_ octets: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
        for start in stride(from: 0, to: octets.count, by: 0xffff) {
            let block = octets[start..<min(start + 0xffff, octets.count)]
            let count = UInt16(block.count)
            output.append(block.endIndex == octets.count ? 1 : 0)
            output += [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)] + block
        }
        var checksum: UInt32 = ~0
        for octet in octets {
            checksum ^= UInt32(octet)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
        for number in [~checksum, UInt32(truncatingIfNeeded: octets.count)] {
            output += (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        }
        return output
    }
}
