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

test('programs of the operator judge what is rendered, once, and waivers of the repository do not cover them', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-programs-'))
  await chmod(directory.path, 0o755)
  const file = join(directory.path, 'check')
  const program = async (script: string): Promise<void> => {
    await writeFile(file, `#!/bin/sh\n${script}\n`)
    await chmod(file, 0o755)
  }
  const waiver = '{rule: programs, reason: demo, owner: shop, expires: 2999-12-31}'
  await using bed = await startBed({ 'app/a.yaml': configMap('web'), 'wadi.yaml': `waivers: [${waiver}]\n` })
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
  await using gated = new GatedRenderer(bed.renderer, undefined, counted)
  const asked = (unwaivable: string, programs = ['check']): GatedSource => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, {
      severities: [{ gate: 'programs', severity: 'deny', unwaivable }],
      programs,
    }),
  })
  const rules = async (source: GatedSource) => {
    const { record } = await gated.render(source, false, signal)
    return record.findings.map(({ rule, severity, object }) => `${severity} ${rule} ${object?.name}`)
  }
  await program('exit 0')
  const identity = await gated.identity()
  assert.deepEqual(await rules(asked('deny')), [])
  assert.deepEqual([await rules(asked('deny')), runs], [[], 1])
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
