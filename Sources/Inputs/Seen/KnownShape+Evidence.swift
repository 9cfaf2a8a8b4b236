extension KnownShape {
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

    /// Returns the entry for what most texts of evidence without a token look like; `nil` if that is not known.
    public static func ofEvidence(_ profile: ValueProfile) -> KnownShape? { entry(for: profile, in: evidence) }
}
