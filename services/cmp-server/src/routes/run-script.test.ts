import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { archiveOf } from '../archive/archive-fixture.ts'
import { scriptRequests, startCommandServer } from '../commands/command-server-fixture.ts'
import { isAlive } from '../run/run-command-fixture.ts'

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
after(() => isolated[Symbol.asyncDispose]())
after(() => shared[Symbol.asyncDispose]())
const { scriptsRefusedBecause: refusal } = await isolated.client.describeCommands({})
const skip = refusal === '' ? false : refusal
const servers = [
  { name: 'in namespaces of its own', mesh: isolated, skip },
  { name: 'in a pod without network', mesh: shared, skip: false },
]

for (const { name, mesh, skip: without } of servers) {
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
    assert.deepEqual(names, ['HOME', 'LD_PRELOAD', 'PATH', 'PWD', 'ZARF_VAR_A', 'one two', ''])
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
  await using mesh = await startCommandServer({ flags: ['--run-scripts', 'allow-shared-network'] })
  assert.equal((await mesh.client.runScript(scriptRequests(script, archive))).output, 'reached')
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
    ls /root /home /run 2>/dev/null | grep -v ':$' | grep -v '^mount$' | grep . && exit 8
    umount /root 2>/dev/null && exit 7
    touch /usr/left-behind 2>/dev/null && exit 6
    cat /proc/${process.pid}/environ 2>/dev/null && exit 5
    kill -0 ${process.pid} 2>/dev/null && exit 4
    pwd
    echo "$HOME"`
  const { output } = await isolated.client.runScript(scriptRequests(script, archive))
  assert.equal(output, '/tmp/run/files\n/tmp/run/home\n')
})

test('nothing that a script starts outlives it', { skip }, async () => {
  const script = '(setsid sh -c "cd /; exec sleep 1000" >/dev/null 2>&1 &) ; echo started'
  assert.equal((await isolated.client.runScript(scriptRequests(script, archive))).output, 'started\n')
  const left = (await readdir('/proc')).filter((pid) => /^\d+$/.test(pid) && isAlive(Number(pid)))
  const commands = left.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    } catch {
      return ''
    }
  })
  assert.ok(!commands.includes('sleep\x001000\0'))
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
