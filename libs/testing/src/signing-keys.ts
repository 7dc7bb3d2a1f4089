import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestRepository } from './git-repository.ts'

const run = promisify(execFile)

/** Why tests with real signatures cannot run here; false when they can. */
export const noSigningPrograms = await (async () => {
  for (const program of ['gpg', 'ssh-keygen']) {
    const found = await run('sh', ['-c', `command -v ${program}`]).catch(() => undefined)
    if (!found) return `needs ${program}`
  }
  return false
})()

/** The options and the environment with which git signs. */
export interface Signing {
  config: string[]
  environment: Record<string, string>
}

/** A GPG key that a test made. */
export interface TestGpgKey {
  /** The last 16 digits of the primary key's fingerprint. */
  keyId: string
  fingerprint: string
  /** Fingerprint of a subkey for signing; empty when there is none. */
  subkey: string
}

/** Private GPG keys in a directory of their own, which goes away with what gpg left running. */
export interface GpgHome extends AsyncDisposable {
  /** Makes a key for signing, of `ed25519` by default; `at` is when it is made (the present by default), `expires` is gpg's text, such as `1d`. */
  addKey(
    owner: string,
    options?: { at?: Date; expires?: string; subkey?: boolean; passphrase?: string; algorithm?: string },
  ): Promise<TestGpgKey>
  /** The file in which gpg keeps the public keys. */
  readonly keybox: string
  /** The public key in ASCII armour. */
  publicKey(key: TestGpgKey): Promise<string>
  /** The private key in ASCII armour, with the passphrase that it has. */
  privateKey(key: TestGpgKey, passphrase?: string): Promise<string>
  revoke(key: TestGpgKey): Promise<void>
  /** Signs with a key, with its subkey if there is one; `at` is the time on gpg's clock, `expires` that of the signature. */
  signing(key: TestGpgKey, options?: { at?: Date; expires?: string }): Promise<Signing>
}

