import Encodings
import Testing

@testable import Inputs

struct `An account` {
    private static let canonical: ExactText = "4c4c4544-0051-3010-8052-b4c04f4e3432"

    private func claim(_ text: String) -> Claim {
        var claim = Claim(source: "a")
        (claim.accountID, claim.accountToken) = (ExactText(text), ExactText(text))
        return claim
    }

    @Test(arguments: [
        "4c4c4544-0051-3010-8052-b4c04f4e3432", "4C4C4544-0051-3010-8052-B4C04F4E3432",
        "4c4C4544-0051-3010-8052-B4C04F4E3432", "4C4C4544005130108052B4C04F4E3432", "4c4c4544005130108052b4c04f4e3432",
        "{4C4C4544-0051-3010-8052-B4C04F4E3432}", "urn:uuid:4c4c4544-0051-3010-8052-b4c04f4e3432",
        "URN:UUID:4C4C4544-0051-3010-8052-B4C04F4E3432", "0x4C4C4544005130108052B4C04F4E3432",
        "\\x4c4c4544005130108052b4c04f4e3432", "'4c4c4544-0051-3010-8052-b4c04f4e3432",
        "=\"4c4c4544-0051-3010-8052-b4c04f4e3432\"",
    ])
    func `that is a UUID is one in any form, and is kept as written`(_ text: String) {
        let claim = claim(text)
        #expect(claim.account == Self.canonical && claim.accountUUID == Self.canonical)
        #expect(claim.canonicalAccountID == Self.canonical)
        #expect(claim.accountID == ExactText(text) && claim.accountToken == ExactText(text))
    }

    @Test(arguments: [
        "ann", "Ann", "f0:18:98:a1:b2:c3", "f01898a1b2c3", "0xf01898a1b2c3",
        "4c4c4544-0051-3010-8052-b4c04f4e3432\u{200b}",
        "4c4c4544-0051-3010-8052-b4c04f4e34321", "4c4c45440051-3010-8052-b4c04f4e3432-",
        "12345678901234567890123456789012345", "4c4c4544-0051-3010-8052-b4c04f4e343g",
    ])
    func `that is anything else is as written, and no account token`(_ text: String) {
        let claim = claim(text)
        #expect(claim.account == ExactText(text) && claim.canonicalAccountID == ExactText(text))
        #expect(claim.accountUUID == "")
    }
}
