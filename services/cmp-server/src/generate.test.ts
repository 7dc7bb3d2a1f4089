import assert from 'node:assert/strict'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
} from '@wadi/errors/domain-error.ts'
import { until } from '@wadi/testing/until.ts'
import { callWith, startServer } from './cmp-server-fixture.ts'

const plugin = (parameters: string, generate: string, more = '') => `
kind: ConfigManagementPlugin
metadata: {name: tool}
spec:
  generate:
    command: [sh, -c, ${JSON.stringify(generate)}, sh]
  parameters: ${parameters}
${more}`

/** Generates one ConfigMap with the variables of these names, each line of a value escaped. */
const dump = (names: string) => `
echo 'apiVersion: v1'; echo 'kind: ConfigMap'; echo 'metadata: {name: a}'; echo 'data:'
for name in ${names}; do
  if printenv $name >/dev/null; then printf "  %s: '%s'\\n" $name "$(printenv $name)"; fi
done
if [ $# -gt 0 ]; then printf "  args: '%s'\\n" "$*"; fi
if [ -n "$ARGOCD_APP_PARAMETERS_FILE" ]; then
  printf "  file: '%s'\\n" "$(stat -c %a "$ARGOCD_APP_PARAMETERS_FILE") $(cat "$ARGOCD_APP_PARAMETERS_FILE")"
fi
`

function dataOf(manifests: readonly string[]): unknown {
  const [manifest = '{}'] = manifests
  const object: unknown = JSON.parse(manifest)
  return Reflect.get(Object(object), 'data')
}

test('a plugin finds its parameters in variables, a file and arguments', async () => {
  const names = 'TAG PARAM_TAG PARAM_LIST_0 ARGOCD_PARAM_IMAGE_TAG ARGOCD_APP_PARAMETERS'
  await using mesh = await startServer(
    plugin('{static: [{name: tag, envVar: IMAGE_TAG, asArg: true}]}', dump(names)),
  )
  const parameters = [
    { name: 'tag', string: '1.0' },
    { array: ['a'], name: 'list' },
  ]
  const { manifests, warnings } = await mesh.client.generateManifest(await callWith(parameters))
  const text = JSON.stringify(parameters)
  assert.deepEqual(dataOf(manifests), {
    TAG: '1.0',
    PARAM_TAG: '1.0',
    PARAM_LIST_0: 'a',
    ARGOCD_PARAM_IMAGE_TAG: '1.0',
    ARGOCD_APP_PARAMETERS: text,
    args: '--tag=1.0',
    file: `600 ${text}`,
  })
  assert.deepEqual(warnings, [])
  const none = await mesh.client.generateManifest(await callWith([]))
  assert.deepEqual(dataOf(none.manifests), { ARGOCD_APP_PARAMETERS: 'null', file: '600 null' })
  const absent = await mesh.client.generateManifest(await callWith(undefined))
  assert.deepEqual(dataOf(absent.manifests), null)
  assert.deepEqual(await readdir(mesh.runs), [])
})

test('announced defaults that the plugin wants are given, and those of its command too', async () => {
  const announce = 'printf \'[{"name":"dynamic","defaultValues":["d"]}]\''
  const parameters = `{static: [{name: fixed, defaultValues: [s]}, {name: flat, string: x}], dynamic: {command: [sh, -c, ${JSON.stringify(announce)}]}}`
  const names = 'PARAM_FIXED PARAM_FLAT PARAM_DYNAMIC'
  await using mesh = await startServer(
    plugin(parameters, dump(names).replace('$ARGOCD_APP_PARAMETERS_FILE', '')),
  )
  const given = await mesh.client.generateManifest(await callWith([{ name: 'fixed', string: 'mine' }]))
  assert.deepEqual(dataOf(given.manifests), { PARAM_FIXED: 'mine', PARAM_DYNAMIC: 'd' })
})

test('wrong parameters are warned of, or refused before anything runs', async () => {
  const parameters = (validation: string) =>
    `{validation: ${validation}, static: [{name: count, itemType: number}, {name: needed, required: true}]}`
  const wrong = [{ name: 'count', string: 'many' }]
  await using lenient = await startServer(
    plugin(parameters('compat'), dump('PARAM_COUNT').replace('$ARGOCD_APP_PARAMETERS_FILE', '')),
  )
  const { manifests, warnings } = await lenient.client.generateManifest(await callWith(wrong))
  assert.deepEqual(dataOf(manifests), { PARAM_COUNT: 'many' })
  assert.deepEqual(warnings, [
    'parameter "needed": is required; set it',
    'parameter "count": "many" is not a number',
  ])

  const marker = '  init: {command: [sh, -c, "touch ../../../../started"]}'
  await using strict = await startServer(plugin(parameters('strict'), dump('PARAM_COUNT'), marker))
  await assert.rejects(
    strict.client.generateManifest(await callWith(wrong)),
    new InvalidInputError(
      'the parameters of plugin tool are refused: parameter "needed": is required; set it; parameter "count": "many" is not a number',
    ),
  )
  assert.equal((await readdir(strict.directory)).includes('started'), false)
  await strict.client.generateManifest(await callWith([{ name: 'needed', string: 'x' }]))
  assert.equal((await readdir(strict.directory)).includes('started'), true)
})

