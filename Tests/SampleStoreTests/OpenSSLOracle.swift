private import COpenSSL
import Encodings

/// What OpenSSL's own `PKCS7_verify` says about a container: an oracle for the samples, not for the product.
enum OpenSSLOracle {
    enum Answer: Equatable, CustomStringConvertible {
        /// `d2i_PKCS7` does not read it, or leaves bytes over.
        case unreadable
        /// It is of another kind than signedData.
        case notSigned
        /// The signature and the chain hold over this content.
        case accepted([UInt8])
        /// They do not; the reasons of OpenSSL's error queue.
        case refused(String)

        var description: String {
            switch self {
            case .unreadable: "unreadable"
            case .notSigned: "not signed"
            case .accepted: "accepted"
            case .refused(let reason): "refused: \(reason)"
            }
        }

        var isAccepted: Bool { if case .accepted = self { true } else { false } }
        var isRefused: Bool { if case .refused = self { true } else { false } }
    }

    /// Judges a container as of an instant, trusting one root.
    static func verify(_ container: [UInt8], root: [UInt8], at instant: Instant) -> Answer {
        ERR_clear_error()
        var cursor = 0
        let message = unsafe container.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            let message = unsafe d2i_PKCS7(nil, &position, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe position { cursor = unsafe end - start }
            return unsafe message
        }
        guard let message = unsafe message else { return .unreadable }
        defer { unsafe PKCS7_free(message) }
        guard cursor == container.count else { return .unreadable }
        guard unsafe OBJ_obj2nid(message.pointee.type) == NID_pkcs7_signed else { return .notSigned }
        guard let store = unsafe X509_STORE_new(), let output = unsafe BIO_new(BIO_s_mem()) else { return .unreadable }
        defer {
            unsafe X509_STORE_free(store)
            unsafe BIO_free(output)
        }
        guard let certificate = unsafe decode(root) else { return .unreadable }
        defer { unsafe X509_free(certificate) }
        guard unsafe X509_STORE_add_cert(store, certificate) == 1,
            let parameters = unsafe X509_STORE_get0_param(store),
            unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY) == 1
        else { return .unreadable }
        unsafe X509_VERIFY_PARAM_set_time(parameters, Int(instant.seconds))
        guard unsafe PKCS7_verify(message, nil, store, nil, output, 0) == 1 else { return .refused(reasons()) }
        return unsafe .accepted(everything(in: output))
    }

    /// The certificate as OpenSSL prints it, or nothing if it does not read it.
    static func text(of certificate: [UInt8]) -> String {
        guard let certificate = unsafe decode(certificate), let output = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer {
            unsafe X509_free(certificate)
            unsafe BIO_free(output)
        }
        _ = unsafe X509_print(output, certificate)
        return unsafe String(decoding: everything(in: output), as: UTF8.self)
    }

    /// A certificate in DER, or the first one in PEM.
    static func decode(_ certificate: [UInt8]) -> OpaquePointer? {
        guard certificate.first == 0x30 else {
            return unsafe certificate.withUnsafeBufferPointer { bytes in
                guard let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
                defer { unsafe BIO_free(input) }
                return unsafe PEM_read_bio_X509(input, nil, nil, nil)
            }
        }
        return unsafe certificate.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_X509(nil, &position, bytes.count)
        }
    }

    private static func everything(in output: OpaquePointer) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe BIO_read(output, &buffer, Int32(buffer.count)), count > 0 {
            bytes += buffer.prefix(Int(count))
        }
        return bytes
    }

    private static func reasons() -> String {
        var reasons: [String] = []
        var data: UnsafePointer<CChar>?
        var flags: Int32 = 0
        while case let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags), code != 0 {
            if let reason = unsafe ERR_reason_error_string(code) { unsafe reasons.append(String(cString: reason)) }
            if let data = unsafe data, flags & ERR_TXT_STRING != 0 { unsafe reasons.append(String(cString: data)) }
        }
        return reasons.joined(separator: "; ")
    }
}
