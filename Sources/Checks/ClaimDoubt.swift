package import Encodings
import Inputs

/// A sign that an export does not contain what was meant. The claim is still checked. A run counts such claims, and
/// warns with the likely cause and the remedy.
public enum ClaimDoubt: String, CaseIterable, Sendable {
    /// `account_id` is a ``Placeholder``.
    case accountPlaceholder
    /// `account_token` is a placeholder.
    case accountTokenPlaceholder
    /// `account_token` is no UUID.
    case accountTokenNoUUID
    /// `device_id`, or one of its alternatives, is a placeholder.
    case devicePlaceholder
    /// `device_verification_id` is a placeholder.
    case verificationIDPlaceholder
    /// `device_id` is the name of a kind of device, such as `android`. It is malformed.
    case deviceKind
    /// `device_id` is in an unsupported form, such as base64. It is malformed.
    case deviceForm

    /// A value of JSON is no device, account or other text, and is left out.
    case unreadDevice, unreadAccount, unreadValue
    /// Such a value is a UUID of subtype 03 by an unknown writer.
    case legacyUUID
    /// `account_id` is JSON in the place of text. A person may choose such a name.
    case accountJSON

    /// `presented_at` cannot be read.
    case unreadDate
    /// `presented_at` is impossible, and days since 1899-12-30 would be possible.
    case presentedInExcelDays
    /// `presented_at` is impossible, and seconds since 2001 would be possible.
    case presentedSince2001
    /// `presented_at` is impossible, and a thousand times as many seconds since 1970 would be possible.
    case presentedInThousands
    /// `presented_at` is before the App Store opened.
    case presentedBeforeAppStore
    /// `presented_at` is before the proof was made.
    case presentedBeforeProof
    /// `presented_at` is after the reference time.
    case presentedAfterAsOf
    /// `presented_at` is a generation after the App Store opened, and after the reference time.
    case presentedFarAhead

    /// An object that Apple signed for another purpose was sent.
    case sentOtherObject
    /// An object of another kind was sent, whose signature is not trusted.
    case sentUntrustedObject
    /// The row has two proofs that differ.
    case twoProofs
    /// The same bytes follow the receipt as in a padded or edited column: NUL, blanks or line ends.
    case paddedReceipt
}

extension ClaimDoubt {
    /// What is missing in the row, for the table `summary`; `nil` if ``Check/unknownFormat`` or
    /// ``Check/deviceIDMalformed`` counts it.
    package var omission: String? {
        switch self {
        case .accountPlaceholder, .unreadAccount: "account_id that names no account"
        case .accountTokenPlaceholder: "account_token that names no account"
        case .accountTokenNoUUID: "account_token that is no UUID"
        case .devicePlaceholder, .unreadDevice: "device_id that names no device"
        case .verificationIDPlaceholder: "device_verification_id that names no device"
        case .unreadDate: "presented_at that cannot be read"
        case .presentedInExcelDays, .presentedSince2001, .presentedInThousands, .presentedBeforeAppStore,
            .presentedBeforeProof, .presentedAfterAsOf, .presentedFarAhead:
            "presented_at that is impossible"
        default: nil
        }
    }

