/** The programs of a system by which others are contained, by their files. */
export interface ContainingPrograms {
  readonly setpriv?: string | undefined
  readonly unshare?: string | undefined
  readonly mount?: string | undefined
  readonly env?: string | undefined
  readonly perl?: string | undefined
}

/** The kernel's limits of one process. */
export interface ProcessLimits {
  readonly cpuSeconds: number
  /** Bound of the data of each process, where no control group adds it up; in bytes. */
  readonly dataBytes: number | undefined
  /** Largest file, in bytes. */
  readonly fileBytes: number | undefined
  /** Files by which to join control groups. */
  readonly joinFiles: readonly string[]
}

/** The namespaces of one run. */
export interface PrivateNamespaces {
  /** File with the table for `mount`. */
  readonly mountTable: string
  readonly root: string
  /** The working directory, inside the root. */
  readonly cwd: string
  readonly network: boolean
  readonly processes: number
}

/** The text on the error output of a wrapper that could not do its work. */
export const wrapperFailure = 'wadi: the program cannot be contained'

/**
 * Joins control groups, takes limits and becomes the program. It sets no variable, as a shell would hand one down that the
 * environment has. The soft limit of
 * processor time is lower, so that the signal shows why a program died; those in Go live until the hard one.
 */
const limited = `
while [ "$1" != -- ]; do
  echo 0 > "$1" || { echo "${wrapperFailure}" >&2; exit 125; }
  shift
done
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null || :
{ ulimit -c 0; ulimit -S -t "$2"; ulimit -H -t "$3"; } 2> /dev/null || :
[ "$4" = - ] || ulimit -f "$4" 2> /dev/null || :
[ "$5" = - ] || ulimit -d "$5" 2> /dev/null || :
unset PWD OLDPWD SHLVL
shift 5
exec "$@"
`

/**
 * The first process of its namespaces: it may still do everything there, and stays until the program ends, as its own end
 * kills whatever is left. The program gets a namespace of users more, in which it is nobody and may do nothing.
 */
const isolated = `
"$1" -n -a -T "$2" || { echo "${wrapperFailure}" >&2; exit 125; }
{ ulimit -p "$3" || ulimit -u "$3"; } 2> /dev/null || :
unset PWD OLDPWD SHLVL
shift 3
"$@"
exit $?
`

/** Returns the command that runs another one in limits. */
export function limitedCommand(
  argv: readonly string[],
  programs: ContainingPrograms,
  limits: ProcessLimits,
): string[] {
  const { cpuSeconds, dataBytes, fileBytes, joinFiles } = limits
  const blocks = (bytes: number | undefined, size: number): string =>
    bytes === undefined ? '-' : String(Math.ceil(bytes / size))
  const numbers = [
    String(cpuSeconds),
    String(cpuSeconds + 1),
    blocks(fileBytes, 512),
    blocks(dataBytes, 1024),
  ]
  const tied = programs.setpriv === undefined ? [] : [programs.setpriv, '--pdeathsig', 'KILL', '--']
  return ['/bin/sh', '-c', limited, 'sh', ...joinFiles, '--', ...numbers, ...tied, ...argv]
}

/** Returns the command that runs another one in namespaces of its own. */
export function namespacedCommand(
  argv: readonly string[],
  { unshare = '', mount = '' }: ContainingPrograms,
  { mountTable, root, cwd, network, processes }: PrivateNamespaces,
): string[] {
  const own = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--fork', '--kill-child']
  const nobody = ['--user', '--map-user=65534', '--map-group=65534', `--root=${root}`, `--wd=${cwd}`, '--']
  const first = ['/bin/sh', '-c', isolated, 'sh', mount, mountTable, String(processes)]
  return [unshare, ...own, ...(network ? [] : ['--net']), '--', ...first, unshare, ...nobody, ...argv]
}
