import DER
import Encodings
import Proofs
import SampleStore
import Testing

@testable import Checks

struct `An explanation of a container` {
    @Test func `says how it deviates`() throws {
        #expect(try deviation { $0.version = 3 } == "version 3 instead of 1.")
        #expect(
            try deviation { $0.encoding = .indefinite(pieces: 1000) }
                == "the element at byte 0 has BER's indefinite length, which DER forbids.")
    }

    @Test func `says where the bytes are left over`() throws {
        let bytes = try PrivateAuthority().receipt(Inspecting.receipt)
        #expect(
            try Inspecting.inspect(bytes + [0]).reason(.noncanonicalContainer)
                == "It is not in the form that Apple writes: leftover bytes begin at byte \(bytes.count).")
    }

    @Test func `says where an element of another type stands`() throws {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Inspecting.receipt)
        container.signerInfos[0].identifier = DERWriter.element(.keyIdentifier, [1, 2, 3])
        let bytes = container.encoded
        let place = try #require(bytes.firstRange(of: [0x80, 0x03, 1, 2, 3])?.lowerBound)
        #expect(
            try Inspecting.inspect(bytes).reason(.noncanonicalContainer)
                == "It is not in the form that Apple writes: tag 0x80 at byte \(place), expected tag 0x30.")
        container = try authority.sign(Inspecting.receipt)
        container.certificates.insert([0x30, 0x05, 0x04, 0x03, 1, 2, 3], at: 1)
        let other = container.encoded
        let placeInside = try #require(other.firstRange(of: [0x04, 0x03, 1, 2, 3])?.lowerBound)
        #expect(
            try Inspecting.inspect(other).reason(.noncanonicalContainer)
                == "It is not in the form that Apple writes: tag 0x04 at byte \(placeInside), expected tag 0x30.")
    }

    @Test func `says where a length is not in its shortest form, in the certificates, too`() throws {
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        container.certificates.insert([0x30, 0x81, 0x05, 0x04, 0x03, 1, 2, 3], at: 1)
        let bytes = container.encoded
        let place = try #require(bytes.firstRange(of: [0x30, 0x81, 0x05, 0x04, 0x03, 1, 2, 3])?.lowerBound)
        #expect(
            try Inspecting.inspect(bytes).reason(.noncanonicalContainer)
                == "It is not in the form that Apple writes: the length of the element at byte \(place) is not in its "
                + "shortest form.")
    }

    /// What is said of a container that was changed after it was signed.
    private func deviation(_ change: (inout SignedDataContent) -> Void) throws -> String? {
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        change(&container)
        let reason = try Inspecting.inspect(container.encoded).reason(.noncanonicalContainer)
        let start = "It is not in the form that Apple writes: "
        return reason?.hasPrefix(start) == true ? reason.map { String($0.dropFirst(start.count)) } : nil
    }

    @Test func `says that Xcode's receipts are always so`() throws {
        let inspection = try Inspecting.inspect(XcodeReceipt.bytes(Inspecting.receipt))
        #expect(
            inspection.reason(.noncanonicalContainer)?.hasSuffix("Xcode's local test receipts have this form.") == true)
    }

    @Test func `says where one was cut short`() throws {
        let bytes = try PrivateAuthority().receipt(Inspecting.receipt).dropLast(10)
        let reason = try Inspecting.inspect(Array(bytes)).reason(.malformedContainer)
        #expect(reason == "The container is malformed or truncated: the element at byte 0 is truncated.")
    }

    @Test(arguments: [
        ("{ \"purchase-info\" = \"ewo=\"; }", "they look like an iOS 6 style transaction receipt"),
        ("\u{1}\u{2}\u{3}", "they begin with 010203."),
        ("\u{1}23456789", "they begin with 0132333435363738…."),
    ])
    func `says what bytes look like that are none`(text: String, looks: String) throws {
        let reason = try Inspecting.inspect(Array(text.utf8)).reason(.unknownFormat) ?? ""
        #expect(reason.hasPrefix("The bytes are neither a PKCS #7 container, in DER or base64, nor a token; " + looks))
    }

    @Test func `says that there are no bytes`() throws {
        #expect(try Inspecting.inspect([]).reason(.receiptEmpty) == "There are no bytes.")
    }
}

struct `An explanation of a signer` {
    @Test func `names the certificate that had expired, and both dates`() throws {
        let authority = try PrivateAuthority(leaf: .leaf.with { $0.notAfter = .utc(2018) })
        let inspection = try Inspecting.inspect(authority.receipt(Inspecting.receipt), trusting: authority)
        let reason = inspection.reason(.chainExpired) ?? ""
        #expect(reason.hasPrefix("When the receipt was created, on 2024-03-01T00:00:00Z, “"))
        #expect(reason.hasSuffix("” had expired on 2018-01-01T00:00:00Z."))
    }

    @Test func `names the certificate that was not valid yet`() throws {
        let authority = try PrivateAuthority(leaf: .leaf.with { $0.notBefore = .utc(2025) })
        let inspection = try Inspecting.inspect(authority.receipt(Inspecting.receipt), trusting: authority)
        #expect(inspection.reason(.chainExpired)?.hasSuffix("became valid only on 2025-01-01T00:00:00Z.") == true)
    }

