import DER
import Proofs
import Testing

struct `The first flaw of an encoding` {
    @Test(arguments: [
        ("an indefinite length", [0x30, 0x80, 0x00, 0x00], 0, EncodingFlaw.Kind.indefiniteLength),
        ("one inside another element", [0x30, 0x06, 0x02, 0x01, 0x05, 0x24, 0x80, 0x00], 5, .indefiniteLength),
        ("a length that could be shorter", [0x30, 0x81, 0x03, 0x02, 0x01, 0x05], 0, .longLength),
        ("an element that is cut short", [0x30, 0x03, 0x02, 0x05, 0x00], 2, .cutShort),
        ("an element without a length", [0x30, 0x01, 0x02], 2, .cutShort),
        ("bytes behind the last element", [0x30, 0x00, 0x00], 2, .leftOver),
        ("a length of too many octets", [0x30, 0x85, 0, 0, 0, 0, 0], 0, .longLength),
    ])
    func `is found where it stands in the file`(
        _ what: String, bytes: [UInt8], position: Int, kind: EncodingFlaw.Kind
    ) {
        let flaw = EncodingFlaw(in: bytes.span)
        #expect(flaw?.kind == kind)
        #expect(flaw?.position == position)
    }

    @Test func `is none in DER`() {
        let nested = DERWriter.element(.sequence, DERWriter.integer(1), DERWriter.element(.set), DERWriter.null)
        for bytes in [nested, DERWriter.integer(1), []] {
            let flaw = EncodingFlaw(in: bytes.span)
            #expect(flaw == nil)
        }
    }
}
