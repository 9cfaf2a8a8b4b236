import DER
import FoundationEssentials

/// PEM and other text around the proof.
extension AttackSuite {
    @AttackList static var armour: [AttackCase] {
        AttackCase(claim: "text-empty") { kit in kit.claim(text: "") }
        AttackCase(claim: "text-blanks") { kit in kit.claim(text: " \r\n\t\n ") }
        AttackCase(claim: "text-two-pem-blocks") { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded) + kit.pem(kit.signed(by: kit.rogue).encoded))
        }
        AttackCase(claim: "text-two-pem-blocks-reversed") { kit in
            try kit.claim(text: kit.pem(kit.signed(by: kit.rogue).encoded) + kit.pem(kit.signed().encoded))
        }
        AttackCase(claim: "text-behind-pem") { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded) + "and some more\n")
        }
        AttackCase(claim: "text-before-pem") { kit in
            try kit.claim(text: "Subject: a receipt\n" + kit.pem(kit.signed().encoded))
        }
        AttackCase(claim: "text-pem-labels-differ") { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded, end: "CERTIFICATE"))
        }
        AttackCase(claim: "text-pem-without-end") { kit in
            try kit.claim(text: String(kit.pem(kit.signed().encoded).split(separator: "-----END")[0]))
        }
        AttackCase(claim: "text-pem-headers") { kit in
            try kit.claim(text: kit.pem(kit.signed().encoded, headers: "Proc-Type: 4,CLEAR\nX-Note: anything\n\n"))
        }
        AttackCase(claim: "text-json") { kit in
            try kit.claim(text: "{\"receipt-data\":\"\(kit.base64(kit.signed().encoded))\"}")
        }
        AttackCase(claim: "text-quoted") { kit in try kit.claim(text: "\"\(kit.base64(kit.signed().encoded))\"") }
        AttackCase("text-gzip") { kit in Gzip.stored(try kit.signed().encoded) }
        AttackCase("text-line-break-before-der") { kit in [0x0a] + (try kit.signed().encoded) }
        AttackCase("text-byte-order-mark-before-der") { kit in [0xef, 0xbb, 0xbf] + (try kit.signed().encoded) }
    }

    /// Text that is nearly base64.
    @AttackList static var alphabets: [AttackCase] {
        AttackCase(claim: "text-padding-in-the-middle") { kit in
            let genuine = kit.base64(try kit.signed(length: 1).encoded)
            return kit.claim(text: genuine + kit.base64(try kit.signed(by: kit.rogue).encoded))
        }
        AttackCase(claim: "text-too-much-padding") { kit in
            try kit.claim(text: kit.base64(kit.signed().encoded) + "====")
        }
        AttackCase(claim: "text-foreign-characters") { kit in
            try kit.claim(text: kit.base64(kit.signed().encoded, lineLength: 64).replacing("\n", with: "*\n"))
        }
        AttackCase(claim: "text-percent-encoded") { kit in
            try kit.claim(
                text: kit.base64(kit.signed().encoded).replacing("+", with: "%2B").replacing("/", with: "%2F")
                    .replacing("M", with: "%4D", maxReplacements: 1))
        }
        AttackCase(claim: "text-base64-twice") { kit in
            try kit.claim(text: kit.base64(Array(kit.base64(kit.signed().encoded).utf8)))
        }
        AttackCase(claim: "text-fullwidth") { kit in
            try kit.claim(text: "\u{ff2d}" + kit.base64(kit.signed().encoded).dropFirst())
        }
        AttackCase(claim: "text-behind-nul") { kit in
            try kit.claim(text: kit.base64(kit.signed().encoded) + "\0and some more")
        }
        AttackCase(claim: "text-utf16") { kit in
            let text = kit.base64(try kit.signed().encoded)
            return kit.claim([0xff, 0xfe] + text.utf8.flatMap { [$0, 0] }).with { $0.isText = true }
        }
        AttackCase(claim: "text-three-dots") { kit in try kit.claim(text: kit.dotted(kit.signed().encoded, parts: 4)) }
        AttackCase(claim: "text-token-look-alike") { kit in
            try kit.claim(text: kit.dotted(kit.signed().encoded, parts: 3))
        }
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
