import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'

const mesh = await sharedMeshFixture()

async function cert(args: readonly string[], input?: string) {
  return mesh.operate(['cert', ...args], input === undefined ? {} : { input })
}

/** The rows of a table without its head, with one space between columns. */
async function listed(...args: string[]): Promise<string[]> {
  const { stdout, code, stderr } = await cert(['list', ...args])
  assert.equal(code, 0, stderr)
  const [head, ...rows] = stdout.trimEnd().split('\n')
  assert.match(head ?? '', /^HOSTNAME +TYPE +SUBTYPE +INFO$/)
  return rows.map((row) => row.replaceAll(/ {2,}/g, ' '))
}

test(
  'a repository behind a private authority is added once that is trusted, and no longer when it is removed',
  { skip: noOpenssl },
  async () => {
    const files = makeSignedCertificate(mesh.directory, 'localhost')
    await using git = await startGitHttpServer({
      tls: { cert: await readFile(files.certificate), key: await readFile(files.key) },
    })
    await git.createRepository('a.git')
    const url = `${git.url.replace('127.0.0.1', 'localhost')}/a.git`
    const add = (...more: string[]) => mesh.operate(['repo', 'add', url, '--upsert', ...more])
    assert.match((await add()).stderr, /TLS failed for .*wadi cert add-tls localhost/)

    const twice = join(mesh.directory, 'twice.pem')
    const authority = await readFile(files.authority, 'utf8')
    await writeFile(twice, `# ours\n${authority}\n${authority}`)
    const added = await cert(['add-tls', 'localhost', '--from', twice])
    const [reading, warning, ...rest] = added.stdout.trimEnd().split('\n')
    assert.equal(reading, `Reading TLS certificate data in PEM format from '${twice}'`, added.stderr)
    assert.match(
      warning ?? '',
      /^WARNING: Duplicate certificate detected \(SHA256 fingerprint [0-9a-f]{64}, subject 'CN=.*'\), skipping\.$/,
    )
    assert.deepEqual(rest, [
      'Created/updated TLS certificate entry for repository server localhost with 1 unique PEM certificates',
    ])
    assert.equal((await add()).stdout, `Repository '${url}' added\n`)
    assert.equal((await add('--write')).stdout, `Repository '${url}' added\n`)

    assert.equal((await cert(['add-tls', 'localhost', '--from', twice])).code, 0, 'what is there already')
    const server = await readFile(files.certificate, 'utf8')
    assert.match(
      (await cert(['add-tls', 'localhost'], server)).stderr,
      /TLS certificate for server 'localhost' already exists, and upsert was not specified/,
    )
    assert.equal((await cert(['add-tls', 'localhost', '--upsert'], `${authority}${server}`)).code, 0)
    assert.deepEqual(
      (await listed('--cert-type', 'https')).map((row) => row.replace(/CN=.*/, 'CN')),
      ['localhost https ecdsa CN', 'localhost https ecdsa CN'],
    )
    assert.equal((await mesh.operate(['__complete', 'trusted-servers'])).stdout, 'localhost\n')

    assert.equal((await cert(['rm', 'localhost'])).code, 20, 'nobody is there to ask')
    assert.equal(
      (await cert(['rm', 'local*', '--yes'])).stdout,
      "Removed cert for 'localhost' of type 'https' (subtype '')\n".repeat(2),
    )
    assert.match((await add()).stderr, /TLS failed/)
    assert.equal(
      (await cert(['rm', 'localhost', '--yes'])).stdout,
      'No certificates were removed (none matched the given pattern)\n',
    )
  },
)

