import Encodings

struct DeviceIdentifiers {
    var identifiers: [[UInt8]] = []
    var isMalformed = false
    init(_ text: String) {
        for part in text.split(separator: "|") {
            let p = Array(part.utf8.filter { $0 != 0x20 && $0 != 0x2d && $0 != 0x3a })
            if p.isEmpty { continue }
            var o: [UInt8] = []
            var bad = p.count != 32 && p.count != 12
            if !bad {
                for i in stride(from: 0, to: p.count, by: 2) {
                    guard let a = Hex.value(p[i]), let b = Hex.value(p[i + 1]) else { bad = true; break }
                    o.append(a << 4 | b)
                }
            }
            if bad { isMalformed = true } else { identifiers.append(o) }
        }
    }
}
