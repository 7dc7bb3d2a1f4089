import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtempDisposable, readdir, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { archiveOf } from '../archive/archive-fixture.ts'
import { scriptRequests, startCommandServer } from '../commands/command-server-fixture.ts'
import { isAlive } from '../run/run-command-fixture.ts'
import { runVariable } from '../run/stray-processes.ts'

const archive = await archiveOf([
  { name: 'packages/web/name.txt', text: 'web\n' },
  { name: 'tool.sh', text: '#!/bin/sh\necho tool\n', mode: 0o755 },
])

const isolated = await startCommandServer({
  flags: ['--run-scripts', 'allow', '--max-output-size', '1KiB', '--command-grace', '100ms'],
  environment: { WADI_SECRET: 'hidden', KUBECONFIG: '/home/me/.kube/config', API_TOKEN: 'sesame-open' },
})
const shared = await startCommandServer({
  flags: ['--run-scripts', 'allow-shared-network', '--max-output-size', '1KiB', '--command-grace', '100ms'],
  environment: { WADI_SECRET: 'hidden', KUBECONFIG: '/home/me/.kube/config', API_TOKEN: 'sesame-open' },
})
// All programs but the one that makes namespaces.
const programs = await mkdtempDisposable(path.join(tmpdir(), 'wadi-programs-'))
for (const name of (await readdir('/usr/bin')).filter((each) => each !== 'unshare'))
  await symlink(path.join('/usr/bin', name), path.join(programs.path, name))
const plain = await startCommandServer({
  flags: ['--run-scripts', 'allow-shared-network', '--max-output-size', '1KiB', '--command-grace', '100ms'],
  environment: { WADI_SECRET: 'hidden', KUBECONFIG: '/home/me/.kube/config', API_TOKEN: 'sesame-open' },
  path: programs.path,
})
after(() => isolated[Symbol.asyncDispose]())
after(() => shared[Symbol.asyncDispose]())
after(() => plain[Symbol.asyncDispose]())
after(() => programs.remove())
const { scriptsRefusedBecause: refusal } = await isolated.client.describeCommands({})
const skip = refusal === '' ? false : refusal
const servers = [
  { name: 'in namespaces of its own', mesh: isolated, skip, marks: [] },
  { name: 'in namespaces but that of the network', mesh: shared, skip, marks: [] },
  { name: 'as the user of the service', mesh: plain, skip: false, marks: [runVariable] },
]

