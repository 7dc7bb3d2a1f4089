import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { archiveDigest } from '@wadi/charts/chart-archives.ts'
import { minimalChart, packChart } from '@wadi/charts/chart-server-fixture.ts'
import {
  ChartSchema,
  SignaturePolicySchema,
  SourceVerificationSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { chartFiles } from './chart-files.ts'

const { signal } = new AbortController()
const archive = await packChart('web', minimalChart('web', '1.0.0'))
const verification = create(SourceVerificationSchema)
const request = {
  repoUrl: 'https://charts.example.com',
  project: 'shop',
  sha: archiveDigest(archive),
  chart: create(ChartSchema, { name: 'web', version: '1.0.0' }),
  verification,
}

/** Charts whose archive is at hand, with the projects that asked for it. */
function charts(asked: string[]) {
  return {
    archive: async ({ project }: { project: string }) => {
      asked.push(project)
      return archive
    },
    identityFor: async () => '',
  }
}

test('the files of a chart are unpacked once for each project', async () => {
  const asked: string[] = []
  const files = chartFiles(charts(asked))
  for (const project of ['shop', 'shop', 'bank']) {
    const names = await files.use({ ...request, project }, signal, async ({ tree }) => tree.list(''))
    assert.deepEqual(
      names.map(({ name }) => name),
      ['Chart.yaml', 'templates', 'values.yaml'],
    )
  }
  assert.deepEqual(asked, ['shop', 'bank'])
})

test('a project that accepts signed commits only gets no file of a chart, as nothing could be verified', async () => {
  const asked: string[] = []
  const policies = [create(SignaturePolicySchema, { project: 'shop', mode: 'head' })]
  const strict = { ...request, verification: create(SourceVerificationSchema, { policies }) }
  await assert.rejects(
    chartFiles(charts(asked)).use(strict, signal, async () => undefined),
    { name: 'FailedPreconditionError', message: /project shop accepts signed commits only/ },
  )
  const { verification: _verification, ...unsaid } = request
  await assert.rejects(
    chartFiles(charts(asked)).use(unsaid, signal, async () => undefined),
    { name: 'InvalidInputError' },
  )
  assert.deepEqual(asked, [])
})
