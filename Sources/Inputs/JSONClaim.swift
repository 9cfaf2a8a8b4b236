struct JSONClaim {}