test('a command that announces is run again only while its answer matters', async () => {
  const counted = (printed: string) =>
    `{dynamic: {command: [sh, -c, ${JSON.stringify(`echo x >> ../../../../calls; printf '${printed}'`)}]}}`
  for (const [printed, calls] of [
    ['[{"name":"a","string":"1"}]', '1'],
    ['[{"name":"a","defaultValues":["1"]}]', '2'],
    ['[{"name":"a","required":true}]', '2'],
    ['[{"name":"a","itemType":"number"}]', '2'],
    ['[]', '2'],
  ] as const) {
    await using mesh = await startServer(
      plugin(counted(printed), dump('X') + 'printf "  calls: \'%s\'\\n" $(wc -l < ../../../../calls)'),
    )
    await mesh.client.generateManifest(await callWith(undefined))
    const second = await mesh.client.generateManifest(await callWith(undefined))
    assert.equal(Reflect.get(Object(dataOf(second.manifests)), 'calls'), calls, printed)
  }
})

test('what a command announces for one application says nothing of another', async () => {
  const announce = `case $ARGOCD_APP_NAME in one) printf '[{"name":"a","string":"1"}]';; *) printf '[{"name":"a","required":true}]';; esac`
  await using mesh = await startServer(
    plugin(`{dynamic: {command: [sh, -c, ${JSON.stringify(announce)}]}}`, dump('X')),
  )
  const warned = async (application: string) =>
    (await mesh.client.generateManifest(await callWith([], { ARGOCD_APP_NAME: application }))).warnings
  assert.deepEqual(await warned('one'), [])
  const required = ['parameter "a": is required; set it']
  assert.deepEqual([await warned('two'), await warned('two')], [required, required])
})

test('a command that announces and never ends leaves the time to generate', async () => {
  await using mesh = await startServer(plugin('{dynamic: {command: [sleep, "1000"]}}', dump('X')), () => [
    '--listen',
    '127.0.0.1:0',
    '--command-timeout',
    '20s',
  ])
  const call = await callWith([])
  const { warnings, manifests } = await mesh.client.generateManifest(call, { timeoutMs: 19_000 })
  assert.equal(manifests.length, 1)
  assert.match(warnings.join(), /are not known: `sleep 1000` took longer than [0-9.]+ s/)
})

test('a command that announces and fails is a warning where nothing depends on it', async () => {
  const failing = (more: string) => `{${more}dynamic: {command: [sh, -c, "echo broken >&2; exit 4"]}}`
  await using lenient = await startServer(plugin(failing(''), dump('X')))
  const { warnings } = await lenient.client.generateManifest(await callWith([]))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /are not known: `sh -c .*` failed exit status 4: broken$/)
  await using strict = await startServer(plugin(failing('sendDefaults: true, '), dump('X')))
  await assert.rejects(strict.client.generateManifest(await callWith([])), /failed exit status 4: broken$/)
})

test('names that a plugin does not get are reported', async () => {
  await using mesh = await startServer(plugin('{}', `${dump('X')}\n: $PATH`))
  const call = await callWith([{ name: 'path', string: 'evil' }], { LD_PRELOAD: 'evil', GIT_ASKPASS: 'x' })
  assert.deepEqual((await mesh.client.generateManifest(call)).warnings, [
    'variables left out, because they are not part of the plugin protocol: LD_PRELOAD, GIT_ASKPASS',
    'parameters that the plugin gets only as PARAM_ variables, because these names are taken or reserved: PATH',
  ])
})

test('a parameter sets a variable without a prefix only if the plugin names it', async () => {
  const names = 'TAR_OPTIONS MAKEFLAGS SIZE REGION OTHER MAP_KEY PARAM_TAR_OPTIONS PARAM_MAP_KEY'
  const script = `${dump(names).replace('$ARGOCD_APP_PARAMETERS_FILE', '')}\n: $TAR_OPTIONS $SIZE`
  const set = ['tar-options', 'makeflags', 'size', 'region', 'other'].map((name) => ({ name, string: 'x' }))
  const parameters = [...set, { name: 'map', map: { key: 'x' } }]
  const announce = 'dynamic: {command: [echo, \'[{"name":"other"},{"name":"makeflags"}]\']}'
  const prefixed = { PARAM_TAR_OPTIONS: 'x', PARAM_MAP_KEY: 'x' }
  await using named = await startServer(
    plugin(`{static: [{name: map, collectionType: map}], env: {names: [REGION]}, ${announce}}`, script),
  )
  const given = await named.client.generateManifest(await callWith(parameters))
  assert.deepEqual(dataOf(given.manifests), { SIZE: 'x', REGION: 'x', ...prefixed })
  assert.deepEqual(given.warnings, [
    'parameters that the plugin gets only as PARAM_ variables, because these names are taken or reserved: TAR_OPTIONS',
  ])
  await using guarded = await startServer(plugin('{env: {unprefixed: guarded}}', script))
  assert.deepEqual(dataOf((await guarded.client.generateManifest(await callWith(parameters))).manifests), {
    SIZE: 'x',
    REGION: 'x',
    OTHER: 'x',
    MAP_KEY: 'x',
    ...prefixed,
  })
})

