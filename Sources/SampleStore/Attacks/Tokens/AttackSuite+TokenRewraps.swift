/// Combined parts of several genuine tokens, and tokens that cost a verifier more than a genuine one.
extension AttackSuite {
    /// Combined parts of several genuine tokens.
    @AttackList static var tokenRewraps: [AttackCase] {
        AttackCase(
            token: "token-rewrap-payload", "The payload is that of another genuine transaction.",
            why: "The signature is over the first one's.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in
            let other = try kit.token(kit.richerTransaction)
            return try kit.token().with { $0.payload = other.payload }
        }
        AttackCase(
            token: "token-rewrap-signature", "The signature is that of a genuine renewal info.",
            why: "It is over another payload.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in
            let other = try kit.token(kit.renewal)
            return try kit.token().with { $0.signature = other.signature }
        }
        AttackCase(
            token: "token-rewrap-rogue-header", "The header is that of the forger's token, the rest the store's.",
            why: "The forger's leaf did not sign it, and its chain is not trusted.",
            reference: "RFC 7515, section 5.2", fails: .signatureInvalid, .chainUntrusted
        ) { kit in
            let other = try kit.token(kit.transaction, by: kit.rogueTokens)
            return try kit.token().with { $0.header = other.header }
        }
        AttackCase(
            token: "token-rewrap-genuine-header", "The header is the store's, the rest the forger's.",
            why: "The store's leaf did not sign it.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in
            let other = try kit.token()
            return try kit.token(kit.richerTransaction, by: kit.rogueTokens).with { $0.header = other.header }
        }
        AttackCase(
            token: "token-rewrap-header-spaced", "A blank was added to the header after it was signed.",
            why: "The signature is over the header's text, not over what it means.",
            reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in try kit.token().with { $0.header.octets += Array(" ".utf8) } }
        AttackCase(
            token: "token-rewrap-parts-swapped", "Payload and signature have changed places.",
            why: "The second part is the payload. The third is no signature, and the second no JSON.",
            reference: "RFC 7515, section 7.1",
            fails: .noncanonicalContainer, .signatureInvalid, .malformedReceipt
        ) { kit in
            try kit.token().with { ($0.payload, $0.signature) = ($0.signature, $0.payload) }
        }
        AttackCase(
            token: "token-rewrap-member-added", "A member was added to the payload after it was signed.",
            why: "The signature is over the payload's text.", reference: "RFC 7515, section 5.2",
            fails: .signatureInvalid
        ) { kit in
            try kit.token().with {
                $0.payload.octets = $0.payload.octets.dropLast() + Array(#","isUpgraded":false}"#.utf8)
            }
        }
    }

    @AttackList static var tokenCost: [AttackCase] {
        AttackCase(
            payload: "token-cost-over-8-mib", "White space makes the token larger than 8 MiB; the signature holds.",
            why: "A token has a few thousand octets: a limit must come first.", reference: "CWE-400",
            fails: .receiptUnreadable
        ) { kit in kit.transaction.json.octets + [UInt8](repeating: 0x20, count: 6 << 20) }
        AttackCase(
            payload: "token-cost-nesting", "A hundred thousand lists are nested in the payload.",
            why: "A reader that descends recursively runs out of stack.", reference: "CWE-674; RFC 8259, section 9",
            fails: .malformedReceipt
        ) { kit in kit.transaction.with { $0.advancedCommerceInfo = .nested(100_000) }.json.octets }
        AttackCase(
            tokenForm: "token-cost-header-nesting", "A hundred thousand lists are nested in the header.",
            why: "A header is read before anything is known of its sender.", reference: "CWE-674; RFC 8259, section 9",
            fails: .malformedContainer
        ) { form, _ in form.headerEdits = [.add("deep", .nested(100_000))] }
        AttackCase(
            tokenForm: "token-cost-thousand-certificates", "x5c has a thousand certificates behind the three.",
            why: "Each of them would be decoded, and each signature verified.", reference: "CWE-400",
            fails: .noncanonicalContainer
        ) { form, kit in
            form.certificates =
                kit.tokens.certificates + Array(repeating: kit.rogueTokens.root.certificate, count: 1000)
        }
        AttackCase(
            tokenForm: "token-cost-thousand-members", "The header has ten thousand members of different names.",
            why: "A reader that compares each name with each needs a hundred million comparisons.",
            reference: "CWE-407", fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = (0..<10_000).map { .add("m\($0)", .null) } }
        AttackCase(
            payload: "token-cost-unsigned-megabytes", "A megabyte of another text in the place of the payload.",
            why: "What is no JSON should be found out at its first octet, if the signature has not told already.",
            reference: "CWE-400", fails: .notAProof
        ) { _ in [UInt8](repeating: 0x61, count: 1 << 20) }
    }
}
