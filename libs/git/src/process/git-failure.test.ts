import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConflictError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { DiskFullError, MachineShortageError } from '@wadi/errors/machine-shortage.ts'
import { unreachable } from './connection-failure.ts'
import {
  AccessRefusedError,
  AtomicUnsupportedError,
  classifyGitFailure,
  classifyPushRejection,
  CorruptMirrorError,
  RepositoryMovedError,
  RepositoryNotFoundError,
} from './git-failure.ts'

const operation = { command: 'fetch', url: 'https://bot:hunter2@host.example/org/repo.git' }

for (const [stderr, expected] of [
  [`fatal: could not read Username for 'http://127.0.0.1': terminal prompts disabled`, PermissionDeniedError],
  [`fatal: Authentication failed for 'https://host.example/org/repo.git/'`, PermissionDeniedError],
  [
    `fatal: unable to access 'https://host.example/x/': The requested URL returned error: 403`,
    AccessRefusedError,
  ],
  [
    `git@host.example: Permission denied (publickey).\r\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
    PermissionDeniedError,
  ],
  [
    `remote: Repository not found.\nfatal: repository 'https://host.example/x.git/' not found`,
    RepositoryNotFoundError,
  ],
  [
    `fatal: '/nonexistent' does not appear to be a git repository\nfatal: Could not read from remote repository.`,
    RepositoryNotFoundError,
  ],
  [
    `ERROR: Repository not found.\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
    RepositoryNotFoundError,
  ],
  [`fatal: mismatched algorithms: client sha1; server sha256`, FailedPreconditionError],
  [`fatal: couldn't find remote ref refs/heads/nope`, NotFoundError],
  [`fatal: remote error: want 1234567890123456789012345678901234567890 not valid`, NotFoundError],
  [`fatal: remote error: upload-pack: not our ref 1234567890123456789012345678901234567890`, NotFoundError],
  [
    `fatal: unable to access 'http://127.0.0.1:1/x/': Failed to connect to 127.0.0.1 port 1 after 1 ms: Couldn't connect to server`,
    UnavailableError,
  ],
  [
    `fatal: unable to access 'https://no-such-host.invalid/x/': Could not resolve host: no-such-host.invalid`,
    UnavailableError,
  ],
  [
    `ssh: connect to host 127.0.0.1 port 1: Connection refused\nfatal: Could not read from remote repository.`,
    UnavailableError,
  ],
  [`fatal: unable to access 'http://h/x/': The requested URL returned error: 500`, UnavailableError],
  [`fatal: unable to access 'http://h/x/': The requested URL returned error: 429`, UnavailableError],
  [`error: RPC failed; curl 56 Recv failure: Connection reset by peer`, UnavailableError],
  [`fatal: write error: No space left on device`, DiskFullError],
  [`fatal: sha1 file '/x/tmp_pack_1' write error. Out of diskspace`, DiskFullError],
  [
    `fatal: unable to access 'https://127.0.0.1:18999/x/': gnutls_handshake() failed: An unexpected TLS packet was received.`,
    FailedPreconditionError,
  ],
  [
    `fatal: unable to access 'https://h/x/': server certificate verification failed. CAfile: none CRLfile: none`,
    FailedPreconditionError,
  ],
  [
    `No ED25519 host key is known for [127.0.0.1]:2222 and you have requested strict checking.\r\nHost key verification failed.\r\nfatal: Could not read from remote repository.`,
    FailedPreconditionError,
  ],
  [
    `fatal: unable to access 'http://127.0.0.1:18999/m/x.git/': The requested URL returned error: 301`,
    RepositoryMovedError,
  ],
  [`fatal: transport 'ext' not allowed`, InvalidInputError],
  [`fatal: the receiving end does not support --atomic push`, AtomicUnsupportedError],
  [
    `fatal: update_ref failed for ref 'refs/heads/main': cannot lock ref 'refs/heads/main': is at a but expected b`,
    ConflictError,
  ],
  [
    `error: object file objects/60/cf95 is empty\nfatal: loose object 60cf95 (stored in objects/60/cf95) is corrupt`,
    CorruptMirrorError,
  ],
  [`remote: fatal: bad object refs/heads/x\nfatal: protocol error: bad pack header`, UnavailableError],
  [`something nobody has seen`, UnavailableError],
] as const) {
  test(`${JSON.stringify(stderr.slice(0, 90))} is a ${expected.name}`, () => {
    const error = classifyGitFailure(stderr, 128, operation)
    assert.equal(error.constructor, expected, error.message)
    assert.ok(!error.message.includes('hunter2'))
  })
}

