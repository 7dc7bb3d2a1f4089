import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { limitingShell } from './script-limits.ts'

/** The folder that is the copy's inside of the sandbox, the same for every run. */
export const insideCopy = '/tmp/run'

const mostProcesses = 512

/**
 * Runs as the first process of new namespaces, in which it may do everything, and before the script, which may not.
 * Everything is read-only and without devices but the copy; what is hidden is covered, and the script's own namespace of
 * users, beyond which it gets none, keeps it from uncovering. It stays until the script ends, as the end of the first
 * process ends all others, and a script that was that process could refuse to end. `-c` keeps mount from looking for the
 * copy by its path, which is covered by then, and `-n` from writing to /run. Only newer kernels count processes in a namespace, hence `|| :`; the limit of
 * ulimit does not hold for root.
 */
const prepare = `
copy=$1 folder=$2 unshare=$3 script=$4 hidden=$5 cpu=$6
shift 6
mount -n --bind "$copy" "$copy"
cd "$copy"
mkdir dev
mount -n -t tmpfs -o size=64k,mode=755 dev dev
for device in null zero full random urandom; do
  : > "dev/$device"
  mount -n --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
for stream in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/\${stream#*:}" "dev/\${stream%:*}"; done
while read -r _ _ _ _ point flags _; do
  point=$(printf %b "$point")
  case $point in
    "$copy") mount -n -o "remount,bind,$flags,nosuid,nodev" "$point" ;;
    "$copy"/* | /dev | /dev/* | /proc | /proc/*) ;;
    *) if [ -e "$point" ]; then mount -n -o "remount,bind,ro\${flags#r?},nosuid,nodev" "$point"; fi ;;
  esac
done < /proc/self/mountinfo
mount -n -o remount,bind,ro dev
mount -n --move dev /dev
rmdir dev
mount -n -t proc proc /proc
echo 1 > /proc/sys/user/max_user_namespaces
{ echo ${mostProcesses} > /proc/sys/kernel/pid_max; } 2> /dev/null || :
while [ "$hidden" -gt 0 ]; do
  if [ "$1" = /tmp ]; then mount -n -t tmpfs -o size=64m,mode=755 hidden "$1"
  elif [ -d "$1" ]; then mount -n -t tmpfs -o size=4k,mode=755,ro hidden "$1"
  elif [ -e "$1" ]; then mount -n --bind /dev/null "$1"
  fi
  hidden=$((hidden - 1))
  shift
done
mkdir ${insideCopy}
mount -n -c --bind . ${insideCopy}
cd "${insideCopy}/files/$folder"
${limitingShell('$cpu')}
mount -n -o remount,bind,ro,nosuid,nodev,noexec /proc
{ ulimit -p ${mostProcesses} || ulimit -u ${mostProcesses}; } 2> /dev/null || :
"$unshare" --user -- env -i "$@" sh -e -c "$script" || exit $?
`

const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child']

/** What is run in namespaces of its own. */
interface IsolatedScript {
  readonly text: string
  /** The fresh copy, with `files` and `home`. */
  readonly copy: string
  /** Where to run, from `files`. */
  readonly folder: string
  /** The whole environment, each `NAME=value`. */
  readonly assignments: readonly string[]
  readonly cpuSeconds: number
}

/** What the namespaces are made of. */
export interface Isolation {
  /** The file of the program. */
  readonly unshare: string
  /** Whether the network is that of the service. */
  readonly sharesNetwork: boolean
  /** Files and folders that no script may see, although this user may read them. */
  readonly hidden: readonly string[]
}

/** The command that runs a script in namespaces of its own. */
export function isolatedArgv(script: IsolatedScript, isolation: Isolation): string[] {
  const { text, copy, folder, assignments, cpuSeconds } = script
  const { unshare, sharesNetwork } = isolation
  const hidden = withoutNested([...isolation.hidden, ...listeningSockets()])
  const given = [copy, folder, unshare, text, String(hidden.length), String(cpuSeconds)]
  const own = sharesNetwork ? namespaces : [...namespaces, '--net']
  // A service that is killed takes them along.
  const tied = ['setpriv', '--pdeathsig', 'KILL', unshare]
  return [...tied, ...own, '--', 'sh', '-e', '-c', prepare, 'sh', ...given, ...hidden, ...assignments]
}

/** Those that are there, without symbolic links; `/tmp` and `/run` are among them in any case. */
export function hiddenPlaces(places: readonly string[]): string[] {
  const found = ['/tmp', '/run', ...places].flatMap((place) => {
    if (statSync(place, { throwIfNoEntry: false }) === undefined) return []
    const resolved = realpathSync(place)
    return resolved === '/' ? [] : [resolved]
  })
  return withoutNested(found)
}

/** Sockets of files, which a namespace of networks does not close; others have to be hidden by their folders. */
function listeningSockets(): string[] {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, flags, file] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +\d+ (\/.*)$/.exec(line) ?? []
      const isListening = flags === '00010000'
      return isListening && file !== undefined && path.isAbsolute(file) ? [file] : []
    })
}

function withoutNested(places: readonly string[]): string[] {
  const distinct = [...new Set(places)]
  return distinct.filter((place) => !distinct.some((other) => place.startsWith(`${other}/`)))
}
