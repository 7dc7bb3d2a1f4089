import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { join } from 'node:path'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { startContainment } from '@wadi/containment/containment-fixture.ts'
import type { Validator } from '@wadi/gates/programs/read-validators.ts'
import { openValidators } from './open-validators.ts'

const { signal } = new AbortController()

const objects = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' }, data: { a: 'b' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, stringData: { password: 'hunter2222' } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'db', namespace: 'shop' },
    data: { image: 'x:latest' },
  },
].map((object) => JSON.stringify(object))

const owned = new AsyncDisposableStack()
let bed: Awaited<ReturnType<typeof startContainment>>
let outside: string
before(async () => {
  bed = owned.use(await startContainment())
  outside = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-outside-'))).path
  await chmod(outside, 0o755)
  await writeFile(join(outside, 'secret'), 'of the service')
})
after(() => owned.disposeAsync())

/** Runs a shell script as the program `check`, and returns what it finds as severity, rule, object and message. */
async function run(script: string, changes: Partial<Validator> = {}, severity: 'deny' | 'audit' = 'deny') {
  const file = join(outside, 'check')
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  const validator = {
    name: 'check',
    command: [file, 'argument'],
    timeoutSeconds: 20,
    objects: undefined,
    output: 'lines',
    ...changes,
  } satisfies Validator
  const validators = openValidators([validator], {
    containment: bed.containment,
    programDirectories: pathDirectories(process.env['PATH']),
    sandboxRoot: bed.directory,
  })
  const found = await validators.check(objects, { names: ['check'], severity }, signal)
  return found.map(
    ({ severity: own, rule, object, message }) => `${own} ${rule} ${object.kind}/${object.name}: ${message}`,
  )
}

test('each line of a program that fails is a finding, in the object of the line that it names', async () => {
  assert.deepEqual(
    await run('grep -n ":latest" | sed "s/^\\([0-9]*\\):.*/-:\\1: needs a version, $1/"; exit 0', {}),
    [],
  )
  const script = `found=$(grep -n ":latest" | sed "s/^\\([0-9]*\\):.*/-:\\1:3: needs a version/")
[ -z "$found" ] || { echo "$found"; echo; echo "with $1"; exit 1; }`
  assert.deepEqual(await run(script), [
    'deny programs/check ConfigMap/db: needs a version',
    'deny programs/check /: with argument',
  ])
  assert.deepEqual(await run(script, { objects: ['ConfigMap/shop/web'] }), [])
  assert.deepEqual(await run('echo never; exit 1', { objects: ['Job/*'] }), [])
})

test('results of SARIF are findings with their rule, and warnings and notes are milder', async () => {
  const result = (level: string, startLine: number) => ({
    ruleId: `rule/${level}`,
    level,
    message: { text: level },
    locations: [{ physicalLocation: { region: { startLine } } }],
  })
  const log = { runs: [{ results: [result('error', 2), result('warning', 99), result('note', 2)] }] }
  const script = `cat >/dev/null; cat <<'END'\n${JSON.stringify(log)}\nEND`
  assert.deepEqual(await run(script, { output: 'sarif' }), [
    'deny programs/check/rule-error ConfigMap/web: error',
    'warn programs/check/rule-warning /: warning',
    'audit programs/check/rule-note ConfigMap/web: note',
  ])
  assert.deepEqual(
    (await run(script, { output: 'sarif' }, 'audit')).map((one) => one.split(' ', 1).join()),
    ['audit', 'audit', 'audit'],
  )
  await assert.rejects(
    run('echo no', { output: 'sarif' }),
    /^InvalidInputError: gate programs\/check: its output is not SARIF/,
  )
})

test('a program is the same wherever its file has the same content', async () => {
  const validator = {
    name: 'check',
    command: ['check'],
    timeoutSeconds: 20,
    objects: undefined,
    output: 'lines',
  } satisfies Validator
  const identity = async (content: string) => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-machine-'))
    await writeFile(join(directory.path, 'check'), content, { mode: 0o755 })
    const validators = openValidators([validator], {
      containment: bed.containment,
      programDirectories: [directory.path],
      sandboxRoot: bed.directory,
    })
    const all = await validators.identity()
    assert.equal(await validators.identityOf(['check']), all)
    return all
  }
  const one = await identity('#!/bin/sh\nexit 0\n')
  assert.equal(await identity('#!/bin/sh\nexit 0\n'), one)
  assert.notEqual(await identity('#!/bin/sh\nexit 1\n'), one)
})

test('a program gets no value of a Secret', async () => {
  const lines = await run('cat; exit 1')
  assert.ok(
    lines.some((line) => line.includes('password: ++++++++') || line.includes('password: "++++++++"')),
    lines.join('\n'),
  )
  assert.ok(!lines.join().includes('hunter2222'))
})

test('a program that does not judge is an error, whatever the severity, never a pass', async () => {
  const errors: [script: string, message: RegExp, changes?: Partial<Validator>][] = [
    ['echo broken >&2; exit 3', /^gate programs\/check: it ended with code 3 and no finding: broken$/],
    ['echo found; exit 127', /^gate programs\/check: it ended with code 127 and no finding/],
    ['kill -9 $$', /^gate programs\/check: .*killed/],
    [
      'while :; do :; done',
      /^gate programs\/check: check (took longer than 1 s|used more than)/,
      { timeoutSeconds: 1 },
    ],
    ['exec head -c 1000000000 /dev/zero', /^gate programs\/check: check wrote more than 1048576 bytes/],
    [
      'exit 0',
      /^gate programs\/check: repo-server has no program absent-program; install it/,
      { command: ['absent-program'] },
    ],
  ]
  for (const [script, message, changes] of errors) {
    for (const severity of ['deny', 'audit'] as const)
      await assert.rejects(run(script, changes, severity), { message }, script)
  }
})

test('a program that takes too much memory is an error', async () => {
  const script = `a=0123456789abcdef; while :; do a="$a$a"; done`
  await assert.rejects(run(script), /^\w+: gate programs\/check: /)
})

test(
  'a program sees neither files outside of its directory nor the network',
  { skip: isolationMissing() },
  async () => {
    await using server = createServer((_request, response) => response.end('reached'))
    const { promise: listening, resolve } = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', resolve)
    await listening
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const script = `cat >/dev/null
echo "files: $(cat \${0%/*}/secret 2>/dev/null | wc -c)"
echo "network: $(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("127.0.0.1:${address.port}") ? "open" : "closed"' 2>/dev/null)"
touch \${0%/*}/written 2>/dev/null && echo written
exit 1`
    assert.deepEqual(await run(script), [
      'deny programs/check /: files: 0',
      'deny programs/check /: network: closed',
    ])
  },
)

function isolationMissing(): string | false {
  return process.platform === 'linux' ? false : 'programs are isolated on Linux alone'
}
