#!/bin/sh
# Copies into a directory the files of this Debian that a service needs, and nothing else: image-system.sh DIRECTORY
set -eu

root=$1
# mount, perl, setpriv and unshare contain renderers and plugins; busybox has the usual commands of a shell.
programs='busybox dash git gpg gpg-agent mount perl setpriv ssh ssh-add ssh-agent ssh-keygen tini unshare /usr/lib/git-core/git-remote-http'

# Copies a file to its place below the root; what is a link becomes a file.
copy() {
  place=$(realpath "$(dirname "$1")")
  mkdir -p "$root$place"
  cp -L "$1" "$root$place/"
}

mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/etc/ssl/certs" "$root/var"
for directory in bin sbin lib lib64; do ln -s "usr/$directory" "$root/$directory"; done

# What Node.js links to is here already, as this image runs it too.
for program in $programs node; do
  file=$(command -v "$program")
  linked=$(ldd "$file")
  if echo "$linked" | grep 'not found'; then exit 1; fi
  for library in $(echo "$linked" | grep -o '/[^ )]*'); do copy "$library"; done
  [ "$program" = node ] || copy "$file"
done
for library in libatomic.so.1 libstdc++.so.6; do copy "/usr/lib/$(uname -m)-linux-gnu/$library"; done

ln -s dash "$root/usr/bin/sh"
ln -s git-remote-http "$root/usr/lib/git-core/git-remote-https"
ln -s ../../bin/git "$root/usr/lib/git-core/git"
for command in $(busybox --list); do
  [ -e "$root/usr/bin/$command" ] || ln -s busybox "$root/usr/bin/$command"
done
mkdir -p "$root/usr/share/git-core/templates"

copy /etc/ssl/certs/ca-certificates.crt
copy /etc/ssl/openssl.cnf
copy /usr/lib/os-release
ln -s ../usr/lib/os-release "$root/etc/os-release"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
cat >"$root/etc/passwd" <<'END'
root:x:0:0:root:/root:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
wadi:x:10001:10001::/tmp:/usr/sbin/nologin
END
cat >"$root/etc/group" <<'END'
root:x:0:
nogroup:x:65534:
wadi:x:10001:
END

# The licenses of the packages, and their versions where scanners of images look for them.
mkdir -p "$root/var/lib/dpkg/status.d" "$root/usr/share/doc"
find "$root/usr" -type f | while read -r file; do
  dpkg-query --search "${file#"$root"}" "${file#"$root/usr"}" 2>/dev/null || :
done | sed 's/: .*//; s/:.*//' | sort -u | while read -r package; do
  dpkg-query --status "$package" >"$root/var/lib/dpkg/status.d/$package"
  mkdir -p "$root/usr/share/doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/"
done

mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/home" "$root/run"
install -d -m 1777 "$root/tmp"
