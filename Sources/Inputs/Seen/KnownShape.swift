import Encodings

/// What to do with values of a known form: one sentence, and the page that says more.
///
/// A form without an entry is told by what was seen alone: nothing is guessed.
public struct KnownShape: Sendable {
    let forms: Set<SeenForm>
    /// What to do, for a sentence after a colon.
    let advice: String
    /// The page of the documentation, with its heading.
    let page: String

    init(_ forms: Set<SeenForm>, _ advice: String, _ page: String = "exporting.md#what-was-seen") {
        self.forms = forms
        self.advice = advice
        self.page = page
    }

    /// The advice and its page.
    public var sentence: String { "\(advice) (docs/\(page))" }

    /// Values in the place of proofs.
    private static let proofs: [KnownShape] = [
        KnownShape([.receipt], "they are cut or changed: the column may be too short for a receipt"),
        KnownShape([.token], "they are cut or changed: the column may be too short for a token"),
        KnownShape(
            [.quoted],
            "each is a string of JSON or of a program, such as Optional(\"…\"): export the text inside of the quotes"),
        KnownShape([.escaped], "each is the inside of a JSON string: read it with a JSON parser, and export the text"),
        KnownShape(
            [.percentEncoded],
            "decode them once, as decodeURIComponent and urllib.parse.unquote do, before they are stored"),
        KnownShape(
            [.blanksForPlus],
            "a form decoded the + of receipts that were not percent-encoded: replace each blank in them by +"),
        KnownShape([.base64Twice], "write the stored text as it is, whether a token or base64 of a receipt"),
        KnownShape(
            [.hexOfText],
            "export the text: convert_from(COLUMN, 'UTF8') in PostgreSQL, CONVERT(COLUMN USING utf8mb4) in MySQL",
            "inputs.md#receipts-and-tokens"),
        KnownShape([.brokenToken], "take the blanks and line breaks out of the tokens"),
        KnownShape([.bearer], "leave out what is before it"),
        KnownShape([.utf16], "write UTF-8: PowerShell's > writes UTF-16, and iconv -f UTF-16 -t UTF-8 converts a file"),
        KnownShape(
            [.gzip],
            "unpack values before they are exported; gunzip --recursive FOLDER unpacks the files of a folder"),
        KnownShape([.appleDouble], "leave out the rows that name such files"),
        KnownShape([.archive], "unpack it first"),
        KnownShape(
            [.database, .binaryPropertyList, .bson, .pdf, .image, .program],
            "name an export as an INPUT of its own, and leave other files out of the folder", "inputs.md#inputs"),
        KnownShape(
            [.lostBytes], "the bytes are lost: export the column as bytes, base64 or hexadecimal, never as text"),
        KnownShape([.proofInJSON], "store and export the value of that key"),
        KnownShape(
            [.proofAndMore], "each may be a row of a table, or several proofs: name such a file as an INPUT of its own",
            "inputs.md#inputs"),
        KnownShape(
            [.transactionJSON], "send and store jwsRepresentation, which Apple signs, instead of jsonRepresentation",
            "inputs.md#receipts-and-tokens"),
        KnownShape([.transactionReceipt], "that form of iOS 6 cannot be verified: send the app's receipt"),
        KnownShape(
            [.verifyReceiptRequest], "the receipt is the value of “receipt-data”: export that value"),
        KnownShape(
            [.verifyReceiptResponse],
            "nobody signed it: the receipt is what was sent to verifyReceipt, and “latest_receipt” of the response"),
        KnownShape([.notification], "it is evidence: name it with --evidence", "tokens.md#evidence"),
        KnownShape(
            [.decodedNotification], "store signedPayload as Apple sent it, and name it with --evidence",
            "tokens.md#evidence"),
        KnownShape(
            [.googlePlay, .googlePlayToken], "leave out the rows of Android: only Apple's proofs are checked"),
        KnownShape([.applePay, .appAttest], "send the app's receipt, or the token of a transaction"),
        KnownShape(
            [.transactionID],
            "an id proves nothing: fetch the transactions from the App Store Server API, and name the answers with "
                + "--evidence", "tokens.md#evidence"),
        KnownShape([.dataDescription], "send base64EncodedString() of the data"),
        KnownShape([.oldPropertyList], "send the receipt that it was decoded from"),
        KnownShape([.redacted], "a log filter removed the proofs: export them from where they are stored"),
        KnownShape([.json], "export the receipt or the token inside, if it has one"),
        KnownShape([.html, .xml], "it may be an error page, stored in place of a receipt"),
        KnownShape([.formEncoded], "decode the form, and export the value with the receipt"),
        KnownShape([.address], "fetch the receipts, and export their bytes"),
        KnownShape([.fileName], "if they name the files with the receipts, call the column file", "inputs.md#columns"),
        KnownShape(
            [.date, .uuid, .email], "it is another column: --columns receipt_data=NAME names the one with proofs",
            "inputs.md#columns"),
    ]

    /// Texts of evidence without a signed token.
    private static let evidence: [KnownShape] = [
        KnownShape(
            [
                .receipt, .base64Twice, .quoted, .escaped, .hexOfText, .percentEncoded, .blanksForPlus, .proofInJSON,
                .verifyReceiptRequest, .verifyReceiptResponse,
            ], "an app's receipt is a claim and no evidence: name the file as an INPUT", tokens),
        KnownShape(
            [.decodedNotification, .transactionJSON, .oldPropertyList],
            "what was decoded is not signed, and proves nothing: store signedPayload as Apple sends it, and the answers of "
                + "the App Store Server API as they come", tokens),
        KnownShape(
            [.transactionID, .uuid],
            "an id proves nothing: fetch the transactions from the App Store Server API, and name the answers", tokens),
        KnownShape([.googlePlay, .googlePlayToken], "leave them out: only what Apple signed is evidence", tokens),
        KnownShape([.html, .xml], "it may be the page of an error, stored in place of an answer", tokens),
        KnownShape([.redacted], "a log filter took the tokens away: store what Apple sent", tokens),
        KnownShape(
            [.placeholder], "no cell of these rows may be a token: export the column with what Apple sent", tokens),
        KnownShape([.archive, .gzip], "unpack the files", tokens),
        KnownShape([.json], "it has no signed token: store what Apple sent, as it came", tokens),
    ]
    private static let tokens = "tokens.md#evidence"

    /// Returns the entry for what most values in the place of a proof look like; `nil` if that is not known.
    public static func ofProofs(_ profile: ValueProfile) -> KnownShape? { entry(for: profile, in: proofs) }

    /// Returns the entry for what most texts of evidence without a token look like; `nil` if that is not known.
    public static func ofEvidence(_ profile: ValueProfile) -> KnownShape? { entry(for: profile, in: evidence) }

    private static func entry(for profile: ValueProfile, in table: [KnownShape]) -> KnownShape? {
        guard let main = profile.main, main.count > profile.count / 2 else { return nil }
        return table.first { $0.forms.contains(main.form) }
    }

    /// Returns a sentence for each known form of values that are no proofs. A cut or changed proof may be a forgery, and
    /// is told only where it is one of many.
    public static func sentences(ofProofs profile: ValueProfile) -> [String] {
        profile.rows.compactMap { row in
            guard ![.receipt, .token, .transactionReceipt, .html, .xml].contains(row.form),
                let shape = proofs.first(where: { $0.forms.contains(row.form) })
            else { return nil }
            var one = ValueProfile()
            one.rows = [row]
            return "receipt_data: \(one.seen): \(shape.sentence)"
        }
    }
}
