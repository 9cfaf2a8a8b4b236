/// What purchase-cracking tools send in place of a receipt, where there is no container.
///
/// They answer for the App Store on a jailbroken device, or in an app that was tampered with, and make up what
/// the app's server is then sent. It is recognised by what such tools have been seen to write, never by what it lacks.
public enum MadeUpReceipt: String, Equatable, Sendable {
    /// Base64 of JSON, where PKCS #7 belongs.
    case json
    /// An old-style property list, as iOS 6 had them, that nobody signed.
    case unsignedPropertyList
    /// Its transaction id, original id and item id are the same.
    case sameIdentifiers
    /// Its dates are in Europe/Copenhagen.
    case timeZone
    /// It expires on 2099-01-01.
    case farExpiry
}
