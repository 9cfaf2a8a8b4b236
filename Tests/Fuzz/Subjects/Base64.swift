import Encodings
import Engine
import Foundation

@testable import Inputs
@testable import Streams

/// Base64, and the forms in which a receipt is sent as text.
struct Base64Subject: Subject {
    func read(_ bytes: [UInt8]) {
        decode(bytes)
        decodeForm(bytes)
        encode(bytes)
    }

    /// Text is decoded as Foundation decodes it, and as ``reference(_:)`` does, which is one loop.
    private func decode(_ text: [UInt8]) {
        var octets: [UInt8] = [1, 2, 3]
        let decoded = Base64.decode(text.span, into: &octets) ? octets : nil
        demand(decoded == reference(text), "\(decoded ?? []) is not what the text encodes")
        guard let decoded else { return }
        var standard = text.filter { !$0.isBlank && $0 != UInt8(ascii: "=") }
        standard = standard.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 }
        standard = standard.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        standard += Array(repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        demand(Data(base64Encoded: Data(standard)).map { [UInt8]($0) } == decoded, "Foundation decodes something else")
        // Blanks are nowhere a part of it.
        let place = text.choice(of: text.count + 1)
        var spaced = text
        spaced.insert(contentsOf: [0x0d, 0x0a, 0x20], at: place)
        octets = []
        demand(Base64.decode(spaced.span, into: &octets) && octets == decoded, "a blank at \(place) changes it")
    }

    private func reference(_ text: [UInt8]) -> [UInt8]? {
        var (bits, count, padding) = (UInt32(0), 0, 0)
        var octets: [UInt8] = []
        for character in text where !character.isBlank {
            let value: UInt32
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character) + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 == 0 { octets += [UInt8(bits >> 16 & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits & 0xff)] }
        }
        guard padding == 0 || padding < 3 && (count + padding) % 4 == 0 else { return nil }
        switch count % 4 {
        case 1: return nil
        case 2: octets.append(UInt8(bits >> 4 & 0xff))
        case 3: octets += [UInt8(bits >> 10 & 0xff), UInt8(bits >> 2 & 0xff)]
        default: break
        }
        return octets
    }

    /// What is sent in is decoded or left alone, however it got there.
    private func decodeForm(_ stored: [UInt8]) {
        var scratch: [UInt8] = [1, 2, 3]
        let isDecoded = ReceiptForm.decode(stored.span, into: &scratch)
        // `0x3082…` begins like a SEQUENCE of 120 bytes, which would not be digits.
        let isHex = stored.starts(with: Array("0x".utf8)) || stored.starts(with: Array("0X".utf8))
        demand(!isDecoded || stored.first != 0x30 || isHex, "DER was decoded")
        // Gzip may hold more than base64.
        let largest = max(Base64.largestCount(of: stored.count) + 1, 16 * stored.count)
        demand(scratch.count <= largest, "more than there is")
        guard isDecoded else { return }
        var again: [UInt8] = []
        let padded = [0x20] + stored + [0x0a]
        // A byte order mark comes first or nowhere.
        guard stored.span.byteOrderMark == 0 else { return }
        demand(ReceiptForm.decode(padded.span, into: &again) && again == scratch, "blanks around it change it")
    }

    /// Bytes are the same in every form in which a receipt is sent.
    private func encode(_ octets: [UInt8]) {
        let data = Data([0x30] + octets)
        let lines: [Data.Base64EncodingOptions] = [
            [], [.lineLength64Characters, .endLineWithLineFeed], [.lineLength76Characters],
            [.lineLength64Characters, .endLineWithCarriageReturn],
        ]
        for options in lines {
            let text = data.base64EncodedString(options: options)
            let unpadded = String(text.prefix { $0 != "=" })
            let safe = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
            let armoured = "-----BEGIN PKCS7-----\n\(text)\n-----END PKCS7-----\n"
            let url = "data:application/octet-stream;base64," + text
            for form in [text, unpadded, safe, armoured, url, "\u{feff}" + text, "\u{feff}\r\n" + armoured] {
                let bytes = Array(form.utf8)
                var decoded: [UInt8] = []
                demand(ReceiptForm.decode(bytes.span, into: &decoded) && decoded == [UInt8](data), "another receipt")
            }
        }
        var line: [UInt8] = []
        Base64Text.append(octets.span, to: &line)
        demand((try? Base64Text.octets(of: line.span)) == octets, "another text in a line")
    }
}
