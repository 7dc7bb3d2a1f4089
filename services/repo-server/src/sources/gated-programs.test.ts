import assert from 'node:assert/strict'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { testContainment } from '@wadi/rendering/run/render-fixture.ts'
import { openValidators } from '../validators/open-validators.ts'
import { GatedRenderer, type GatedSource } from './gated-renderer.ts'
import { configMap, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

/** A renderer of sources in a directory with these files, and a program of the operator, which counts how often it is run. */
async function startPrograms(files: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'wadi-programs-')))
  await chmod(directory.path, 0o755)
  const file = join(directory.path, 'check')
  const program = async (script: string): Promise<void> => {
    await writeFile(file, `#!/bin/sh\n${script}\n`)
    await chmod(file, 0o755)
  }
  const bed = stack.use(await startBed(files))
  const validator = {
    name: 'check',
    command: [file],
    timeoutSeconds: 30,
    objects: undefined,
    output: 'lines',
  } as const
  const validators = openValidators([validator], {
    containment: testContainment,
    programDirectories: pathDirectories(process.env['PATH']),
    sandboxRoot: bed.fixture.sandboxRoot,
  })
  let runs = 0
  const counted = {
    ...validators,
    check: (...given: Parameters<typeof validators.check>) => {
      runs++
      return validators.check(...given)
    },
  }
  const owned = stack.move()
  return {
    bed,
    program,
    validators: counted,
    runs: () => runs,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('programs of the operator judge what is rendered, once, and waivers of the repository do not cover them', async () => {
  const waiver = '{rule: programs, reason: demo, owner: shop, expires: 2999-12-31}'
  await using programs = await startPrograms({
    'app/a.yaml': configMap('web'),
    'wadi.yaml': `waivers: [${waiver}]\n`,
  })
  const { bed, program, validators, runs } = programs
  await using gated = new GatedRenderer(bed.renderer, undefined, validators)
  const asked = (unwaivable: string, names = ['check']): GatedSource => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, {
      severities: [{ gate: 'programs', severity: 'deny', unwaivable }],
      programs: names,
    }),
  })
  const rules = async (source: GatedSource) => {
    const { record } = await gated.render(source, false, signal)
    return record.findings.map(({ rule, severity, object }) => `${severity} ${rule} ${object?.name}`)
  }
  await program('exit 0')
  const identity = await gated.identity()
  assert.deepEqual(await rules(asked('deny')), [])
  assert.deepEqual([await rules(asked('deny')), runs()], [[], 1])
  await program('echo "-:3: is wrong"; exit 1')
  assert.notEqual(await gated.identity(), identity)
  await assert.rejects(
    gated.render(asked('deny'), false, signal),
    /programs\/check ConfigMap\/web: is wrong; the waiver in wadi\.yaml does not cover it/,
  )
  assert.deepEqual(await rules(asked('warn')), ['warn programs/check web'])
  assert.deepEqual(await rules(asked('')), [])
  await program('exit 1')
  await assert.rejects(gated.render(asked(''), false, signal), /gate programs\/check: it ended with code 1/)
  const other = asked('', ['other'])
  await assert.rejects(
    gated.render(other, false, signal),
    /gate programs\/other: WADI_VALIDATORS .* has no program/,
  )
  await assert.rejects(
    bed.gated.render(other, false, signal),
    /gate programs\/other: repo-server has no WADI_VALIDATORS/,
  )
})

test('a waiver for a program of another name is a warning with its line', async () => {
  const waiver = '{rule: programs/chek, reason: demo, owner: shop, expires: 2999-12-31}'
  await using programs = await startPrograms({
    'app/a.yaml': configMap('web'),
    'wadi.yaml': `waivers:\n- ${waiver}\n`,
  })
  await programs.program('exit 0')
  await using gated = new GatedRenderer(programs.bed.renderer, undefined, programs.validators)
  const gates = create(GatesSchema, {
    severities: [{ gate: 'programs', severity: 'deny' }],
    programs: ['check'],
  })
  const { record } = await gated.render({ ...programs.bed.dry('app'), gates }, false, signal)
  assert.deepEqual(
    record.findings.map(({ rule, place }) => `${rule} ${place?.file}:${place?.line}`),
    ['waivers/unknown wadi.yaml:2'],
  )
})

test('a waiver in an annotation covers what a program finds in its object, where operator and repository let it', async () => {
  const waiver = '{rule: programs/check, reason: demo, owner: shop, expires: 2999-12-31}'
  const annotations = `annotations: {wadi.dev/waivers: '[${waiver}]'}`
  const written = configMap('web').replace('name: web', `name: web\n  ${annotations}`)
  await using programs = await startPrograms({
    'app/a.yaml': `${written}---\n${configMap('other')}`,
    'wadi.yaml': 'waiverAnnotations: [web]\n',
  })
  const { bed, program, validators } = programs
  await using gated = new GatedRenderer(bed.renderer, undefined, validators)
  const found = async (unwaivable: string) => {
    const severities = [{ gate: 'programs', severity: 'warn', unwaivable }]
    const gates = create(GatesSchema, { severities, programs: ['check'] })
    const { record } = await gated.render({ ...bed.dry('app'), gates }, false, signal)
    return [record.findings, record.coveredFindings].map((list) =>
      list.map(({ object, place }) => `${object?.name} ${place?.file}:${place?.line}`),
    )
  }
  await program(
    `while read -r line; do n=$((n + 1)); case $line in "kind:"*) echo "-:$n: is wrong";; esac; done; exit 1`,
  )
  const [web, other] = ['web app/a.yaml:1', 'other app/a.yaml:7']
  assert.deepEqual(await found(''), [[other], [web]])
  assert.deepEqual(await found('warn'), [[other, web], []])
  bed.fixture.write('wadi.yaml', 'waiverAnnotations: [another]\n')
  assert.deepEqual(await found(''), [[other, web], []])
})

test('what the branch holds already is judged again only by a fresh check', async () => {
  const sized = (size: number) => `${configMap('web')}data: {size: "${size}"}\n`
  await using programs = await startPrograms({
    'app/a.yaml': sized(1),
    'policies/fixed.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: fixed}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]}
  validations: [{expression: "object.data.size == oldObject.data.size"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: fixed}
spec: {policyName: fixed, validationActions: [Warn]}
`,
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies]\n',
  })
  const { bed, program, validators, runs } = programs
  // As if what the program reads had changed, not the program.
  await using gated = new GatedRenderer(bed.renderer, undefined, {
    ...validators,
    identityOf: async () => 'same',
  })
  const render = async (former: string, fresh: boolean) => {
    const severities = [{ gate: 'programs', severity: 'deny' }]
    const gates = create(GatesSchema, { severities, programs: ['check'], former })
    const { record } = await gated.render({ ...bed.dry('app'), gates }, fresh, signal)
    return record.findings.map(({ rule }) => rule)
  }
  await program('exit 0')
  assert.deepEqual([await render(sized(2), false), runs()], [['policies/fixed'], 1])
  assert.deepEqual([await render(sized(1), false), runs()], [['policies/fixed'], 1])
  await program('echo "-:3: is wrong"; exit 1')
  await assert.rejects(render(sized(1), true), /programs\/check ConfigMap\/web: is wrong/)
})
