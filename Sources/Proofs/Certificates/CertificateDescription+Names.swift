extension CertificateDescription {
    /// The subject's common name, or all of its name if it has none.
    public var subjectName: String { Self.commonName(of: subject) }

    /// The issuer's common name, or all of its name if it has none.
    public var issuerName: String { Self.commonName(of: issuer) }

    /// Finds the first `CN=` of a distinguished name (RFC 4514), where a comma in a value follows a backslash.
    static func commonName(of name: String) -> String {
        var part = ""
        var isEscaped = false
        for letter in name + "," {
            if letter == ",", !isEscaped {
                if part.hasPrefix("CN=") { return String(part.dropFirst(3)) }
                part = ""
                continue
            }
            if letter != "\\" || isEscaped { part.append(letter) }
            isEscaped = letter == "\\" && !isEscaped
        }
        return name
    }
}
