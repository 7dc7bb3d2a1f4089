import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { applicationState } from './application-state.ts'

const values = { repoURL: 'https://git.example.com/config.git', targetRevision: 'main', ref: 'values' }
const web = { repoURL: 'https://git.example.com/web.git', targetRevision: 'v1', path: 'chart' }

const read = (sourceHydrator: object) => applicationState({ spec: { sourceHydrator: { ...sourceHydrator } } })

test('all sources are shown, and one with a ref alone has no path', () => {
  const { isHydrated, sources, targetRevision } = read({ drySources: [values, web] })
  assert.ok(isHydrated)
  assert.equal(targetRevision, 'main')
  assert.deepEqual(sources, [
    { repoUrl: values.repoURL, targetRevision: 'main', path: '', ref: 'values', isChart: false },
    { repoUrl: web.repoURL, targetRevision: 'v1', path: 'chart', ref: '', isChart: false },
  ])
  const { repoURL, targetRevision: revision } = web
  assert.deepEqual(read({ drySource: { repoURL, targetRevision: revision } }).sources, [
    { repoUrl: repoURL, targetRevision: 'v1', path: '.', ref: '', isChart: false },
  ])
  assert.equal(read({}).isHydrated, false)
})

test('the repositories of commits are known, but for the archive of a chart', () => {
  const branch = { targetBranch: 'hydrated' }
  const repositories = (sourceHydrator: object) => {
    const { dryRepoUrl, hydratedRepoUrl } = read(sourceHydrator)
    return [dryRepoUrl, hydratedRepoUrl]
  }
  assert.deepEqual(repositories({ drySource: web, syncSource: branch }), [web.repoURL, web.repoURL])
  const chart = { repoURL: 'https://charts.example.com', targetRevision: '1.0.0', chart: 'web' }
  const elsewhere = { ...branch, repoURL: values.repoURL }
  assert.deepEqual(repositories({ drySource: chart, syncSource: elsewhere }), ['', values.repoURL])
  assert.deepEqual(repositories({}), ['', ''])
})

test('the owner and the destination are those of the object', () => {
  const metadata = { ownerReferences: [{ kind: 'ApplicationSet', name: 'teams' }] }
  const spec = { destination: { server: 'https://kubernetes.default.svc', namespace: 'web' } }
  const { applicationSet, destination } = applicationState({ metadata, spec })
  assert.deepEqual([applicationSet, destination], ['teams', 'web on https://kubernetes.default.svc'])
})

test('findings of gates are lines with their place, if it is known', () => {
  const finding = { severity: 'audit', rule: 'secrets/github', object: 'ConfigMap/web', field: 'data.token' }
  const message = 'looks like a credential'
  const findings = [
    { ...finding, message, file: 'web/values.yaml', line: 3 },
    { ...finding, message },
  ]
  const { findings: lines } = applicationState({ status: { sourceHydrator: { findings } } })
  assert.deepEqual(lines, [
    'audit secrets/github ConfigMap/web data.token (web/values.yaml:3): looks like a credential',
    'audit secrets/github ConfigMap/web data.token: looks like a credential',
  ])
})

test('the proof of a commit is what the status says of a signed one', () => {
  const proof = { key: 'SHA256:abc', owner: 'wadi', attested: true, verifiedAt: '2026-11-28T12:00:00Z' }
  const proofIn = (sourceHydrator: JsonObject) => applicationState({ status: { sourceHydrator } }).proof
  assert.deepEqual(proofIn({ proof: { ...proof, gates: 'PASSED', gatesMessage: 'passed' } }), {
    key: 'SHA256:abc',
    owner: 'wadi',
    isAttested: true,
    gates: 'passed',
    verifiedAt: '2026-11-28T12:00:00Z',
  })
  assert.equal(proofIn({}), undefined)
})
