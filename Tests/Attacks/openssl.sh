#!/bin/sh
# openssl.sh PROOF ROOTS : verifies a receipt's signature and chain with the openssl command.
#
# Like many instructions on the web, it decodes base64, verifies signature and chain, and ignores the content of the
# receipt. The date is the creation date of most cases, 2024-03-01.
set -e
if [ "$(head -c 1 "$1")" != 0 ]; then
    openssl base64 -d -A -in "$1" -out "$1.der"
    set -- "$1.der" "$2"
fi
exec openssl cms -verify -inform DER -in "$1" -CAfile "$2" -purpose any -attime 1709251200 -binary -out /dev/null
