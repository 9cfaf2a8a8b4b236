public import Encodings
import Inputs
public import Proofs
import Receipts

/// Replaces ids of devices, accounts and people, and network addresses, by pseudonyms in everything that a run writes.
/// The pseudonym depends on the id and the key only, and without the key it is irreversible. For one thread at a time.
///
/// The pseudonym of a device or an account token is a UUID of version 8, which no real device has; any other is `p-` and
/// 32 hexadecimal digits.
public final class Pseudonyms {
    private let hash: KeyedHash
    /// The reason why a pseudonym could not be made. Pseudonyms made after it are invalid.
    public private(set) var failure: OpenSSLError?

    public init(key: [UInt8]) throws(OpenSSLError) { hash = try KeyedHash(key: key) }

    /// Replaces a claim's ids by pseudonyms.
    public func replaceIdentities(in facts: inout Facts) {
        let claimed = facts.claimedDevice
        // A placeholder identifies nobody, and must not look like a device.
        let devices = claimed.identifiers.map {
            DeviceIdentifiers.isUsable($0) ? octets(of: "device:", $0) : $0
        }
        let verificationDevice = facts.verificationDevice.flatMap { device in
            var octets: [UInt8] = []
            device.withOctets { octets.append(copying: $0) }
            return Device(octets: self.octets(of: "device:", octets).span)
        }
        facts.replaceIdentities(devices: devices, verificationDevice: verificationDevice) { claim in
            // The same holds for other placeholders.
            let alternatives =
                devices.compactMap { Device(octets: $0.span)?.description } + claimed.otherPlaceholders.map(\.text)
            claim.deviceID =
                claimed.isMalformed
                ? text(of: "text:", claim.deviceID) : ExactText(alternatives.joined(separator: "|"))
            if !claim.account.isEmpty { claim.accountID = account(claim.account) }
            if !Placeholder.matchesDevice(claim.deviceVerificationID) {
                claim.deviceVerificationID = text(of: "device-verification:", ifAny: claim.deviceVerificationID)
            }
            claim.accountToken = accountToken(claim.accountToken)
            claim.ip = text(of: "ip:", ifAny: claim.ip)
        }
        if var token = facts.token {
            token.appAccountToken = token.appAccountToken.map { accountToken($0) }
            if let account = token.purchase?.details?.appAccountToken {
                token.purchase?.details?.appAccountToken = accountToken(account)
            }
            token.appTransactionID = token.appTransactionID.map { text(of: "person:", exactly: $0) }
            facts.token = token
        }
    }

    /// Returns a finding's subject, with a pseudonym if it is a device, an account or a person without one.
    public func subject(_ subject: ExactText) -> ExactText {
        if let account = subject.rest(behind: "account:") {
            return "account:\(Self.isTextPseudonym(account) ? account : self.account(account))"
        }
        if let person = subject.rest(behind: "person:") {
            return "person:\(Self.isTextPseudonym(person) ? person : text(of: "person:", exactly: person))"
        }
        guard let device = subject.rest(behind: "device:") else { return subject }
        let devices = DeviceIdentifiers(device)
        guard !devices.isMalformed, let octets = devices.identifiers.first else {
            return "device:\(text(of: "text:", device))"
        }
        if Self.isDevicePseudonym(octets) { return subject }
        return "device:\(Device(octets: self.octets(of: "device:", octets).span)?.description ?? "")"
    }

    /// Whether the device, account or person of a subject is a pseudonym, under any key.
    public static func isPseudonym(_ subject: ExactText) -> Bool {
        if let device = subject.rest(behind: "device:") {
            return DeviceIdentifiers(device).identifiers.first.map(isDevicePseudonym) ?? isTextPseudonym(device)
        }
        return (subject.rest(behind: "account:") ?? subject.rest(behind: "person:")).map(isTextPseudonym) ?? false
    }

    /// Returns the pseudonym of an account token: a UUID has one, whatever its form.
    public func accountToken(_ token: ExactText) -> ExactText {
        if Placeholder.matches(token) { return token }
        guard let uuid = DeviceIdentifiers.canonicalUUID(token) else { return text(of: "account-token:", ifAny: token) }
        if Placeholder.matches(uuid) { return uuid }
        let octets = octets(of: "account-token:", Array(uuid.utf8))
        return DeviceIdentifiers.canonicalUUID("\(Hex.string(octets.span))") ?? ""
    }

    /// Whether an account token is a pseudonym, under any key.
    public static func isPseudonym(accountToken token: ExactText) -> Bool {
        DeviceIdentifiers(token).identifiers.first.map(isDevicePseudonym) ?? isTextPseudonym(token)
    }

    /// What may be a placeholder is kept, as only the run's claims together decide it.
    private func account(_ id: ExactText) -> ExactText {
        if Placeholder.Form(account: id) != nil { return id }
        return text(of: "account:", exactly: DeviceIdentifiers.canonicalUUID(id) ?? id)
    }

    /// Returns the pseudonym of a case-sensitive id; empty if there is none.
    private func text(of kind: String, exactly id: ExactText) -> ExactText { id.isEmpty ? "" : text(of: kind, id) }

    /// Returns the pseudonym of a case-insensitive id; empty if there is none.
    private func text(of kind: String, ifAny id: ExactText) -> ExactText {
        id.isEmpty ? "" : text(of: kind, id.lowercasedASCII)
    }

    private func text(of kind: String, _ id: ExactText) -> ExactText {
        let octets = digest(of: kind, Array(id.utf8))
        return "p-\(Hex.string(octets.span))"
    }

    private func octets(of kind: String, _ id: [UInt8]) -> [UInt8] {
        var octets = digest(of: kind, id)
        // RFC 9562: version 8 is for custom formats.
        octets[6] = octets[6] & 0x0f | 0x80
        octets[8] = octets[8] & 0x3f | 0x80
        return octets
    }

    /// Returns the first 16 bytes of the hash of a kind and an id.
    private func digest(of kind: String, _ id: [UInt8]) -> [UInt8] {
        do throws(OpenSSLError) {
            return Array(try hash.hash(of: Array(kind.utf8) + id).prefix(16))
        } catch {
            failure = failure ?? error
            return [UInt8](repeating: 0, count: 16)
        }
    }

    private static func isDevicePseudonym(_ octets: [UInt8]) -> Bool {
        octets.count == 16 && octets[6] >> 4 == 8 && octets[8] >> 6 == 2
    }

    private static func isTextPseudonym(_ id: ExactText) -> Bool {
        guard let digits = id.rest(behind: "p-") else { return false }
        return digits.utf8.count == 32 && digits.utf8.allSatisfy { Hex.value($0) != nil }
    }
}
