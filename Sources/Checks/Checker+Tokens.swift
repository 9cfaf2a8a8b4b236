import Encodings
import Inputs
import Proofs
import Receipts

/// The range of a token in bytes, without the blanks around it.
struct TokenText {
    let range: Range<Int>
    let parts: TokenParts

    /// Returns `nil` if the bytes are not a token. Exactly two dots make one, whatever is between them. Dots mean
    /// nothing in DER, which begins like the digit 0, in decoded base64, or in JSON.
    init?(_ bytes: Span<UInt8>, wasBase64: Bool) {
        guard !wasBase64, bytes.count > 0, bytes[0] != 0x30 || bytes.isText else { return nil }
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start].isBlank { start += 1 }
        while start < end, bytes[end - 1].isBlank { end -= 1 }
        guard start < end, !bytes.isInBraces(start..<end), let parts = TokenParts(bytes.extracting(start..<end)) else {
            return nil
        }
        self.parts = parts
        range = start..<end
    }
}

extension Span<UInt8> {
    /// Whether a text is a JSON object or array, judging by its first and last character.
    fileprivate func isInBraces(_ range: Range<Int>) -> Bool {
        switch self[range.lowerBound] {
        case UInt8(ascii: "{"): self[range.upperBound - 1] == UInt8(ascii: "}")
        case UInt8(ascii: "["): self[range.upperBound - 1] == UInt8(ascii: "]")
        default: false
        }
    }

    /// Whether all characters are printable ASCII or blanks.
    fileprivate var isText: Bool {
        for index in indices where !self[index].isBlank && !(0x21...0x7e).contains(self[index]) { return false }
        return true
    }
}

/// The checks of tokens.
extension Checker {
    /// Checks a token without blanks around it.
    func checkToken(_ text: Span<UInt8>, _ parts: TokenParts, into facts: inout Facts) {
        facts.format = .token
        do throws(TokenFault) {
            let token = try verifier.token(text, parts)
            guard checkPayload(token.payload, into: &facts) else {
                return facts.fail(OtherObject(verifier.verdict(on: token, at: nil)))
            }
            checkSignature(verifier.verdict(on: token, at: facts.createdAt), into: &facts)
        } catch {
            facts.fail(error)
        }
    }

    /// Verifies the tokens inside a token, whatever the names of their members: first those in its payload, in order,
    /// then those inside them. Each has its own verdict, even inside a valid one.
    public func tokens(inside facts: Facts) -> [Facts] {
        var found: [Facts] = []
        var level = [facts]
        var depth = 1
        while !level.isEmpty, depth <= NestedToken.maxDepth {
            var inside: [Facts] = []
            for token in level.lazy.compactMap(\.token).flatMap(\.nested) {
                guard found.count + inside.count < NestedToken.maxCount else { break }
                inside.append(self.facts(of: Claim(source: facts.claim.source), receipt: token.text.utf8.span))
            }
            found += inside
            level = inside
            depth += 1
        }
        return found
    }

    /// Checks what a token holds.
    ///
    /// - Returns: `false` if it is no proof, nor could be taken for one: there is nothing more to check.
    private func checkPayload(_ payload: [UInt8], into facts: inout Facts) -> Bool {
        facts.leaveUnchecked(.malformedInAppPurchase, .receiptExpired)
        do throws(TokenError) {
            let token = try Token(parsing: payload)
            if token.error != nil { facts.fail(.malformedReceipt) }
            if let date = token.signedAt { checkCreation(date, into: &facts) }
            checkDeviceHash(token.deviceVerification, into: &facts)
            if let bundleID = token.bundleID {
                check(bundleID: bundleID, into: &facts)
            } else {
                facts.leaveUnchecked(.bundleIDMismatch)
            }
            if let appVersion = token.appVersion {
                check(appVersion: appVersion, into: &facts)
            } else {
                facts.leaveUnchecked(.appVersionMismatch)
            }
            if let environment = token.environment {
                check(environment: environment, into: &facts)
            } else {
                facts.leaveUnchecked(.environmentMismatch)
            }
            facts.token = token
        } catch {
            guard error.couldBeProof(payload) else { return false }
            facts.fail(.malformedReceipt)
            facts.fault = .payload(error)
            facts.leaveUnchecked(after: .malformedReceipt)
        }
        return true
    }

    /// Compares the token's device hash with that of the claim's `device_verification_id`.
    private func checkDeviceHash(_ verification: Token.DeviceVerification?, into facts: inout Facts) {
        guard let verification, facts.verificationDevice != nil else { return facts.leaveUnchecked(.guidMismatch) }
        if deviceHash(facts.claim.deviceVerificationID, verification).span.isSame(as: verification.hash) {
            facts.deviceHash = .match
        } else {
            facts.deviceHash = .mismatch
            facts.fail(.guidMismatch)
        }
    }

    /// Computes the hash that a token for this device has: SHA-384 over the nonce and the device verification id, both
    /// in lower case (StoreKit, "deviceVerification").
    func deviceHash(_ id: ExactText, _ verification: Token.DeviceVerification) -> [UInt8] {
        verifier.sha384(of: verification.nonce.lowercasedASCII, id.lowercasedASCII)
    }
}

extension TokenError {
    /// Whether a lenient reader could take the payload for a proof: it is an object of no known kind only if it can be
    /// read, and what cannot be read may be one in another form of JSON.
    fileprivate func couldBeProof(_ payload: [UInt8]) -> Bool {
        switch self {
        case .unknownKind: false
        case .notJSON, .notAnObject: payload.contains(UInt8(ascii: "{"))
        case .repeated, .missing, .type, .noDate: true
        }
    }
}
