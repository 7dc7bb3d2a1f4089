import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, test } from 'node:test'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { archiveOf } from '../archive/archive-fixture.ts'
import { scriptRequests, startCommandServer } from '../commands/command-server-fixture.ts'
import { ownSeconds, sleepers } from '@wadi/testing/sleepers.ts'
import { until } from '@wadi/testing/until.ts'
import { startScriptServers } from '../commands/script-servers-fixture.ts'
import { runVariable } from '../run/stray-processes.ts'

const archive = await archiveOf([
  { name: 'packages/web/name.txt', text: 'web\n' },
  { name: 'tool.sh', text: '#!/bin/sh\necho tool\n', mode: 0o755 },
])

const started = await startScriptServers()
after(() => started[Symbol.asyncDispose]())
const { isolated, shared, plain, skip } = started
const servers = [
  { name: 'in namespaces of its own', mesh: isolated, skip, marks: [] },
  { name: 'in namespaces but that of the network', mesh: shared, skip, marks: [] },
  { name: 'as the user of the service', mesh: plain, skip: false, marks: ['TMPDIR', runVariable] },
]

for (const { name, mesh, skip: without, marks } of servers) {
  const run = async (
    text: string,
    script: Parameters<typeof scriptRequests>[2] = {},
    options: { timeoutMs?: number } = {},
  ) => (await mesh.client.runScript(scriptRequests(text, archive, script), options)).output

  test(`${name}, a script sees its files and nothing is left of its run`, { skip: without }, async () => {
    const script = 'cat name.txt; ../../tool.sh; : > ../../new; ls ../..; ls -A ~'
    assert.equal(await run(script, { directory: 'packages/web' }), 'web\ntool\nnew\npackages\ntool.sh\n')
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

  test(
    `${name}, a failing script is reported with the end of its error output`,
    { skip: without },
    async () => {
      const environment = [{ name: 'ZARF_VAR_PASSWORD', value: 'swordfish' }]
      await assert.rejects(
        run('echo "no cluster for $ZARF_VAR_PASSWORD in $PWD" >&2; false; echo on', { environment }),
        (error: Error) => {
          assert.ok(error instanceof InvalidInputError)
          assert.match(error.message, /^the script failed exit status 1: no cluster for \*\*\* in /)
          assert.ok(!error.message.includes(mesh.directory), error.message)
          return true
        },
      )
    },
  )

  test(`${name}, a script stays within its limits`, { skip: without }, async () => {
    await assert.rejects(run('yes'), {
      name: 'ResourceExhaustedError',
      message: 'the script wrote more than 1024 bytes and was stopped',
    })
    await assert.rejects(run('sleep 1000', {}, { timeoutMs: 1_000 }), DeadlineExceededError)
    await assert.rejects(run('exec >&- 2>&-; sleep 1000', { timeLimit: 700 }), {
      name: 'TimeLimitError',
      message: 'the script took longer than 0.7 s and was stopped',
    })
    assert.equal(await run('echo in time', { timeLimit: 1_000_000_000 }), 'in time\n')
    await assert.rejects(run('truncate -s 2G big'), /^InvalidInputError: the script failed /)
    await assert.rejects(
      run(`perl -e '$a = "x" x (3 * 2 ** 30); print "had it"'`),
      /^ResourceExhaustedError: the script was killed because it used more than 1 GiB of memory/,
    )
    await assert.rejects(
      run('true', { environment: [{ name: 'A', value: 'a'.repeat(121 * 1024) }] }),
      /variable A of a script is larger than 120 KiB/,
    )
  })

  test(`${name}, an invalid request is an error`, { skip: without }, async () => {
    await assert.rejects(run('true', { directory: '../..' }), /out of the archive/)
    await assert.rejects(run('true', { directory: 'none' }), /no directory "none"/)
    await assert.rejects(
      run('true', { checksum: '00' }),
      /^InvalidInputError: file checksum validation error$/,
    )
    await assert.rejects(run('true', { environment: [{ name: 'A-B', value: '' }] }), /variable "A-B"/)
    await assert.rejects(
      mesh.client.runScript(emptyStream()),
      /^InvalidInputError: the first message must carry the script$/,
    )
  })
}

async function* emptyStream(): AsyncGenerator<never> {}

test('a server that stops while it runs a script reports it', async () => {
  await using mesh = await startCommandServer({
    flags: ['--run-scripts', 'allow-shared-network', '--drain-timeout', '10ms', '--command-grace', '10ms'],
  })
  const answer = assert.rejects(
    mesh.client.runScript(scriptRequests(`exec sleep ${ownSeconds}`, archive)),
    UnavailableError,
  )
  await until(() => sleepers().length > 0)
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
  const reported = await mesh.client.describeCommands({})
  assert.equal(reported.runsScripts, false)
  assert.match(
    reported.scriptsRefusedBecause,
    /program unshare.* is missing.*--run-scripts allow-shared-network/,
  )
  await assert.rejects(mesh.client.runScript(scriptRequests('true', archive)), {
    name: 'FailedPreconditionError',
    message: reported.scriptsRefusedBecause,
  })
})
