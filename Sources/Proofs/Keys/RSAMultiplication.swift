/// What multiplies numbers of 2,048 bits for RSA on this machine.
public enum RSAMultiplication {
    public static var inUse: String { VectorModulus.isSupported ? "AVX-512 IFMA" : "OpenSSL" }
}
