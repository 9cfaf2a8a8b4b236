/// Combined parts of several genuine tokens, and tokens that cost a verifier more than a genuine one.
extension AttackSuite {
    /// Combined parts of several genuine tokens.
    @AttackList static var tokenRewraps: [AttackCase] {
        AttackCase(token: "token-rewrap-payload") { kit in
            let other = try kit.token(kit.richerTransaction)
            return try kit.token().with { $0.payload = other.payload }
        }
        AttackCase(token: "token-rewrap-signature") { kit in
            let other = try kit.token(kit.renewal)
            return try kit.token().with { $0.signature = other.signature }
        }
        AttackCase(token: "token-rewrap-rogue-header") { kit in
            let other = try kit.token(kit.transaction, by: kit.rogueTokens)
            return try kit.token().with { $0.header = other.header }
        }
        AttackCase(token: "token-rewrap-genuine-header") { kit in
            let other = try kit.token()
            return try kit.token(kit.richerTransaction, by: kit.rogueTokens).with { $0.header = other.header }
        }
        AttackCase(token: "token-rewrap-header-spaced") { kit in
            try kit.token().with { $0.header.octets += Array(" ".utf8) }
        }
        AttackCase(token: "token-rewrap-parts-swapped") { kit in
            try kit.token().with { ($0.payload, $0.signature) = ($0.signature, $0.payload) }
        }
        AttackCase(token: "token-rewrap-member-added") { kit in
            try kit.token().with {
                $0.payload.octets = $0.payload.octets.dropLast() + Array(#","isUpgraded":false}"#.utf8)
            }
        }
    }

    @AttackList static var tokenCost: [AttackCase] {
        AttackCase(payload: "token-cost-over-8-mib") { kit in
            kit.transaction.json.octets + [UInt8](repeating: 0x20, count: 6 << 20)
        }
        AttackCase(payload: "token-cost-nesting") { kit in
            kit.transaction.with { $0.advancedCommerceInfo = .nested(100_000) }.json.octets
        }
        AttackCase(tokenForm: "token-cost-header-nesting") { form, _ in
            form.headerEdits = [.add("deep", .nested(100_000))]
        }
        AttackCase(tokenForm: "token-cost-thousand-certificates") { form, kit in
            form.certificates =
                kit.tokens.certificates + Array(repeating: kit.rogueTokens.root.certificate, count: 1000)
        }
        AttackCase(tokenForm: "token-cost-thousand-members") { form, _ in
            form.headerEdits = (0..<10_000).map { .add("m\($0)", .null) }
        }
        AttackCase(payload: "token-cost-unsigned-megabytes") { _ in [UInt8](repeating: 0x61, count: 1 << 20) }
    }
}
