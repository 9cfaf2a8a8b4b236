import SampleStore
import Testing

@testable import Proofs

struct `Trust anchors` {
    @Test func `that are built in are Apple's three roots`() throws {
        #expect(
            try TrustAnchors.apple().anchors.map(\.certificate.fingerprint) == [
                "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
                "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
                "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
            ])
    }

    @Test func `are read from DER and from PEM with several certificates, each once`() throws {
        let roots = try [PrivateAuthority().root.certificate, PrivateAuthority.rogue().root.certificate]
        let pem = "a comment\n" + roots.map(armoured).joined(separator: "\n")
        let anchors = try TrustAnchors(files: [
            (name: "roots.pem", bytes: Array(pem.utf8)), (name: "root.cer", bytes: roots[0]),
        ])
        #expect(anchors.anchors.map(\.der) == roots)
        #expect(anchors.anchors.map(\.origin) == ["roots.pem", "roots.pem"])
    }

    @Test func `are not an intermediate`() throws {
        let intermediate = try PrivateAuthority().certificates[1]
        #expect(throws: TrustAnchorError.self) { try TrustAnchors(files: [(name: "wwdr.cer", bytes: intermediate)]) }
    }

    @Test(arguments: [
        [], Array("hello".utf8), [0x30, 0x03, 0x02, 0x01, 0x00], Array("-----BEGIN CERTIFICATE-----\n".utf8),
    ])
    func `are not`(bytes: [UInt8]) {
        let error = #expect(throws: TrustAnchorError.self) {
            try TrustAnchors(files: [(name: "root.cer", bytes: bytes)])
        }
        #expect(error?.description.hasPrefix("root.cer is not a root certificate in DER or PEM") == true)
    }

    private func armoured(_ der: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: der.count, by: 3) {
            let group = der[start..<min(start + 3, der.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
            }
            if text.utf8.count % 65 == 64 { text.append("\n") }
        }
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}
