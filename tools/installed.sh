# Whether node_modules holds what package-lock.json names, for a script that has set `root`. It starts no program.

# npm writes its own copy of the lock last, so a broken-off install counts as none.
installed() {
  [ -x "$root/node_modules/.bin/node" ] && [ -f "$root/node_modules/.package-lock.json" ] &&
    ! [ "$root/package-lock.json" -nt "$root/node_modules/.package-lock.json" ]
}