test('an authentication failure says what those who gave the credentials advise', () => {
  const advice = 'correct the credentials of Secret a in namespace b'
  for (const stderr of [
    'fatal: Authentication failed for x',
    'The requested URL returned error: 403',
    'ERROR: Repository not found.',
    'git@host.example: Permission denied (publickey).',
  ]) {
    const { message } = classifyGitFailure(stderr, 128, { ...operation, credentials: { advice } })
    assert.ok(message.endsWith(`: ${advice}`), message)
  }
  const here = { command: 'fetch', url: 'file:///srv/a.git', credentials: { advice } }
  assert.equal(
    classifyGitFailure("'/srv/a.git' does not appear to be a git repository", 128, here).message,
    'repository not found: file:///srv/a.git; check its URL',
  )
})

test('an authentication failure names the repository and what to check', () => {
  const error = classifyGitFailure('fatal: Authentication failed for x', 128, operation)
  assert.equal(
    error.message,
    "authentication failed for https://host.example/org/repo.git: check the repository's credentials (wadi repo add …)",
  )
})

for (const [summary, stderr, expected] of [
  ['[rejected] (fetch first)', 'error: failed to push some refs', ConflictError],
  ['[rejected] (non-fast-forward)', '', ConflictError],
  ['[rejected] (stale info)', '', ConflictError],
  [
    `[remote rejected] (cannot lock ref 'refs/heads/main': is at a but expected b)`,
    'remote: error: cannot lock ref',
    ConflictError,
  ],
  ['[remote rejected] (incorrect old value provided)', '', ConflictError],
  ['[remote rejected] (reference already exists)', '', ConflictError],
  [
    '[remote rejected] (protected branch hook declined)',
    'remote: error: GH006: Protected branch update failed for refs/heads/main.',
    FailedPreconditionError,
  ],
  [
    '[remote rejected] (push declined due to repository rule violations)',
    'remote: error: GH013: Repository rule violations found for refs/heads/main.',
    FailedPreconditionError,
  ],
  [
    '[remote rejected] (pre-receive hook declined)',
    'remote: GitLab: You are not allowed to push code to protected branches on this project.',
    FailedPreconditionError,
  ],
  ['[remote failure] (remote failed to report status)', '', UnavailableError],
] as const) {
  test(`a push refused with ${summary} is a ${expected.name}`, () => {
    const error = classifyPushRejection({ ref: 'refs/heads/main', summary }, stderr, operation)
    assert.ok(error instanceof expected, `${error.name}: ${error.message}`)
    assert.match(error.message, /refs\/heads\/main/)
  })
}

test("a full disk of the git server is not one of this service's", () => {
  const error = classifyGitFailure('remote: fatal: write error: No space left on device', 128, operation)
  assert.ok(error instanceof UnavailableError && !(error instanceof MachineShortageError))
  assert.match(error.message, /^the git server has no space left on disk for https:/)
})

test('a read-only disk is told apart from a full one, and that of the git server from its own', () => {
  const own = classifyGitFailure("fatal: Unable to create 'x.lock': Read-only file system", 128, operation)
  assert.ok(own instanceof MachineShortageError && !(own instanceof DiskFullError))
  assert.match(own.message, /^the file system is read-only and takes nothing for the copy of https:/)
  const other = classifyGitFailure('remote: fatal: unable to write: Read-only file system', 128, operation)
  assert.ok(!(other instanceof MachineShortageError))
  assert.match(other.message, /^the disk of the git server is read-only, so https:/)
})

test('in a pod a server that cannot be reached may be kept from it by a NetworkPolicy, whose port is named', (t) => {
  const before = process.env['KUBERNETES_SERVICE_HOST']
  t.after(() => {
    if (before === undefined) delete process.env['KUBERNETES_SERVICE_HOST']
    else process.env['KUBERNETES_SERVICE_HOST'] = before
  })
  const advice = (where: string, detail = 'connect ETIMEDOUT 203.0.113.5') =>
    /a NetworkPolicy .* allow its port (\d+) \(network\.outsidePorts/.exec(
      unreachable(where, detail).message,
    )?.[1]
  delete process.env['KUBERNETES_SERVICE_HOST']
  assert.equal(advice('https://git.example.com/x.git'), undefined)
  process.env['KUBERNETES_SERVICE_HOST'] = '10.96.0.1'
  assert.deepEqual(
    [
      'https://git.example.com/x.git',
      'https://git.example.com:8443/x.git',
      'ssh://git@git.example.com:2222/x.git',
      'git@git.example.com:x.git',
    ].map((where) => advice(where)),
    ['443', '8443', '2222', '22'],
  )
  for (const detail of [
    'connect ECONNREFUSED',
    'less than 100 bytes a second for 60 s',
    'Connection timed out',
  ])
    assert.equal(advice('https://git.example.com/x.git', detail), '443', detail)
  for (const detail of [
    'its answer is not HTTP',
    'the requested URL returned error: 502',
    'ETIMEDOUT through the proxy http://p:1',
  ])
    assert.equal(advice('https://git.example.com/x.git', detail), undefined, detail)
})