    /// Returns a sentence with the likely cause and the remedy.
    ///
    /// - Parameters:
    ///   - count: the number of rows.
    ///   - texts: some of the texts in them, the smallest first.
    package func sentence(_ count: Int, _ texts: [ExactText]) -> String {
        let rows = counted(count, "row")
        let named = texts.map { $0.quoted(upTo: Self.maxLength) }.joined(separator: ", ")
        let null =
            texts.first.map { " --null\($0.hasPrefix("-") ? "=" : " ")\(ShellText.argument($0.text))" }
            ?? " --null TEXT"
        func placeholder(_ column: String, _ noun: String) -> String {
            "\(column) of \(rows) is a placeholder and names no \(noun) (\(named)): leave such cells empty; in tables"
                + "\(null) says so"
        }
        func presented(_ reason: String, _ cause: String) -> String {
            "presented_at of \(rows) is ignored because it is \(reason): \(cause)"
        }
        func sent(_ what: String, _ advice: String) -> String {
            "\(rows) \(count == 1 ? "holds" : "hold") \(what): \(advice)"
        }
        switch self {
        case .accountPlaceholder: return placeholder("account_id", "account")
        case .accountTokenPlaceholder: return placeholder("account_token", "account")
        case .accountTokenNoUUID:
            return "account_token of \(rows) is no UUID and is not compared (\(named)): if that column holds something"
                + " else than the UUID that the app gave StoreKit as appAccountToken, --columns account_token=NAME names"
                + " the right one"
        case .devicePlaceholder: return placeholder("device_id", "device")
        case .verificationIDPlaceholder: return placeholder("device_verification_id", "device")
        case .deviceKind:
            return "device_id of \(rows) is a kind of device, not an id (\(named)): leave such cells empty; in tables"
                + "\(null) says so"
        case .deviceForm:
            return
                "device_id of \(rows) is in a form that audit does not read (\(named)): write a UUID with its"
                + " hyphens, a MAC "
                + "address with colons, or either in hexadecimal digits"
        case .unreadDevice, .unreadAccount, .unreadValue:
            let lost =
                self == .unreadDevice
                ? " and names no device" : self == .unreadAccount ? " and names no account" : ""
            return
                "the value of \(named) of \(rows) is an object, an array or a truth value\(lost). It is left out: "
                + "write its text or number alone under the key"
        case .legacyUUID:
            let key = texts.first?.text ?? "KEY"
            return
                "\(named) of \(rows) is a UUID of subtype 03, whose order of bytes is not known: name the driver that "
                + "wrote it, such as --columns \(ShellText.argument("device_id:java=\(key)")), or python or csharp"
        case .accountJSON:
            return "account_id of \(rows) is JSON and counts as written: write the id alone"
        case .unreadDate:
            return
                "presented_at of \(rows) cannot be read and is left out (such as \(named)): it is RFC 3339 such as "
                + "2026-06-30T12:00:00Z, a date, or seconds or milliseconds since 1970"
        case .presentedInExcelDays:
            return presented(
                "before 2008-07-10",
                "as days since 1900, Excel's serial dates, it would be possible; give the cells the "
                    + "format yyyy-mm-dd hh:mm:ss")
        case .presentedSince2001:
            return presented(
                "before 2008-07-10",
                "as seconds since 2001, Apple's reference date, it would be possible; use "
                    + "timeIntervalSince1970, or add 978307200")
        case .presentedInThousands:
            return presented(
                "before 2008-07-10", "seconds since 1970 were probably divided by 1000, as if they were milliseconds")
        case .presentedBeforeAppStore: return presented("before 2008-07-10", "the App Store had not opened")
        case .presentedBeforeProof:
            return presented(
                "more than a day before the proof was made",
                "the clock is wrong, or the column holds another date, such "
                    + "as that of the purchase or of the account")
        case .presentedAfterAsOf:
            return presented(
                "more than a day after the as-of date", "the clock is wrong, or --as-of is wrong")
        case .presentedFarAhead:
            return presented(
                "more than a day after the as-of date",
                "seconds since 1970 were probably taken for seconds since 2001, "
                    + "Apple's reference date, or the year is mistyped")
        case .sentOtherObject:
            return sent(
                "what Apple signs for another purpose (\(texts.map(\.text).joined(separator: ", ")))",
                "send the app's receipt, or the token of a transaction")
        case .sentUntrustedObject:
            return sent(
                "something else than a proof of purchase (\(texts.map(\.text).joined(separator: ", ")))",
                "send the app's receipt, or the token of a transaction")
        case .twoProofs:
            return sent(
                "two proofs that differ (\(named))",
                "leave one empty, or name the column that counts with --columns receipt_data=NAME")
        case .paddedReceipt:
            return sent(
                "bytes after the receipt that it does not have (\(named))",
                "a BINARY column pads with NUL, and editors add line ends; export the column without them, as"
                    + " VARBINARY or BLOB does")
        }
    }

    /// The maximum number of characters to show of a text.
    package static let maxLength = 40
}

extension Facts {
    /// Calls a body for each doubt about the claim, with the doubtful text, if it may be shown.
    package func forEachDoubt(_ body: (ClaimDoubt, ExactText?) -> Void) {
        if claim.account.isEmpty, !claim.accountID.isEmpty { body(.accountPlaceholder, claim.accountID) }
        if claim.accountUUID.isEmpty, !claim.accountToken.isEmpty {
            let isUUID = DeviceIdentifiers.canonicalUUID(claim.accountToken) != nil
            let isPlaceholder = isUUID || Placeholder.matches(claim.accountToken)
            body(isPlaceholder ? .accountTokenPlaceholder : .accountTokenNoUUID, claim.accountToken)
        }
        if let text = claimedDevice.placeholder { body(.devicePlaceholder, text) }
        if let text = claimedDevice.kindOfDevice { body(.deviceKind, text) }
        if let text = claimedDevice.otherForm { body(.deviceForm, text) }
        if Placeholder.matchesDevice(claim.deviceVerificationID) {
            body(.verificationIDPlaceholder, claim.deviceVerificationID)
        }
        if claim.isAccountJSON { body(.accountJSON, nil) }
        if claim.isDateUnread { body(.unreadDate, claim.unreadDate) }
        for value in claim.unread {
            switch value.lacking {
            case .date: break
            case .device: body(.unreadDevice, value.key)
            case .account: body(.unreadAccount, value.key)
            default: body(.unreadValue, value.key)
            }
            if value.isLegacyUUID { body(.legacyUUID, value.key) }
        }
        if let impossiblePresentation { body(impossiblePresentation, nil) }
        if case .input(let fault) = fault, !fault.twoProofs.isEmpty { body(.twoProofs, fault.twoProofs) }
        if let padding { body(.paddedReceipt, padding) }
        if let otherObject {
            body(otherObject.isTrusted ? .sentOtherObject : .sentUntrustedObject, ExactText(otherObject.kind.rawValue))
        }
    }
}
