import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  manifestsOf,
  packageText,
  planOf,
  rejectionOf,
  renderOf,
  templatePackage,
} from './package-fixture.ts'
import type { SandboxCommand } from './actions/run-actions.ts'

const manifest = '    manifests: [{name: m, template: true, files: [m.yaml]}]\n'

/** A package that may have one action run. */
function actionPackage(action: string, head = 'values: {files: [v.yaml]}\n'): Record<string, string> {
  const actions = `    actions: {onDeploy: {before: [${action}]}}\n`
  return {
    'p/zarf.yaml': `${packageText(actions + manifest, head)}x-wadi: {actions: sandbox}\n`,
    'p/v.yaml': 'replicas: 1\n',
    'p/m.yaml': 'n: {{ .Values.replicas }}\n',
  }
}

test('the schema is asked again for what an action sets', async () => {
  const content = {
    ...actionPackage(
      '{cmd: x, setValues: [{key: .replicas, type: json}]}',
      'values: {files: [v.yaml], schema: s.json}\n',
    ),
    'p/s.json': '{"properties": {"replicas": {"type": "integer"}}}',
  }
  assert.equal(await renderOf(content, { run: () => Promise.resolve('7') }), 'n: 7\n')
  assert.match(
    await rejectionOf(content, { run: () => Promise.resolve('"many"') }),
    /^p\/zarf\.yaml:7:\d+: values validation failed: schema validation failed for p\/s\.json:\nreplicas: Invalid type\. Expected: integer, given: string$/,
  )
})

test('what an action cannot set names the action, the key and the type', async () => {
  const through = actionPackage('{cmd: x, setValues: [{key: .replicas.most, type: json}]}')
  assert.match(
    await rejectionOf(through, { run: () => Promise.resolve('7') }),
    /^p\/zarf\.yaml:7:\d+: conflict at "replicas", expected map but got uint64/,
  )
  const json = actionPackage('{cmd: x, description: count, setValues: [{key: .replicas, type: json}]}')
  assert.match(
    await rejectionOf(json, { run: () => Promise.resolve('seven') }),
    /^p\/zarf\.yaml:7:\d+: component "c" action "count" sets \.replicas as json, and its output is not valid json: /,
  )
})

test('an action that is to run sees no package, and its template is reported when it fails', async () => {
  const content = actionPackage(
    '{cmd: "echo {{ .Pkg.Metadata.Name }}", template: true, setValues: [{key: .out}]}',
  )
  assert.match(
    await rejectionOf(content, { run: () => Promise.resolve('') }),
    /^p\/zarf\.yaml:7:35: component "c" action "echo \{\{ \.Pkg\.Metadata\.Name \}\}": invalid go-template: .*map has no entry for key "Pkg"$/,
  )
})

test('cmd is a template, env and dir are not', async () => {
  const commands: SandboxCommand[] = []
  const fields = 'cmd: "echo {{ .Values.replicas }}", env: ["A={{ .x }}"], dir: "{{ .y }}"'
  await planOf(actionPackage(`{${fields}, template: true, setValues: [{key: .out}]}`), {
    run: (command) => {
      commands.push(command)
      return Promise.resolve('')
    },
  })
  const [command] = commands
  assert.deepEqual([command?.cmd, command?.env, command?.dir], ['echo 1', ['A={{ .x }}'], '{{ .y }}'])
})

test('each manifest of a component is there once, as a template', async () => {
  const both =
    '    manifests: [{name: a, template: true, files: [a.yaml]}, {name: b, template: true, files: [b.yaml]}]\n'
  const planned = await planOf({
    'p/zarf.yaml': packageText(both, 'values: {files: [v.yaml]}\n'),
    'p/v.yaml': 'x: 1\n',
    'p/a.yaml': 'a: {{ .Values.x }}\n',
    'p/b.yaml': 'b: {{ .Values.x }}\n',
  })
  assert.equal(manifestsOf(planned), 'a: 1\n---\nb: 1\n')
})

test('texts that look like numbers are quoted in YAML that a template makes', async () => {
  const rendered = await renderOf(
    templatePackage('{{ .Values.a | toYaml }}\n', 'a: {x: "1e3", y: "07", z: text}\n'),
  )
  assert.equal(rendered, 'x: "1e3"\n"y": "07"\nz: text\n')
})

test('settings of a call are applied in the order in which they are written, every time', async () => {
  const content = templatePackage('{{ .Values.a | toJson }}\n', 'b: 1\n')
  for (let turn = 0; turn < 20; turn++) {
    assert.match(
      await rejectionOf(content, { setValues: ['a=1,a.b=2'] }),
      /conflict at "a", expected map but got uint64/,
    )
  }
  assert.equal(await renderOf(content, { setValues: ['a.b=2,a=1'] }), '1\n')
})

test('a key of the configuration that Zarf does not know is reported with the one that was meant', async () => {
  const config =
    'package:\n  create: {flavour: x, output: o}\n  deploy:\n    setValues: {a: 1}\n    timeout: 1m\n    other: 1\n'
  const { warnings } = await planOf({ ...templatePackage('x: 1\n'), 'p/zarf-config.yaml': config })
  assert.deepEqual(
    warnings.map(({ severity, message, at }) => [severity, at?.line, message]),
    [
      ['warning', 2, 'unknown field package.create.flavour; did you mean flavor?'],
      ['warning', 4, 'unknown field package.deploy.setValues; did you mean set_values?'],
      [
        'warning',
        6,
        'unknown field package.deploy.other; expected one of set, set_values, values, components, shasum, timeout, namespace, retries, connected',
      ],
    ],
  )
})

test('a configuration in a language that is not read is reported', async () => {
  const content = { ...templatePackage('x: 1\n'), 'p/zarf-config.json': '{"package": {}}' }
  const { warnings } = await planOf(content)
  assert.ok(
    warnings.some(
      ({ message, at }) =>
        message === 'zarf-config.json is not read: write it as zarf-config.yaml or zarf-config.toml' &&
        at?.file === 'p/zarf-config.json',
    ),
  )
})
