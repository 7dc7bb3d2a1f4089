import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText } from '@wadi/params/values/value-json.ts'
import type { CommandRunner, ScriptCall } from '../../plan/command-runner.ts'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { inspectSource } from '../../inspection/inspect-source.ts'
import { withoutCommands } from '../../inspection/without-commands.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

const files = {
  'wadi.yaml': 'actions: allow\n',
  'other.txt': 'a',
  'p/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: web}
x-wadi: {actions: sandbox}
values: {files: [v.yaml]}
components:
  - name: web
    required: true
    actions:
      onDeploy:
        before: [{cmd: make it, dir: sub, env: ["A=b=c"], setValues: [{key: .name, type: string}]}]
    manifests: [{name: m, template: true, files: [m.yaml]}]
`,
  'p/v.yaml': '{}\n',
  'p/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name }}"}\n',
  'apps/workload.yaml': `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: web, labels: {type: web}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: web}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: web}
spec:
  ytt: "#@ load('@ytt:data', 'data')"
`,
}

/** A runner that notes what it is asked for. */
function notingRunner(
  changes: { identity?: string; rejection?: string; answer?: () => string } = {},
): CommandRunner & { readonly scripts: ScriptCall[]; readonly templates: [string, string][] } {
  const scripts: ScriptCall[] = []
  const templates: [string, string][] = []
  return {
    scripts,
    templates,
    identity: async () => changes.identity ?? 'one',
    scriptsRefusedBecause: async () => changes.rejection ?? '',
    runScript: async (call) => {
      scripts.push(call)
      return changes.answer?.() ?? 'made\n'
    },
    runYtt: async (template, values) => {
      templates.push([template, jsonText(values)])
      return 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-ytt}\n'
    },
  }
}

async function inspected(fixture: RenderFixture, commands: CommandRunner | undefined, path = 'p') {
  const renderers = { ...fixture.tools, commands }
  return await inspectSource(
    openDirectoryTree(fixture.directory),
    testSource(path),
    testRevision,
    renderers,
    strictPolicy,
  )
}

function partsText({ plan }: Awaited<ReturnType<typeof inspectSource>>): string {
  assert.ok(plan.composite)
  return JSON.stringify(plan.composite.parts)
}

test('a package that asks for it has its actions run where it says, with its environment', async () => {
  await using fixture = new RenderFixture(tools, files)
  const commands = notingRunner()
  const inspection = await inspected(fixture, commands)
  assert.match(partsText(inspection), /name: \\"made\\"/)
  assert.deepEqual(
    commands.scripts.map(({ directory, script, variables }) => ({ directory, script, variables })),
    [{ directory: 'p/sub', script: 'make it', variables: [{ name: 'A', value: 'b=c' }] }],
  )
})

test('a package may have a hundred actions run', async () => {
  const many = (count: number) => {
    const action = '{cmd: x, setVariables: [{name: A}]}'
    const text = `kind: ZarfPackageConfig\nmetadata: {name: p}\nx-wadi: {actions: sandbox}\ncomponents: [{name: c, required: true, actions: {onDeploy: {before: [${Array(count).fill(action).join()}]}}}]\n`
    return { 'wadi.yaml': 'actions: allow\n', 'p/zarf.yaml': text }
  }
  await using few = new RenderFixture(tools, many(100))
  const commands = notingRunner()
  await inspected(few, commands)
  assert.equal(commands.scripts.length, 100)
  await using excess = new RenderFixture(tools, many(101))
  await assert.rejects(inspected(excess, notingRunner()), /the package has more than 100 actions to run/)
})

test('whatever is run may have read everything, and its server decides too', async () => {
  await using fixture = new RenderFixture(tools, files)
  const before = await inspected(fixture, notingRunner())
  assert.deepEqual(before.inputs, [''])
  assert.equal((await inspected(fixture, notingRunner())).fingerprint, before.fingerprint)
  const otherServer = await inspected(fixture, notingRunner({ identity: 'two' }))
  assert.notEqual(otherServer.fingerprint, before.fingerprint)
  fixture.write('other.txt', 'b')
  assert.notEqual((await inspected(fixture, notingRunner())).fingerprint, before.fingerprint)
})

test('a command server decides nothing of a source that runs nothing', async () => {
  await using fixture = new RenderFixture(tools, { ...files, 'p/v.yaml': 'name: git\n', 'wadi.yaml': '{}\n' })
  const commands = notingRunner()
  const without = await inspected(fixture, undefined)
  const inspection = await inspected(fixture, commands)
  assert.equal(inspection.fingerprint, without.fingerprint)
  assert.deepEqual(commands.scripts, [])
  assert.match(partsText(inspection), /name: \\"git\\"/)
  assert.ok(inspection.warnings.some((warning) => warning.includes('value .name is taken from git instead')))
  assert.ok(inspection.inputs.includes('wadi.yaml'), 'who allows actions makes it another result')
})

test('an inspection is made again once something else answers commands', async () => {
  await using fixture = new RenderFixture(tools, files)
  const cache = new InspectionCache()
  const inspect = (commands: CommandRunner) =>
    cache.inspect(
      openDirectoryTree(fixture.directory),
      testSource('p'),
      testRevision,
      { ...fixture.tools, commands },
      strictPolicy,
    )
  const first = notingRunner()
  await inspect(first)
  await inspect(first)
  assert.equal(first.scripts.length, 1)
  const second = notingRunner({ identity: 'two' })
  await inspect(second)
  assert.equal(second.scripts.length, 1)
})

test('a server that refuses scripts is named by the error of the value that is needed', async () => {
  await using fixture = new RenderFixture(tools, files)
  await assert.rejects(inspected(fixture, notingRunner({ rejection: 'no namespaces' })), {
    name: 'InvalidInputError',
    message: /set \.name in p\/v\.yaml, or have a command server that runs scripts: no namespaces/,
  })
})

test('an action runs inside the repository alone', async () => {
  await using fixture = new RenderFixture(tools, files)
  const zarf = files['p/zarf.yaml']
  fixture.write('p/zarf.yaml', zarf.replace('dir: sub', 'dir: /etc'))
  await assert.rejects(
    inspected(fixture, notingRunner()),
    /action "make it": dir "\/etc" is a directory of the machine/,
  )
  fixture.write('p/zarf.yaml', zarf.replace('dir: sub', 'dir: ../..'))
  await assert.rejects(
    inspected(fixture, notingRunner()),
    /action "make it": dir "\.\.\/\.\." leads outside the repository/,
  )
})

test('a template in ytt is filled in by the command server', async () => {
  await using fixture = new RenderFixture(tools, files)
  const commands = notingRunner()
  const inspection = await inspected(fixture, commands, 'apps')
  assert.match(partsText(inspection), /of-ytt/)
  const [[template, values] = ['', '']] = commands.templates
  assert.equal(template, "#@ load('@ytt:data', 'data')")
  assert.match(values, /^\{"workload":\{.*"name":"web"/)
  const other = await inspected(fixture, notingRunner({ identity: 'two' }), 'apps')
  assert.notEqual(other.fingerprint, inspection.fingerprint)
  await assert.rejects(
    inspected(fixture, undefined, 'apps'),
    /template "web" uses ytt, which is not installed here/,
  )
})

test('no action and no ytt runs for a revision that comes from a fork', async () => {
  const commands = notingRunner()
  await using fixture = new RenderFixture(tools, files)
  const tree = openDirectoryTree(fixture.directory)
  const idle = withoutCommands({ ...fixture.tools, commands })
  for (const path of ['p', 'apps']) {
    await assert.rejects(
      inspectSource(tree, testSource(path), testRevision, idle, strictPolicy),
      /is not run for a revision that comes from a fork/,
    )
  }
  assert.deepEqual([commands.scripts, commands.templates], [[], []])
})
