import assert from 'node:assert/strict'
import { access, constants, mkdtempDisposable } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { DeadlineExceededError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { archiveOf } from '../archive/archive-fixture.ts'
import { scriptRequests, startCommandServer } from './command-server-fixture.ts'
import { ownSeconds, sleepers } from '@wadi/testing/sleepers.ts'
import { startScriptServers } from './script-servers-fixture.ts'

const archive = await archiveOf([{ name: 'tool.sh', text: '#!/bin/sh\necho tool\n', mode: 0o755 }])
const started = await startScriptServers()
after(() => started[Symbol.asyncDispose]())
const { isolated, shared, restricted, plain, skip } = started

/** A script that prints what it receives over a connection; in Perl, which is on every machine with git, in no home directory. */
function connectTo(connection: string): string {
  return `exec perl -MIO::Socket::INET -MIO::Socket::UNIX -e 'my $c = ${connection} or die "$!\n"; print <$c>'`
}

test('a script in namespaces of its own reaches no network', { skip }, async () => {
  await using listening = createServer((socket) => socket.end('reached'))
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  assert.ok(address !== null && typeof address === 'object')
  const script = connectTo(`IO::Socket::INET->new(PeerAddr => "127.0.0.1:${address.port}")`)
  assert.equal((await shared.client.runScript(scriptRequests(script, archive))).output, 'reached')
  await assert.rejects(isolated.client.runScript(scriptRequests(script, archive)), {
    name: 'InvalidInputError',
    message: /^the script failed exit status \d+: .*(?:refused|unreachable)/s,
  })
  await assert.rejects(
    isolated.client.runScript(scriptRequests('exec 3<>/dev/tcp/127.0.0.1/1', archive)),
    InvalidInputError,
  )
})

test('a script in namespaces of its own sees no files of the service or of its user', { skip }, async () => {
  const script = `
    cat ${isolated.directory}/service.key 2>/dev/null && exit 9
    ls /root /home /run 2>/dev/null | grep -v ':$' | grep . && exit 8
    umount /root 2>/dev/null && exit 7
    touch /usr/left-behind 2>/dev/null && exit 6
    cat /proc/${process.pid}/environ 2>/dev/null && exit 5
    kill -0 ${process.pid} 2>/dev/null && exit 4
    pwd
    echo "$HOME"`
  const { output } = await isolated.client.runScript(scriptRequests(script, archive))
  assert.equal(output, '/tmp/run/files\n/tmp/run/home\n')
})

test('a script in Landlock reaches no network and no files of the service, and has a directory for temporary files', async (t) => {
  const { scriptsRefusedBecause } = await restricted.client.describeCommands({})
  if (scriptsRefusedBecause !== '') return t.skip(scriptsRefusedBecause)
  const script = `
    cat ${restricted.directory}/service.key 2>/dev/null && exit 9
    touch /usr/left-behind 2>/dev/null && exit 6
    cat /proc/${process.pid}/environ 2>/dev/null && exit 5
    perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0) or exit 4' && exit 3
    file=$(mktemp) && [ "\${file#"$TMPDIR"/}" != "$file" ] && echo mine > "$file" && cat "$file"
    echo kept > result`
  const { output } = await restricted.client.runScript(scriptRequests(script, archive))
  assert.equal(output, 'mine\n')
})

const escapes = [
  [
    'leaves group and directory',
    `(setsid sh -c "cd /; exec sleep ${ownSeconds}" >/dev/null 2>&1 &) ; echo started`,
  ],
  [
    'leaves everything',
    `(setsid env -i sh -c "cd /; exec sleep ${ownSeconds}" >/dev/null 2>&1 &) ; echo started`,
  ],
  ['is the script itself', `exec setpriv --pdeathsig clear setsid sleep ${ownSeconds}`],
] as const

for (const [how, script] of escapes) {
  test(`a process that ${how} does not outlive a script in namespaces`, { skip }, async () => {
    for (const mesh of [isolated, shared]) {
      const running = mesh.client.runScript(scriptRequests(script, archive, { timeLimit: 1_500 }))
      await running.catch((error: unknown) => assert.ok(error instanceof DeadlineExceededError))
      assert.deepEqual(sleepers(), [])
    }
  })
}

test('a process that leaves group and directory is found by its environment where there are no namespaces', async () => {
  const [[, script]] = escapes
  assert.equal((await plain.client.runScript(scriptRequests(script, archive))).output, 'started\n')
  assert.deepEqual(sleepers(), [])
})

test(
  'a script in namespaces of its own has no devices, no other processes and no further namespaces',
  { skip },
  async () => {
    const { output } = await isolated.client.runScript(
      scriptRequests(
        `ls /dev | tr '\\n' ' '; [ $(ls -d /proc/[0-9]* | wc -l) -lt 10 ] && echo alone; cat /proc/1/environ 2>/dev/null && exit 9
      unshare -Ur true 2>/dev/null && exit 8
      { echo x > /proc/sys/kernel/hostname; } 2>/dev/null && exit 7
      echo > /dev/null; head -c 4 /dev/zero | wc -c`,
        archive,
      ),
    )
    // Its own directory is in the temporary directory, which may be in shared memory.
    const ownPlace = tmpdir().startsWith('/dev/shm') ? 'shm ' : ''
    assert.equal(output, `fd full null random ${ownPlace}stderr stdin stdout urandom zero alone\n4\n`)
  },
)

test('a script in namespaces of its own reaches no socket that a file is', { skip }, async (t) => {
  // Not below the temporary directory, which is covered anyway.
  const canWrite = await access(import.meta.dirname, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!canWrite) {
    t.skip('this user may write nowhere but to directories that are covered')
    return
  }
  await using directory = await mkdtempDisposable(path.join(import.meta.dirname, 'socket-'))
  const socket = path.join(directory.path, 'redis.sock')
  await using listening = createServer((connection) => connection.end('reached'))
  await new Promise<void>((resolve) => listening.listen(socket, resolve))
  const script = connectTo(`IO::Socket::UNIX->new(Peer => "${socket}")`)
  await assert.rejects(
    isolated.client.runScript(scriptRequests(script, archive)),
    // Where the working copy is in a home directory, the socket's directory is covered too.
    /refused|non-socket|No such file/,
  )
  assert.equal((await plain.client.runScript(scriptRequests(script, archive))).output, 'reached')
})

test('too many processes are refused to a script in namespaces of its own', { skip }, async () => {
  const script = 'i=0; while [ $i -lt 600 ]; do sleep 30 & i=$((i + 1)); done; echo all'
  await assert.rejects(isolated.client.runScript(scriptRequests(script, archive)), /[Cc]annot fork/)
})

test('a script that fills the disk is stopped', async () => {
  await using mesh = await startCommandServer({
    flags: [
      '--run-scripts',
      'allow-shared-network',
      '--max-extracted-size',
      '200MiB',
      '--command-grace',
      '100ms',
    ],
  })
  const script = 'i=0; while :; do i=$((i + 1)); head -c 50M /dev/zero > $i; done'
  await assert.rejects(mesh.client.runScript(scriptRequests(script, archive)), {
    name: 'ResourceExhaustedError',
    message: 'the disk lost more than 209715200 bytes while the script ran',
  })
})

test('what loads libraries or files of a shell does so in the script alone', { skip }, async () => {
  const environment = [
    { name: 'LD_PRELOAD', value: '/tmp/run/files/none.so' },
    { name: 'BASH_ENV', value: '/tmp/run/files/tool.sh' },
    { name: 'ENV', value: '/tmp/run/files/tool.sh' },
    { name: 'LINES_OF_TEXT', value: 'a\nb' },
  ]
  const { output } = await isolated.client.runScript(
    scriptRequests('echo "$LINES_OF_TEXT"; id -u', archive, { environment }),
  )
  assert.equal(output, 'a\nb\n65534\n')
})
