private import COpenSSL

/// The OpenSSL that this process was linked with when it started.
public enum OpenSSLVersion {
    /// For example `OpenSSL 3.0.15 3 Sep 2024`.
    public static var text: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }

    /// For example `3.0.15`.
    public static var inUse: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The version of the headers that this was built with.
    public static var builtWith: String { OPENSSL_VERSION_STR }
}