for (const { name, mesh, skip: without, marks } of servers) {
  const run = async (
    text: string,
    script: Parameters<typeof scriptRequests>[2] = {},
    options: { timeoutMs?: number } = {},
  ) => (await mesh.client.runScript(scriptRequests(text, archive, script), options)).output

  test(`${name}, a script sees its files and nothing is left of its run`, { skip: without }, async () => {
    const script = 'cat name.txt; ../../tool.sh; : > ../../new; ls ../..; ls -A ~'
    assert.equal(await run(script, { folder: 'packages/web' }), 'web\ntool\nnew\npackages\ntool.sh\n')
    assert.equal(await run('test -e new || printf fresh; : > new'), 'fresh')
    assert.deepEqual(await readdir(mesh.runs), [])
  })

  test(`${name}, a script has the environment that it is given and no more`, { skip: without }, async () => {
    const environment = [
      { name: 'ZARF_VAR_A', value: 'one two' },
      { name: 'PATH', value: '/nowhere' },
      { name: 'LD_PRELOAD', value: '' },
    ]
    const names = (await run(`env | sed 's/=.*//' | sort; echo "$ZARF_VAR_A"`, { environment })).split('\n')
    assert.deepEqual(names, ['HOME', 'LD_PRELOAD', 'PATH', 'PWD', ...marks, 'ZARF_VAR_A', 'one two', ''])
  })

  test(`${name}, a script that writes something else each time is refused`, { skip: without }, async () => {
    await assert.rejects(run('head -c 16 /dev/urandom | od -x'), {
      name: 'InvalidInputError',
      message: /does not write the same twice.*mutating webhook.*commit the value to git/,
    })
  })

  test(`${name}, a failing script is told with the end of its error output`, { skip: without }, async () => {
    const environment = [{ name: 'ZARF_VAR_PASSWORD', value: 'swordfish' }]
    await assert.rejects(
      run('echo "no cluster for $ZARF_VAR_PASSWORD in $PWD" >&2; false; echo on', { environment }),
      (error: Error) => {
        assert.ok(error instanceof InvalidInputError)
        assert.match(error.message, /^the script failed exit status 1: no cluster for \*\*\* in /)
        assert.ok(!error.message.includes(mesh.folder), error.message)
        return true
      },
    )
  })

  test(`${name}, a script stays within its limits`, { skip: without }, async () => {
    await assert.rejects(run('yes'), (error: Error) => {
      assert.ok(error instanceof ResourceExhaustedError)
      assert.equal(error.message, 'the script wrote more than 1024 bytes')
      return true
    })
    await assert.rejects(run('sleep 1000', {}, { timeoutMs: 1_000 }), DeadlineExceededError)
    await assert.rejects(run('exec >&- 2>&-; sleep 1000', { timeLimit: 700 }), {
      name: 'DeadlineExceededError',
      message: 'the script took longer than 0.7 s',
    })
    assert.equal(await run('echo in time', { timeLimit: 1_000_000_000 }), 'in time\n')
    await assert.rejects(run('truncate -s 2G big'), /^InvalidInputError: the script failed /)
    await assert.rejects(run(`perl -e '$a = "x" x (3 * 2 ** 30); print "had it"'`), /^InvalidInputError: the script failed .*Out of memory/s)
    await assert.rejects(
      run('true', { environment: [{ name: 'A', value: 'a'.repeat(121 * 1024) }] }),
      /variable A of a script is larger than 120 KiB/,
    )
  })

  test(`${name}, what is asked for has to make sense`, { skip: without }, async () => {
    await assert.rejects(run('true', { folder: '../..' }), /out of the archive/)
    await assert.rejects(run('true', { folder: 'none' }), /no folder "none"/)
    await assert.rejects(
      run('true', { checksum: '00' }),
      /^InvalidInputError: file checksum validation error$/,
    )
    await assert.rejects(run('true', { environment: [{ name: 'A-B', value: '' }] }), /variable "A-B"/)
    await assert.rejects(
      mesh.client.runScript(emptyStream()),
      /^InvalidInputError: the first message has to carry the script$/,
    )
  })
}

async function* emptyStream(): AsyncGenerator<never> {}

test('a script in namespaces of its own reaches no network', { skip }, async () => {
  const listening = createServer((socket) => socket.end('reached'))
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  assert.ok(address !== null && typeof address === 'object')
  const script = `exec ${JSON.stringify(process.execPath)} -e 'require("net").connect(${address.port}, "127.0.0.1").pipe(process.stdout)'`
  assert.equal((await shared.client.runScript(scriptRequests(script, archive))).output, 'reached')
  await assert.rejects(isolated.client.runScript(scriptRequests(script, archive)), {
    name: 'InvalidInputError',
    message: /^the script failed exit status 1: .*connect E/s,
  })
  await assert.rejects(
    isolated.client.runScript(scriptRequests('exec 3<>/dev/tcp/127.0.0.1/1', archive)),
    InvalidInputError,
  )
  listening.close()
})

