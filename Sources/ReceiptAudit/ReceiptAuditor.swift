package import Checks
package import Encodings
public import FoundationEssentials
import Inputs
package import Proofs
import Synchronization

/// Audits one App Store receipt or StoreKit 2 token at a time, offline, with the checks of the nightly audit.
///
/// An auditor is thread-safe: keep one for the life of the server. It never waits for the network or a disk.
public final class ReceiptAuditor: Sendable {
    /// What your server accepts.
    public struct Policy: Sendable {
        /// The bundle ids of your apps; `nil` accepts any app.
        public var bundleIDs: Set<String>?
        /// The accepted environments, such as `Production`, `Sandbox` and `Xcode`; `nil` accepts any.
        public var environments: Set<String>?

        public init(bundleIDs: Set<String>? = nil, environments: Set<String>? = nil) {
            self.bundleIDs = bundleIDs
            self.environments = environments
        }
    }

    /// Why a root certificate cannot be trusted, or OpenSSL cannot work (no memory, no algorithms).
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let trust: TrustAnchors
    private let expectations: Expectations
    /// Checkers that no call uses. OpenSSL's contexts are for one thread at a time.
    private let idle = Mutex(Checkers())

    /// - Parameters:
    ///   - policy: the apps and environments that you accept.
    ///   - roots: root certificates in DER or PEM to trust instead of Apple's, which are built in.
    /// - Throws: ``Failure`` if a root cannot be read.
    public convenience init(policy: Policy = Policy(), roots: [Data] = []) throws(Failure) {
        var expectations = Expectations(asOf: Instant(milliseconds: 0))
        expectations.bundleIDs = policy.bundleIDs.map { Set($0.map { ExactText($0) }) }
        expectations.environments = policy.environments.map { Set($0.map { ExactText($0) }) }
        do {
            let files = roots.enumerated().map { (name: "root \($0.offset + 1)", bytes: Array($0.element)) }
            let trust: TrustAnchors = try files.isEmpty ? .apple() : TrustAnchors(files: files)
            self.init(trust: trust, expectations: expectations)
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    package init(trust: TrustAnchors, expectations: Expectations) {
        self.trust = trust
        self.expectations = expectations
    }

    /// Audits a proof as a device sent it.
    ///
    /// - Parameters:
    ///   - proof: a receipt in DER or base64, or a token (JWS), at most 8 MiB.
    ///   - device: the device that sent a receipt: `identifierForVendor`, or on a Mac the MAC address of en0 or en1, or
    ///     alternatives with `|` between them. Without one, a copied receipt is valid on every device.
    ///   - deviceVerificationID: the device that sent a token: `AppStore.deviceVerificationID`.
    ///   - bundleID: the app that sent it, if it is not any of the policy's.
    ///   - date: the time of the audit.
    /// - Throws: ``Failure`` if OpenSSL could not work. Whatever the bytes are, the answer is an ``AuditedProof``.
    public func audit(
        _ proof: Data, device: String? = nil, deviceVerificationID: String? = nil, bundleID: String? = nil,
        at date: Date = Date()
    ) throws(Failure) -> AuditedProof {
        var claim = Claim(source: "")
        claim.deviceID = ExactText(device ?? "")
        claim.deviceVerificationID = ExactText(deviceVerificationID ?? "")
        claim.bundleID = ExactText(bundleID ?? "")
        let isTooLarge = proof.count > ReceiptLimit.bytes
        do {
            return try checking(at: Instant(date)) { checker in
                AuditedProof(
                    isTooLarge
                        ? checker.inspection(of: claim, fault: InputFault(.receiptUnreadable, "is over 8 MiB"))
                        : checker.inspection(of: claim, receipt: Array(proof)))
            }
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    /// Audits the text of a proof: a receipt in base64, or a token.
    ///
    /// - Throws: ``Failure`` if OpenSSL could not work.
    public func audit(
        _ proof: String, device: String? = nil, deviceVerificationID: String? = nil, bundleID: String? = nil,
        at date: Date = Date()
    ) throws(Failure) -> AuditedProof {
        try audit(
            Data(proof.utf8), device: device, deviceVerificationID: deviceVerificationID, bundleID: bundleID, at: date)
    }

    /// Calls a body with a checker that no other call uses.
    package func checking<Result>(at asOf: Instant, _ body: (Checker) throws -> Result) throws -> Result {
        let kept = idle.withLock { $0.checkers.popLast() }
        let checker = try kept ?? Checker(trust: trust, expectations: expectations)
        checker.asOf = asOf
        let result = try body(checker)
        if let failure = checker.failure { throw failure }
        let returned = Checkers(checkers: [checker])
        idle.withLock { $0.checkers += returned.checkers }
        return result
    }
}

/// Checkers on their way between threads: each is in one list, or in use by one call.
private struct Checkers: @unchecked Sendable {
    var checkers: [Checker] = []
}

extension Instant {
    /// A date, to the millisecond; far beyond any proof at most.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.init(milliseconds: Int64(milliseconds.isNaN ? 0 : min(max(milliseconds, -1e17), 1e17)))
    }

    /// The same as a date.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
