import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runTestGit } from '@wadi/testing/test-git.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

const run = promisify(execFile)
const notes = 'refs/notes/hydrator.metadata'

/** Makes a keyring of GPG public keys and returns the configuration with which git verifies by it. */
export async function gpgVerifying(scratch: string, ...publicKeys: string[]): Promise<string[]> {
  const home = join(scratch, `ring-${crypto.randomUUID()}`)
  await mkdir(home, { mode: 0o700 })
  await writeFile(join(home, 'keys'), publicKeys.join('\n'))
  const program = join(home, 'gpg')
  const options = `--homedir '${home}' --no-autostart --trust-model always`
  await writeFile(program, `#!/bin/sh\nexec gpg ${options} "$@"\n`, { mode: 0o700 })
  await run(program, ['--batch', '--quiet', '--import', join(home, 'keys')])
  return ['-c', `gpg.program=${program}`]
}

/** Writes lines of allowed signers and returns the configuration with which git verifies by them. */
export async function sshVerifying(scratch: string, ...lines: string[]): Promise<string[]> {
  const file = join(scratch, `signers-${crypto.randomUUID()}`)
  await writeFile(file, `${lines.join('\n')}\n`)
  return ['-c', `gpg.ssh.allowedSignersFile=${file}`]
}

/**
 * Clones a repository afresh and lets git verify all commits of a branch and of the notes.
 * @param verifying the configuration with which git knows the public keys
 * @returns the number of commits that were verified
 * @throws what git says of the first commit that it does not verify
 */
export async function verifyClone(
  { directory }: RepositoryFixture,
  scratch: string,
  branch: string,
  verifying: readonly string[],
): Promise<number> {
  const clone = join(scratch, `clone-${crypto.randomUUID()}`)
  await runTestGit(scratch, ['clone', '--quiet', '--bare', directory, clone])
  await runTestGit(clone, ['fetch', '--quiet', 'origin', `${notes}:${notes}`])
  const listed = await runTestGit(clone, ['rev-list', `refs/heads/${branch}`, notes])
  const commits = listed.trim().split('\n')
  await runTestGit(clone, [...verifying, 'verify-commit', ...commits])
  return commits.length
}

/** Returns the fingerprint of the key that signed a branch's head. */
export async function signerOf(
  { directory }: RepositoryFixture,
  branch: string,
  verifying: readonly string[],
): Promise<string> {
  const shown = await runTestGit(directory, [...verifying, 'log', '-1', '--format=%GK', branch])
  return shown.trim()
}