test('a script in namespaces of its own sees no files of the service or of its user', { skip }, async () => {
  const script = `
    cat ${isolated.folder}/service.key 2>/dev/null && exit 9
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

const escapes = [
  ['leaves group and folder', '(setsid sh -c "cd /; exec sleep 1000" >/dev/null 2>&1 &) ; echo started'],
  ['leaves everything', '(setsid env -i sh -c "cd /; exec sleep 1000" >/dev/null 2>&1 &) ; echo started'],
  ['is the script itself', 'exec setpriv --pdeathsig clear setsid sleep 1000'],
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

test('a process that leaves group and folder is found by its environment where there are no namespaces', async () => {
  const [[, script]] = escapes
  assert.equal((await plain.client.runScript(scriptRequests(script, archive))).output, 'started\n')
  assert.deepEqual(sleepers(), [])
})

/** Processes of the scripts above. */
function sleepers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return isAlive(Number(pid)) && readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'sleep\x001000\0'
    } catch {
      return false
    }
  })
}

test('a script in namespaces of its own has no devices, no other processes and no further namespaces', { skip }, async () => {
  const { output } = await isolated.client.runScript(
    scriptRequests(
      `ls /dev | tr '\\n' ' '; [ $(ls -d /proc/[0-9]* | wc -l) -lt 10 ] && echo alone; cat /proc/1/environ 2>/dev/null && exit 9
      unshare -Ur true 2>/dev/null && exit 8
      { echo x > /proc/sys/kernel/hostname; } 2>/dev/null && exit 7
      echo > /dev/null; head -c 4 /dev/zero | wc -c`,
      archive,
    ),
  )
  assert.equal(output, 'fd full null random stderr stdin stdout urandom zero alone\n4\n')
})

test('a script in namespaces of its own reaches no socket that a file is', { skip }, async () => {
  // Not below the temporary folder, which is covered anyway.
  await using folder = await mkdtempDisposable(path.join(import.meta.dirname, 'socket-'))
  const socket = path.join(folder.path, 'redis.sock')
  const listening = createServer((connection) => connection.end('reached'))
  await new Promise<void>((resolve) => listening.listen(socket, resolve))
  const script = `test -e ${socket}; exec ${JSON.stringify(process.execPath)} -e 'require("net").connect("${socket}").pipe(process.stdout)'`
  await assert.rejects(isolated.client.runScript(scriptRequests(script, archive)), /connect ECONNREFUSED|ENOTSOCK/)
  assert.equal((await plain.client.runScript(scriptRequests(script, archive))).output, 'reached')
  listening.close()
})

test('too many processes are refused to a script in namespaces of its own', { skip }, async () => {
  const script = 'i=0; while [ $i -lt 600 ]; do sleep 30 & i=$((i + 1)); done; echo all'
  await assert.rejects(isolated.client.runScript(scriptRequests(script, archive)), /[Cc]annot fork/)
})

test('a script that fills the disk is stopped', async () => {
  await using mesh = await startCommandServer({
    flags: ['--run-scripts', 'allow-shared-network', '--max-extracted-size', '200MiB', '--command-grace', '100ms'],
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

test('a server that goes down while it runs a script says so', async () => {
  await using mesh = await startCommandServer({
    flags: ['--run-scripts', 'allow-shared-network', '--drain-timeout', '10ms', '--command-grace', '10ms'],
  })
  const answer = assert.rejects(
    mesh.client.runScript(scriptRequests('exec sleep 1000', archive)),
    UnavailableError,
  )
  const deadline = Date.now() + 20_000
  while (sleepers().length === 0 && Date.now() < deadline) await delay(10)
  await mesh.server[Symbol.asyncDispose]()
  await answer
  assert.deepEqual(sleepers(), [])
})

test('scripts are refused unless the operator allows them, with what to do', async () => {
  await using mesh = await startCommandServer()
  await assert.rejects(
    mesh.client.runScript(scriptRequests('true', archive)),
    new FailedPreconditionError(
      'scripts are not allowed here; start cmp-server with --run-scripts allow (WADI_RUN_SCRIPTS)',
    ),
  )
})

test('a machine that cannot keep scripts apart says why and what to do', async () => {
  await using mesh = await startCommandServer({ flags: ['--run-scripts', 'allow'], path: '/nowhere' })
  const told = await mesh.client.describeCommands({})
  assert.equal(told.runsScripts, false)
  assert.match(told.scriptsRefusedBecause, /no program unshare.*--run-scripts allow-shared-network/)
  await assert.rejects(mesh.client.runScript(scriptRequests('true', archive)), {
    name: 'FailedPreconditionError',
    message: told.scriptsRefusedBecause,
  })
})