test('what a command announces does not become an argument', async () => {
  const announce = `dynamic: {command: [echo, '[{"name":"post-renderer","asArg":true}]']}`
  await using mesh = await startServer(
    plugin(`{${announce}}`, dump('X').replace('$ARGOCD_APP_PARAMETERS_FILE', '')),
  )
  const { manifests, warnings } = await mesh.client.generateManifest(
    await callWith([{ name: 'post-renderer', string: './evil' }]),
  )
  assert.equal(dataOf(manifests), null)
  assert.deepEqual(warnings, [
    'asArg is ignored in what a command announces ("post-renderer"); announce these parameters in the plugin\'s file',
  ])
})

test('a command that is too slow is named while its caller still waits, also when it does not end by itself', async () => {
  for (const script of ['exec sleep 1000', "trap '' TERM; sleep 1000; sleep 1000"]) {
    await using mesh = await startServer(plugin('{}', script))
    // On a busy machine a start may take seconds and an answer come late, so the header alone says how long the caller waits, and
    // each call more; how long before the caller's deadline a run ends is tested beside it.
    let milliseconds = 1_000
    await until(async () => {
      milliseconds *= 2
      const headers = { 'connect-timeout-ms': String(milliseconds) }
      const failure = await mesh.client
        .generateManifest(await callWith([]), { headers, timeoutMs: 0 })
        .catch((error: unknown) => error)
      assert.ok(failure instanceof DeadlineExceededError, String(failure))
      return /^the time for `sh -c .*sleep 1000.*` ran out$/.test(failure.message)
    })
    await until(async () => (await readdir(mesh.runs)).length === 0)
  }
})

test('a strict plugin may not print nothing', async () => {
  const empty = "echo '# nothing'; echo ---"
  await using lenient = await startServer(plugin('{}', empty))
  assert.deepEqual((await lenient.client.generateManifest(await callWith([]))).manifests, [])
  await using strict = await startServer(plugin('{validation: strict}', empty))
  await assert.rejects(
    strict.client.generateManifest(await callWith([])),
    new InvalidInputError(
      'plugin tool printed no manifests, and its file says "validation: strict"; let the command fail where something is missing, or print at least one object',
    ),
  )
})

test('neither secrets nor the place of the copy are reported', async () => {
  const script =
    'echo "$PWD/a.yaml says $ARGOCD_ENV_API_TOKEN and $PARAM_DB_PASSWORD in $ARGOCD_APP_PARAMETERS_FILE" >&2; exit 2'
  await using mesh = await startServer(plugin('{static: [{name: db-password, asArg: true}]}', script))
  const call = await callWith([{ name: 'db-password', string: 'pass word' }], {
    ARGOCD_ENV_API_TOKEN: 'tok-123',
  })
  await assert.rejects(mesh.client.generateManifest(call), {
    message:
      /^`sh -c .* sh --db-password=\*\*\*` failed exit status 2: a\.yaml says \*\*\* and \*\*\* in parameters\.json$/s,
  })
})

test('a program beside the plugin file is found, and sees the parameters also when it discovers', async () => {
  const file = `
kind: ConfigManagementPlugin
metadata: {name: tool}
spec:
  generate: {command: [wadi-beside]}
  discover: {find: {command: [wadi-beside, find]}}
`
  await using mesh = await startServer(file)
  const identity = async () => (await mesh.client.checkPluginConfiguration({})).identity
  const before = await identity()
  await assert.rejects(
    mesh.client.generateManifest(await callWith([])),
    new FailedPreconditionError('exec: "wadi-beside": executable file not found in $PATH'),
  )
  const program = path.join(mesh.directory, 'wadi-beside')
  await writeFile(program, '#!/bin/sh\n[ "$1:$PARAM_MINE" != find:true ] || echo it is\n')
  await chmod(program, 0o755)
  assert.notEqual(await identity(), before)
  const matches = async (mine: string) =>
    (await mesh.client.matchRepository(await callWith([{ name: 'mine', string: mine }]))).isSupported
  assert.deepEqual([await matches('true'), await matches('false')], [true, false])
})
