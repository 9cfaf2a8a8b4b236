#!/bin/sh
# openssl.sh PROOF ROOTS : what the openssl command says of a receipt's signature and chain.
#
# As receipts are verified by hand all over the web: base64 is decoded, then signature and chain are verified, and
# nothing that the receipt says is looked at. The date is that on which most cases were created, 2024-03-01.
set -e
if [ "$(head -c 1 "$1")" != 0 ]; then
    openssl base64 -d -A -in "$1" -out "$1.der"
    set -- "$1.der" "$2"
fi
exec openssl cms -verify -inform DER -in "$1" -CAfile "$2" -purpose any -attime 1709251200 -binary -out /dev/null