    @Test func `quotes OpenSSL on a chain that nobody trusts`() throws {
        let bytes = try PrivateAuthority.rogue().receipt(Inspecting.receipt)
        let reason = try Inspecting.inspect(bytes).reason(.chainUntrusted) ?? ""
        #expect(reason.hasPrefix("The chain does not end at a trust anchor; OpenSSL says: self-signed certificate"))
        #expect(reason.contains("issued by “"))
    }

    @Test func `names the marker that is missing`() throws {
        let leaf = try Inspecting.inspect(PrivateAuthority.developer().receipt(Inspecting.receipt))
        #expect(leaf.reason(.signerNotAppStore)?.contains("1.2.840.113635.100.6.11.1") == true)
        let authority = try PrivateAuthority(intermediates: [.intermediate.with { $0.markers = [] }])
        let intermediate = try Inspecting.inspect(authority.receipt(Inspecting.receipt), trusting: authority)
        #expect(intermediate.reason(.signerNotAppStore)?.contains("1.2.840.113635.100.6.2.1") == true)
    }

    @Test func `counts the certificates of a longer chain`() throws {
        let authority = try PrivateAuthority.chainOfFour()
        let inspection = try Inspecting.inspect(authority.receipt(Inspecting.receipt), trusting: authority)
        let reason = "The chain is of 4 certificates, where Apple's is leaf, intermediate and root."
        #expect(inspection.reason(.signerNotAppStore) == reason)
    }

    @Test func `lists the certificates where the signer's is missing`() throws {
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        container.certificates.removeFirst()
        let inspection = try Inspecting.inspect(container.encoded)
        #expect(inspection.reason(.signerNotFound)?.contains("it holds “") == true)
        #expect(inspection.reason(.signatureInvalid, .notChecked) == "There is no certificate to check it with.")
    }

    @Test func `says that content was altered or another key signed`() throws {
        var container = try PrivateAuthority().sign(Inspecting.receipt)
        container.content = Inspecting.receipt.with { $0.appVersion = "2" }.der
        let reason = try Inspecting.inspect(container.encoded).reason(.signatureInvalid)
        #expect(reason?.contains("one of them was altered, or another key signed") == true)
    }

    @Test func `says that nobody signed`() throws {
        let inspection = try inspect { $0.signerInfos = [] }
        #expect(inspection.reason(.signatureInvalid, .notChecked) == "It is not signed.")
    }

    @Test func `says what a signature is that cannot be Apple's`() throws {
        #expect(
            try inspect { $0.signerInfos[0].signatureAlgorithm = AlgorithmContent(SampleOID.contentType) }
                .reason(.signatureInvalid)
                == "The signature was made with an algorithm that receipts are not signed with.")
        #expect(
            try inspect { $0.signerInfos[0].signedAttributes = [] }.reason(.signatureInvalid)
                == "The signature is over signed attributes, not over the content.")
    }

    @Test func `says which of several SignerInfos is Apple's, or that none is`() throws {
        let genuine = try inspect {
            let right = $0.signerInfos[0]
            $0.signerInfos[0].signature[9] ^= 1
            $0.signerInfos.append(right)
        }
        #expect(
            genuine.reason(.signatureInvalid, .passed)
                == "The signature holds over the content (RSA with SHA-256). It belongs to SignerInfo 2 of 2.")
        let start = "The signature does not hold over the content: one of them was altered, or another key signed "
        let two = try inspect {
            $0.signerInfos[0].signature[9] ^= 1
            $0.signerInfos += $0.signerInfos
        }
        #expect(
            two.reason(.signatureInvalid) == start
                + "(RSA with SHA-256). It belongs to the first of 2 SignerInfos, none of which is Apple's.")
        let five = try inspect {
            let right = $0.signerInfos[0]
            $0.signerInfos[0].signature[9] ^= 1
            $0.signerInfos = Array(repeating: $0.signerInfos[0], count: 4) + [right]
        }
        #expect(
            five.reason(.signatureInvalid) == start
                + "(RSA with SHA-256). It belongs to the first of 5 SignerInfos; "
                + "none of the first 4 is Apple's, and the others are not examined.")
    }

    /// The inspection of a receipt whose container was changed after it was signed.
    private func inspect(_ change: (inout SignedDataContent) -> Void) throws -> Inspection {
        let authority = try PrivateAuthority()
        var container = try authority.sign(Inspecting.receipt)
        change(&container)
        return try Inspecting.inspect(container.encoded, trusting: authority)
    }

    @Test func `says that an untrusted key is not used because it is large`() throws {
        var container = try PrivateAuthority.rogue().sign(Inspecting.receipt)
        container.certificates[0] = try #require(Self.withLargeExponent(container.certificates[0]))
        let reason = "The signer's chain is not trusted, and its key is larger than Apple's: such keys are not used."
        #expect(try Inspecting.inspect(container.encoded).reason(.signatureInvalid, .notChecked) == reason)
    }

    /// The certificate with a byte of the modulus given to the exponent, so that nothing else moves.
    private static func withLargeExponent(_ certificate: [UInt8]) -> [UInt8]? {
        let head: [UInt8] = [0x02, 0x82, 0x01, 0x01, 0x00]
        guard let start = certificate.firstRange(of: head)?.lowerBound else { return nil }
        var changed = certificate
        changed[start + 3] = 0x00
        changed.replaceSubrange(start + 260..<start + 266, with: [0x02, 0x04, 0x03, 0x01, 0x00, 0x01])
        return changed
    }
}
