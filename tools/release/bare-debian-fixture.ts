import { existsSync } from 'node:fs'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runProgram } from '@wadi/testing/run-program.ts'
import { debianRootFile } from './debian-root.ts'

/** Runs a command below a directory as if that was the root of the machine; the network is that of the machine. */
const enter = `root=$1; shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cd "$root"
pivot_root . mnt
umount -l /mnt
exec setpriv --reuid 1000 --regid 1000 --clear-groups "$@"`

const home = '/home/dev'

/** A Debian with Node.js, npm and git, and a user who has nothing but a home. */
interface BareDebian extends AsyncDisposable {
  /** The root directory, outside. */
  readonly root: string
  /** Runs a script of a shell as the user, and returns what it prints; what it leaves running ends with it. */
  readonly run: (script: string) => Promise<string>
  /** Returns the paths of all files below the root. */
  readonly files: () => Promise<string[]>
}

/** Why no programs can be run in that Debian here; undefined when they can. */
export function debianMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a bare Debian needs Linux and root'
  return existsSync(debianRootFile()) ? undefined : "the bare Debian is not built; run 'npm run build:debian'"
}

/** @param variables the environment of all scripts */
export async function startBareDebian(variables: Readonly<Record<string, string>>): Promise<BareDebian> {
  await using owned = new AsyncDisposableStack()
  const root = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-debian-'))).path
  const options = { cwd: root, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } }
  await runProgram(['tar', '-xf', debianRootFile(), '--exclude=./dev/*'], options)
  await mkdir(path.join(root, home))
  await runProgram(['chown', '1000:1000', path.join(root, home)], options)
  const given = { HOME: home, PATH: `${home}/.local/bin:/usr/bin:/bin`, ...variables }
  const assigned = Object.entries(given).map(([name, value]) => `${name}=${value}`)
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation=private']
  const user = ['env', '--ignore-environment', `--chdir=${home}`, ...assigned, 'sh', '-euc']
  const command = ['unshare', ...namespaces, 'sh', '-ec', enter, 'sh', root, ...user]
  const kept = owned.move()
  return {
    root,
    run: (script) => runProgram([...command, script], options),
    files: async () => (await runProgram(['find', '.', '-not', '-type', 'd'], options)).split('\n'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
