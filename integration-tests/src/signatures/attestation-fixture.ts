import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

const notes = 'refs/notes/hydrator.metadata'

/** Clones a repository as a deployer does and verifies a branch there, without a server. */
export async function verifyInClone(
  { directory: remote, url }: RepositoryFixture,
  scratch: string,
  args: readonly string[],
) {
  const clone = join(scratch, `clone-${crypto.randomUUID()}`)
  await runTestGit(scratch, ['clone', '--quiet', '--no-checkout', remote, clone])
  const urls = args.includes('--repo-url') ? [] : ['--repo-url', url]
  return runWadi(['verify', ...args, '--repo', clone, '--fetch', ...urls])
}

/** The path of the attestations of a commit in the tree of the notes. */
export function attestationPath(commit: string): string {
  return `attestations/commits/${commit.slice(0, 2)}/${commit.slice(2)}`
}

/** Reads a file of the tree of the notes. */
export async function readNotes({ directory }: RepositoryFixture, path: string): Promise<string> {
  return runTestGit(directory, ['show', `${notes}:${path}`])
}

/** Pushes a commit of notes, as anybody with push rights can, in which files have the content of others, or a text; those of undefined are removed. */
export async function pushNotes(
  { directory }: RepositoryFixture,
  scratch: string,
  contents: Readonly<Record<string, string | undefined>>,
  texts: Readonly<Record<string, string>> = {},
): Promise<void> {
  const clone = join(scratch, `notes-${crypto.randomUUID()}`)
  const git = (...args: string[]) => runTestGit(clone, args)
  await runTestGit(scratch, ['clone', '--quiet', '--no-checkout', directory, clone])
  await git('fetch', '--quiet', 'origin', notes)
  await git('checkout', '--quiet', 'FETCH_HEAD')
  const before = join(scratch, `before-${crypto.randomUUID()}`)
  await cp(clone, before, { recursive: true })
  for (const [to, from] of Object.entries(contents)) {
    await mkdir(dirname(join(clone, to)), { recursive: true })
    if (from === undefined) await rm(join(clone, to))
    else await cp(join(before, from), join(clone, to))
  }
  for (const [to, text] of Object.entries(texts)) await writeFile(join(clone, to), text)
  await git('add', '--all')
  await git('-c', 'user.name=M', '-c', 'user.email=m@example.com', 'commit', '--quiet', '--message', 'Notes')
  await git('push', '--quiet', 'origin', `HEAD:${notes}`)
}

/** Runs a script as a step of a pipeline does, with nothing but these variables. */
export async function runShell(
  script: string,
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory, ...variables }
  const done = Promise.withResolvers<{ code: number; output: string }>()
  execFile('sh', ['-e', '-c', script], { cwd: directory, env }, (error, stdout, stderr) => {
    const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
    done.resolve({ code, output: `${stdout}${stderr}` })
  })
  return done.promise
}
