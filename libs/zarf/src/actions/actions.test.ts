import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { manifestsOf, packageText, planOf, rejectionOf, renderOf } from '../package-fixture.ts'
import type { SandboxCommand } from './run-actions.ts'

const manifests = '    manifests: [{name: m, template: true, files: [m.yaml]}]\n'

function withActions(actions: string, template: string, values = '{}'): Record<string, string> {
  return {
    'p/zarf.yaml': packageText(
      `    actions:\n      onDeploy:\n        before:\n${actions}${manifests}`,
      'values: {files: [v.yaml]}\n',
    ),
    'p/v.yaml': values,
    'p/m.yaml': template,
  }
}

const setDatabase = '          - {cmd: "echo x", description: make, setValues: [{key: .db, type: json}]}\n'

test('a value that only an action sets is one error with the action, the key and every consumer', async () => {
  const message = await rejectionOf(withActions(setDatabase, '{{ .Values.db.host }}\n{{ .Values.db.port }}'))
  assert.equal(
    message,
    'p/zarf.yaml:10:60: component "c" action "make" sets value .db at deploy time, and actions are not run; ' +
      'needed by component "c" manifest "m": set .db in p/v.yaml, or allow x-wadi.actions: sandbox',
  )
})

test('a value in git takes the place of an action, which is noted', async () => {
  const planned = await planOf(withActions(setDatabase, '{{ .Values.db.host }}', 'db: {host: h}'))
  assert.equal(manifestsOf(planned), 'h\n')
  assert.deepEqual(planned.skippedActions, [
    { component: 'c', stage: 'before', label: 'make', sets: ['.db'] },
  ])
  assert.ok(planned.warnings.some(({ message }) => message.includes('value .db is taken from git instead')))
})

test('variables that only an action sets are requested as well', async () => {
  const action = '          - {cmd: "echo x", setVariables: [{name: TOKEN}]}\n'
  assert.match(
    await rejectionOf(withActions(action, 'a: ###ZARF_VAR_TOKEN###')),
    /action "echo x" sets variable TOKEN at deploy time.*set package\.deploy\.set\.TOKEN in zarf-config\.yaml/,
  )
})

test('an action that is not run does not need what an earlier one sets', async () => {
  const effect = '          - {cmd: "echo {{ .Values.db.host }}", template: true}\n'
  const planned = await planOf(withActions(setDatabase + effect, 'a: b'))
  assert.equal(manifestsOf(planned), 'a: b\n')
  assert.deepEqual(
    planned.skippedActions.map(({ sets }) => sets),
    [['.db'], []],
  )
  assert.match(
    await rejectionOf(withActions(setDatabase + effect, '{{ .Values.db.host }}')),
    /needed by component "c" manifest "m": set/,
  )
})

test('an action that is not run still references what nothing defines, or only a later action', async () => {
  const effect = '          - {cmd: "echo {{ .Values.db.host }}", template: true}\n'
  for (const actions of [effect, effect + setDatabase]) {
    assert.match(
      await rejectionOf(withActions(actions, 'a: b')),
      /action "echo .*": references undefined value \.Values\.db\.host: define it, even if empty, in p\/v\.yaml/,
    )
  }
})

test('every undefined reference is reported at once, also those of actions', async () => {
  const action = '          - {cmd: "echo {{ .Values.q1 }}", template: true}\n'
  const message = await rejectionOf(
    withActions(action, '{{ .Values.q2 }}{{ index .Values "q-3" "x" }}{{ .Values.q-4 }}'),
  )
  assert.match(message, /^package references values that cannot be resolved/)
  assert.match(
    message,
    /component "c" action "echo \{\{ \.Values\.q1 \}\}": references undefined value \.Values\.q1/,
  )
  for (const name of ['q2', 'q-3.x', 'q-4']) {
    assert.ok(
      message.includes(`component "c" manifest "m": references undefined value .Values.${name}:`),
      name,
    )
  }
})

test('actions run in a sandbox when the package asks for it and the caller can', async () => {
  const actions =
    '          - {cmd: "json {{ .Values.seed }}", template: true, dir: d, env: [A=1], setValues: [{key: .db, type: json}], setVariables: [{name: OUT}]}\n' +
    '          - {cmd: side effect}\n          - {cmd: text, maxTotalSeconds: 5, setValues: [{path: db.name}, {key: .y, type: yaml}]}\n'
  const content = withActions(actions, '{{ .Values.db }} ###ZARF_VAR_OUT### {{ .Values.y }}', 'seed: 7')
  content['p/zarf.yaml'] += 'x-wadi: {actions: sandbox}\n'
  const commands: SandboxCommand[] = []
  const planned = await planOf(content, {
    run: (command) => {
      commands.push(command)
      return Promise.resolve(command.cmd === 'text' ? '5\n' : '{"port": 1}\n')
    },
  })
  assert.equal(manifestsOf(planned), 'map[name:5 port:1] {"port": 1} 5\n')
  assert.deepEqual(commands, [
    {
      component: 'c',
      label: 'json {{ .Values.seed }}',
      cmd: 'json 7',
      dir: 'd',
      env: ['A=1'],
      maxTotalSeconds: 0,
    },
    {
      component: 'c',
      label: 'text',
      cmd: 'text',
      dir: '',
      env: ['ZARF_VAR_OUT={"port": 1}'],
      maxTotalSeconds: 5,
    },
  ])
  assert.match(await rejectionOf(content), /actions are not run/)
  assert.match(
    await rejectionOf(content, { run: () => Promise.resolve('no json') }),
    /p\/zarf\.yaml:10:\d+: component "c" action .* sets \.db as json, and its output is not valid json/,
  )
})

