#!/bin/bash
# The recipes with a real software TPM and a real Secret Service: BINARY HELPERS PASSPHRASE FACE
set -euo pipefail
binary=$1 helpers=$2 passphrase=$3 face=$4
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
show() { "$binary" list --face "$face" > /dev/null; }

mkdir "$work/tpm"
swtpm socket --tpm2 --tpmstate dir="$work/tpm" --server type=unixio,path="$work/tpm.sock" \
  --ctrl type=unixio,path="$work/tpm.sock.ctrl" --flags startup-clear 2> /dev/null &
for _ in $(seq 100); do [ -S "$work/tpm.sock" ] && break; sleep 0.05; done
# A helper gets a small environment: what it needs more stands in its own command.
printf '#!/bin/sh\nTPM2TOOLS_TCTI="swtpm:path=%s" exec %s "$@"\n' "$work/tpm.sock" "$helpers/tpm2" > "$work/tpm-helper"
chmod 700 "$work/tpm-helper"
"$binary" device move --helper "$work/tpm-helper $work/blobs" --passphrase-file "$passphrase"
show
echo "TPM: kept and given back"

export XDG_RUNTIME_DIR=$work/runtime
mkdir -m 700 "$XDG_RUNTIME_DIR"
cat > "$work/session" <<S
set -euo pipefail
echo -n secret | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
printf '#!/bin/sh\nDBUS_SESSION_BUS_ADDRESS="%s" exec %s "\$@"\n' "\$DBUS_SESSION_BUS_ADDRESS" "$helpers/secret-service" > "$work/secret-helper"
chmod 700 "$work/secret-helper"
"$binary" device move --helper "$work/secret-helper" --passphrase-file "$passphrase"
"$binary" list --face "$face" > /dev/null
echo "Secret Service: kept and given back"
"$binary" device move --file --passphrase-file "$passphrase"
S
dbus-run-session -- bash "$work/session"
show