/** Makes a directory for private GPG keys. */
export async function makeGpgHome(): Promise<GpgHome> {
  // The path is short, as the agent's socket lies below it.
  const home = await mkdtemp(path.join(tmpdir(), 'wadi-key-'))
  // Passphrases take a second each with the rounds that people want.
  await writeFile(path.join(home, 'gpg-agent.conf'), 's2k-count 65536\n')
  const gpg = async (args: string[]) => {
    const all = [
      '--homedir',
      home,
      '--s2k-count',
      '65536',
      '--batch',
      '--quiet',
      '--passphrase',
      '',
      '--pinentry-mode',
      'loopback',
      ...args,
    ]
    return (await run('gpg', all)).stdout
  }
  const clock = (at: Date | undefined) =>
    at ? ['--faked-system-time', `${at.toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}!`] : []
  const fingerprints = async (owner: string) => {
    const list = await gpg(['--list-keys', '--with-colons', '--with-subkey-fingerprint', `=${owner}`])
    return [...list.matchAll(/^fpr:+([0-9A-F]{40}):/gm)].map(([, fingerprint = '']) => fingerprint)
  }
  let scripts = 0
  return {
    keybox: path.join(home, 'pubring.kbx'),
    async addKey(
      owner,
      { at, expires = 'never', subkey = false, passphrase = '', algorithm = 'ed25519' } = {},
    ) {
      const locked = ['--passphrase', passphrase]
      await gpg([...clock(at), ...locked, '--quick-gen-key', owner, algorithm, 'sign', expires])
      const [fingerprint = ''] = await fingerprints(owner)
      if (subkey) await gpg([...clock(at), '--quick-add-key', fingerprint, 'ed25519', 'sign', expires])
      const [, added = ''] = await fingerprints(owner)
      return { keyId: fingerprint.slice(-16), fingerprint, subkey: added }
    },
    publicKey: ({ fingerprint }) => gpg(['--armor', '--export', fingerprint]),
    privateKey: ({ fingerprint }, passphrase = '') =>
      gpg(['--passphrase', passphrase, '--armor', '--export-secret-keys', fingerprint]),
    async revoke({ fingerprint }) {
      const file = path.join(home, 'openpgp-revocs.d', `${fingerprint}.rev`)
      // gpg puts a colon before the armour so that nobody revokes a key by mistake.
      await writeFile(file, (await readFile(file, 'utf8')).replace(':-----BEGIN', '-----BEGIN'))
      await gpg(['--import', file])
    },
    async signing({ fingerprint, subkey }, { at, expires } = {}) {
      const script = path.join(home, `sign-${scripts++}`)
      const options = [...clock(at), ...(expires === undefined ? [] : ['--default-sig-expire', expires])]
      await writeFile(script, `#!/bin/sh\nexec gpg --homedir '${home}' --batch ${options.join(' ')} "$@"\n`, {
        mode: 0o700,
      })
      const config = ['-c', `user.signingkey=${subkey || fingerprint}!`, '-c', `gpg.program=${script}`]
      return { config, environment: {} }
    },
    async [Symbol.asyncDispose]() {
      await run('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => undefined)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** An SSH key that a test made. */
export interface TestSshKey {
  /** `ssh-ed25519 <base64>`. */
  publicKey: string
  /** `SHA256:…`. */
  fingerprint: string
  signing: Signing
}

/** Makes an SSH key, of `ed25519` by default; its files lie in the given directory. */
export async function makeSshKey(
  directory: string,
  name: string,
  { type = 'ed25519', bits = '', passphrase = '' } = {},
): Promise<TestSshKey> {
  const file = path.join(directory, name)
  const length = bits === '' ? [] : ['-b', bits]
  await run('ssh-keygen', ['-q', '-t', type, ...length, '-a', '1', '-N', passphrase, '-C', '', '-f', file])
  const { stdout } = await run('ssh-keygen', ['-l', '-f', file])
  const publicKey = (await readFile(`${file}.pub`, 'utf8')).trim()
  const config = ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${file}`]
  return { publicKey, fingerprint: stdout.split(' ')[1] ?? '', signing: { config, environment: {} } }
}

/** Runs a git command such as `commit -S` or `tag -s` in a repository, with signatures of a key. */
export async function signedGit(
  repository: TestRepository,
  signing: Signing,
  args: string[],
): Promise<string> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'gc.auto=0']
  const all = ['-C', repository.directory, ...identity, ...signing.config, ...args]
  return (await run('git', all, { env: { ...process.env, ...signing.environment } })).stdout.trim()
}

/** Makes an empty signed commit and returns its SHA. */
export async function signedCommit(
  repository: TestRepository,
  signing: Signing,
  message: string,
  date?: Date,
): Promise<string> {
  const dated = date ? { GIT_COMMITTER_DATE: date.toISOString() } : {}
  const how = { ...signing, environment: { ...signing.environment, ...dated } }
  await signedGit(repository, how, ['commit', '--quiet', '--allow-empty', '-S', '-m', message])
  return repository.head()
}

/** An agent in a process of its own. */
export interface TestAgent extends AsyncDisposable {
  socket: string
}

/** Starts an ssh-agent that has one private key, at a socket. */
export async function startSshAgent(socket: string, keyFile: string): Promise<TestAgent> {
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(agent, 'exit')
  await once(agent.stdout, 'data')
  await run('ssh-add', ['-q', keyFile], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  return {
    socket,
    async [Symbol.asyncDispose]() {
      agent.kill()
      await ended
    },
  }
}

/** Starts a gpg-agent that has one private key without a passphrase, at a socket. */
export async function startGpgAgent(socket: string, keyFile: string): Promise<TestAgent> {
  const home = await mkdtemp(path.join(tmpdir(), 'wadi-key-'))
  await writeFile(path.join(home, 'S.gpg-agent'), `%Assuan%\nsocket=${socket}\n`)
  const agent = spawn('gpg-agent', ['--homedir', home, '--no-detach', '--daemon', '-v'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(agent, 'exit')
  for await (const text of agent.stderr) if (String(text).includes('started')) break
  await run('gpg', ['--homedir', home, '--batch', '--quiet', '--no-autostart', '--import', keyFile])
  return {
    socket,
    async [Symbol.asyncDispose]() {
      agent.kill()
      await ended
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