test('an action is not pointed to the package, which it does not see', async () => {
  const run = (): Promise<string> => Promise.resolve('')
  const of = (name: string): Promise<string> => {
    const content = withActions(
      `          - {cmd: "echo {{ .${name} }}", template: true, setValues: [{key: .a}]}\n`,
      'a: b',
    )
    content['p/zarf.yaml'] += 'x-wadi: {actions: sandbox}\n'
    return rejectionOf(content, { run })
  }
  for (const name of ['Build.Version', 'Pkg.Metadata']) {
    assert.match(await of(name), /map has no entry for key "(?:Build|Pkg)"$/)
  }
  assert.match(await of('Variable.A'), /map has no entry for key "Variable"; did you mean \.Variables\?$/)
})

test('an action may take as long as it says or else as its defaults say', async () => {
  const content = withActions(
    '          - {cmd: a, setValues: [{key: .a}]}\n          - {cmd: b, maxTotalSeconds: 3, setValues: [{key: .b}]}\n',
    '',
    '',
  )
  content['p/zarf.yaml'] =
    `${content['p/zarf.yaml']?.replace('onDeploy:', 'onDeploy:\n        defaults: {maxTotalSeconds: 9}')}x-wadi: {actions: sandbox}\n`
  const seconds: number[] = []
  await planOf(content, {
    run: (command) => {
      seconds.push(command.maxTotalSeconds)
      return Promise.resolve('out')
    },
  })
  assert.deepEqual(seconds, [9, 3])
})

test('what an action sets is seen by later components and not by earlier ones', async () => {
  const text =
    'kind: ZarfPackageConfig\nmetadata: {name: p}\nx-wadi: {actions: sandbox}\ncomponents:\n' +
    '  - {name: one, required: true, actions: {onDeploy: {after: [{cmd: x, setValues: [{key: .v}]}]}}}\n' +
    '  - {name: two, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}\n'
  const content = { 'p/zarf.yaml': text, 'p/m.yaml': '{{ .Values.v }}' }
  const run = (): Promise<string> => Promise.resolve(' out \n')
  assert.equal(await renderOf(content, { run }), 'out\n')
  const swapped = {
    ...content,
    'p/zarf.yaml': text
      .replace('manifests:', 'x-m:')
      .replace('actions: {onD', 'manifests: [{name: m, template: true, files: [m.yaml]}], actions: {onD'),
  }
  assert.match(
    await rejectionOf(swapped, { run }),
    /component "one" manifest "m": references undefined value \.Values\.v/,
  )
})

test('an action that fails is the only error of what misses its values, and no later one is run', async () => {
  const actions =
    '          - {cmd: first, setValues: [{key: .a}], setVariables: [{name: A}]}\n' +
    '          - {cmd: "second {{ .Values.a }}", template: true, setValues: [{key: .b}]}\n'
  const content = withActions(actions, '{{ .Values.a }}{{ .Values.b }}###ZARF_VAR_A###')
  content['p/zarf.yaml'] += 'x-wadi: {actions: sandbox}\n'
  const commands: string[] = []
  const run = ({ cmd }: SandboxCommand): Promise<string> => {
    commands.push(cmd)
    return Promise.reject(new InvalidInputError(`${cmd}: exit code 3`))
  }
  assert.equal(await rejectionOf(content, { run }), 'p/zarf.yaml:10:13: first: exit code 3')
  assert.deepEqual(commands, ['first'])
  const broken = withActions(
    '          - {cmd: "x {{ end }}", template: true, setValues: [{key: .a}]}\n',
    '{{ .Values.a }}',
  )
  broken['p/zarf.yaml'] += 'x-wadi: {actions: sandbox}\n'
  assert.match(await rejectionOf(broken, { run }), /^p\/zarf\.yaml:10:13: .*unexpected \{\{end\}\}$/)
})

test('an action that is not run may name secrets and functions that templates do not have', async () => {
  const actions =
    '          - {cmd: "login {{ .State.Registry.PushPassword }} {{ now }} {{ env \\"HOME\\" }}", template: true}\n'
  const planned = await planOf(withActions(actions, 'a: b'))
  assert.equal(manifestsOf(planned), 'a: b\n')
  const setting = actions.replace('template: true', 'template: true, setValues: [{key: .a}]')
  const content = withActions(setting, 'a: b')
  assert.equal(manifestsOf(await planOf(content)), 'a: b\n')
  content['p/zarf.yaml'] += 'x-wadi: {actions: sandbox}\n'
  const message = await rejectionOf(content, { run: () => Promise.resolve('') })
  assert.match(message, /\.State\.Registry\.PushPassword is a secret of the cluster/)
  assert.match(message, /function "env" reads the environment/)
})
