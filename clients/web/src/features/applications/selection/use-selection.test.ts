import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  ApplicationNameSchema,
  ApplicationSummarySchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { followedRows } from './use-selection.ts'

const row = (name: string, version = '1') =>
  create(ApplicationSummarySchema, { namespace: 'argocd', name, version })

test('chosen Applications are those of the page: new versions take their place, and who is gone is chosen no longer', () => {
  const rows = new Map(['api', 'web'].map((name) => [`argocd/${name}`, row(name)]))
  const removed = ['api', 'other'].map((name) => create(ApplicationNameSchema, { namespace: 'argocd', name }))
  const next = followedRows(rows, { changed: [row('web', '2'), row('job')], removed })
  assert.deepEqual(
    Array.from(next.values(), ({ name, version }) => [name, version]),
    [['web', '2']],
  )
  assert.equal(followedRows(rows, { changed: [row('job')], removed: [] }), rows)
})
