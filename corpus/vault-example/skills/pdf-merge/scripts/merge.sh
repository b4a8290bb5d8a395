#!/bin/sh
# Merge the PDF files given after the first argument into the first one.
set -eu
out=$1
shift
qpdf --empty --pages "$@" -- "$out"