test(
  'host keys of ssh servers are added from what ssh-keyscan prints, replaced and removed one by one',
  { skip: sshServerAvailable() ? false : 'no sshd on this machine' },
  async () => {
    await using server = await startGitSshServer()
    await using other = await startGitSshServer()
    const { url } = await server.createRepository('a.git')
    const login = join(mesh.directory, 'login')
    await writeFile(login, server.privateKey, { mode: 0o600 })
    const add = () => mesh.operate(['repo', 'add', url, '--ssh-private-key-path', login, '--upsert'])
    assert.match((await add()).stderr, /no key of this server is known; .*wadi cert add-ssh/)
    const known = server.knownHosts
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    const [place = '', keyType = '', key = ''] = (known[0] ?? '').split(' ')
    const foreign = / (\S+)\s*$/.exec(other.knownHosts.trim())?.[1] ?? ''
    const wrong = `# scanned\n${place},git.example.com ${keyType} ${foreign} comment\n`
    assert.match((await cert(['add-ssh'], wrong)).stderr, /you need to specify --batch/)
    assert.equal(
      (await cert(['add-ssh', '--batch'], wrong)).stdout,
      'Enter SSH known hosts entries, one per line. Press CTRL-D when finished.\nSuccessfully created 2 SSH known host entries\n',
    )
    assert.match((await add()).stderr, /it shows the ED25519 key SHA256:/)
    const right = join(mesh.directory, 'right')
    await writeFile(right, `${place} ${keyType} ${key}\n`)
    const message = (await cert(['add-ssh', '--batch', '--from', right])).stderr
    assert.ok(message.includes(`key for '${place}' (subtype: '${keyType}') already exists`), message)
    assert.equal((await cert(['add-ssh', '--batch', '--from', right, '--upsert'])).code, 0)
    assert.match((await add()).stdout, /^Repository 'ssh:.*' added\n$/)
    const rows = await listed('--cert-type', 'ssh')
    assert.deepEqual(
      rows.map((row) => row.replace(/SHA256:[\w+/]{43}$/, 'SHA256')),
      [`${place} ssh ${keyType} SHA256`, `git.example.com ssh ${keyType} SHA256`],
    )
    const json = JSON.parse((await cert(['list', '--hostname-pattern', 'git.*', '-o', 'json'])).stdout)
    assert.deepEqual(
      json.map((item: Record<string, unknown>) => [item['serverName'], item['certType'], item['certData']]),
      [['git.example.com', 'ssh', undefined]],
    )
    assert.equal(
      (await cert(['rm', place, '--cert-type', 'ssh', '--yes'])).stdout,
      `Removed cert for '${place}' of type 'ssh' (subtype '${keyType}')\n`,
    )
    assert.equal((await listed()).length, 1)
    assert.match((await add()).stderr, /no key of this server is known/)
  },
)

test('what cannot be used is refused with its place, and nothing of it is stored', async () => {
  const before = await listed()
  const key = `ssh-ed25519 ${Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20'.padEnd(51, 'k'), 'latin1').toString('base64')}`
  const rows: [string[], string, RegExp][] = [
    [['add-tls', 'a.example.com'], 'nonsense', /No valid certificates have been detected in the stream/],
    [
      ['add-tls', 'a.example.com'],
      '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----\n',
      /certificate 1 cannot be read/,
    ],
    [['add-ssh', '--batch'], '# nothing\n', /No valid SSH known hosts data found/],
    [['add-ssh', '--batch'], `a.example.com ${key}\nb.example.com x\n`, /line 2 is not a host with its key/],
    [
      ['add-ssh', '--batch'],
      `a.example.com ${key}\nb.example.com ssh-rsa AAAA\n`,
      /b\.example\.com: the key is not one of type/,
    ],
    [
      ['add-ssh', '--batch'],
      `@cert-authority *.example.com ${key}\n`,
      /line 1: @cert-authority can be given in the ConfigMap/,
    ],
    [['add-ssh', '--batch'], `*.example.com ${key}\n`, /invalid hostname in request: \*\.example\.com/],
    [['rm', '*', '--yes'], '', /A single wildcard is not allowed/],
    [['rm', 'a\\', '--yes'], '', /pattern .* ends in/],
  ]
  for (const [args, input, message] of rows) {
    const { stderr, code } = await cert(args, input)
    assert.match(stderr, message)
    assert.equal(code, 20, args.join(' '))
  }
  assert.deepEqual(await listed(), before)
  const absent = await cert(['add-tls', 'a.example.com', '--from', join(mesh.directory, 'absent.pem')])
  assert.match(absent.stderr, /cannot read .*absent\.pem/)
})
