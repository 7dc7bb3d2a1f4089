import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The options of unshare for a process with mounts of its own. */
const ownMounts = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']

/** Why no place can be mounted `noexec` here; undefined when one can. */
export function noexecMissing(): string | undefined {
  const { status } = spawnSync('unshare', [
    ...ownMounts,
    'mount',
    '-t',
    'tmpfs',
    '-o',
    'noexec',
    'none',
    tmpdir(),
  ])
  return status === 0 ? undefined : 'mounts of its own are not allowed to this process (unshare --mount)'
}

/** The end of a program that ran beside a place mounted `noexec`. */
export interface NoexecRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs this Node.js, beside an empty directory of 300 MiB that is mounted `noexec` for it alone.
 * @param script a module, to which `process.env.PLACE` names the place
 */
export async function runBesideNoexec(
  script: string,
  environment: (place: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<NoexecRun> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-noexec-'))
  const place = path.join(scratch.path, 'place')
  await mkdir(place)
  const file = path.join(scratch.path, 'script.mjs')
  await writeFile(file, script)
  const mount = 'mount -t tmpfs -o noexec,size=300m none "$0" && exec "$@"'
  const program = ['sh', '-c', mount, place, process.execPath, file]
  const env = { ...process.env, PLACE: place, ...environment(place) }
  try {
    return { exitCode: 0, ...(await run('unshare', [...ownMounts, '--', ...program], { env })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { exitCode: code, stdout, stderr }
  }
}
