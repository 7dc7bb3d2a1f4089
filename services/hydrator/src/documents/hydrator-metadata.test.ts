import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { create, fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf'
import { ValueSchema } from '@bufbuild/protobuf/wkt'
import { FileBesideManifestsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { ExplainedParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'
import {
  type Commit,
  CommitSchema,
  RenderRecordSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { defaultLayout } from '@wadi/resources/application/layout.ts'
import { application, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { type CommitFacts, commitFacts, directoryFacts, metadataText } from './hydrator-metadata.ts'

/** Keys that Argo CD's own metadata has, in its order. */
const argoKeys = ['repoURL', 'drySha', 'commands', 'author', 'date', 'subject', 'body', 'references']

/** Returns a rendered directory with these facts in its record; a plain directory has none. */
function rendered(record: MessageInitShape<typeof RenderRecordSchema> = {}) {
  const layout = defaultLayout
  return {
    record: create(RenderRecordSchema, record),
    files: [],
    layout,
    manifestFiles: [],
    commits: [],
    commandsOf: new Map(),
  }
}

function testdata(name: string): string {
  return readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8')
}

/** The commit that the recorded metadata describe. */
function commitOf({ drySha, author, date, subject, body, references }: CommitFacts): Commit {
  return create(CommitSchema, {
    sha: drySha,
    ...(author && { author }),
    ...(date && { date }),
    ...(subject && { subject }),
    ...(body && { body }),
    references: (references ?? []).map(({ commit }) => commit),
  })
}

function withoutOurKeys(facts: object): string {
  const known = Object.entries(facts).filter(([key]) => argoKeys.includes(key))
  return `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`
}

test("Argo CD's keys have its values, order and form, references among them", () => {
  const recorded = testdata('root-full.hydrator.metadata')
  const facts = commitFacts(
    { repoURL: 'https://github.com/example/repo' },
    commitOf(JSON.parse(recorded) as CommitFacts),
  )
  assert.equal(withoutOurKeys(JSON.parse(metadataText(facts)) as object), recorded)
})

test('commands stand as they are typed, without HTML escapes', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const [member] = fixture.members()
  assert.ok(member)
  const recorded = testdata('path-helm.hydrator.metadata')
  const { commands, drySha } = JSON.parse(recorded) as { commands: string[]; drySha: string }
  const commit = commitFacts(
    { repoURL: 'https://github.com/example/repo' },
    create(CommitSchema, { sha: drySha }),
  )
  const text = metadataText(directoryFacts(commit, [member], rendered({ commands })))
  assert.equal(withoutOurKeys(JSON.parse(text) as object), recorded)
  assert.ok(text.includes('a=b<c>&d'))
})

test("the proposal's keys are beside them", () => {
  const commit = create(CommitSchema, {
    sha: '1'.repeat(40),
    author: 'A <a@example.com>',
    date: '2024-03-27T10:32:04Z',
    subject: 'one',
    body: 'two\n',
  })
  assert.deepEqual(commitFacts({ repoURL }, commit), {
    repoURL,
    drySha: '1'.repeat(40),
    drySHA: '1'.repeat(40),
    author: 'A <a@example.com>',
    date: '2024-03-27T10:32:04Z',
    subject: 'one',
    body: 'two\n',
    commitAuthor: 'A <a@example.com>',
    commitMessage: 'one',
    commitTime: '2024-03-27 10:32:04 UTC',
  })
})

test('what a commit or its references do not contain is absent, not empty', () => {
  const commit = create(CommitSchema, { sha: '1'.repeat(40), references: [{ sha: 'abcde', subject: 's' }] })
  assert.deepEqual(commitFacts({ repoURL }, commit), {
    repoURL,
    drySha: '1'.repeat(40),
    drySHA: '1'.repeat(40),
    references: [{ commit: { subject: 's', sha: 'abcde' } }],
  })
})

test('a directory has its applications, what they were rendered from and with', async () => {
  await using fixture = await startRunFixture()
  const parts = { drySource: { path: 'apps/x', helm: { releaseName: 'r' } }, syncSource: { path: 'shared' } }
  await fixture.add(application('a', parts), application('b', { ...parts, namespace: 'team' }))
  const [first, second] = fixture.members()
  assert.ok(first && second)
  const commit = commitFacts({ repoURL }, create(CommitSchema, { sha: '1'.repeat(40) }))
  const facts = directoryFacts(
    commit,
    [first, second],
    rendered({ commands: ['helm template .'], tools: [{ name: 'helm', version: 'v4.1.4' }] }),
  )
  assert.deepEqual(facts, {
    ...commit,
    commands: ['helm template .'],
    drySource: { targetRevision: 'main', path: 'apps/x', helm: { releaseName: 'r' } },
    destinationNamespace: 'web',
    applications: [
      { metadata: { name: 'a', namespace: 'argocd' }, name: 'a' },
      { metadata: { name: 'b', namespace: 'team' }, name: 'b' },
    ],
    tools: [{ name: 'helm', version: 'v4.1.4' }],
  })
})

test('an application without a destination namespace has no such key', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a', { destination: { name: 'in-cluster' } }))
  const [member] = fixture.members()
  assert.ok(member)
  const commit = commitFacts({ repoURL }, create(CommitSchema, { sha: '1'.repeat(40) }))
  assert.equal('destinationNamespace' in directoryFacts(commit, [member], rendered()), false)
})

test('files and parameters are beside the tools, what is empty of them left out', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const [member] = fixture.members()
  assert.ok(member)
  const commit = commitFacts({ repoURL }, create(CommitSchema, { sha: '1'.repeat(40) }))
  const plainKeys = Object.keys(directoryFacts(commit, [member], rendered()))
  const source = { owner: 'tool', kind: 'default', file: 'p/values.yaml' }
  const value = (json: JsonValue) => fromJson(ValueSchema, json)
  const parameters = [
    create(ExplainedParameterSchema, {
      of: 'values of package "p"',
      path: '.replicas',
      value: value(3),
      from: {
        ...source,
        owner: 'developer',
        kind: 'value',
        label: 'set_values',
        line: 7,
        value: value(3),
        derivedFrom: { step: 'param replicas', from: { ...source, value: value('3') } },
      },
      beats: [{ ...source, line: 2, value: value({ a: [1] }) }],
    }),
    create(ExplainedParameterSchema, { path: '.none', from: { ...source, value: value(null) } }),
  ]
  const files = ['b.conf', 'a.conf'].map((path) => create(FileBesideManifestsSchema, { path, content: 'x' }))
  const facts = directoryFacts(commit, [member], { ...rendered({ parameters, parametersLeftOut: 4 }), files })
  assert.deepEqual(Object.keys(facts), [...plainKeys, 'files', 'parameters', 'parametersLeftOut'])
  assert.deepEqual(facts.files, ['a.conf', 'b.conf'])
  assert.equal(facts.parametersLeftOut, 4)
  assert.deepEqual(facts.parameters, [
    {
      of: 'values of package "p"',
      path: '.replicas',
      value: 3,
      from: {
        owner: 'developer',
        kind: 'value',
        label: 'set_values',
        file: 'p/values.yaml',
        line: 7,
        value: 3,
        derivedFrom: { step: 'param replicas', from: { ...source, value: '3' } },
      },
      beats: [{ ...source, line: 2, value: { a: [1] } }],
    },
    { of: '', path: '.none', value: null, from: { ...source, value: null } },
  ])
})

test('a layout is recorded with the files that hold the objects, and that of Argo CD is not', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const [member] = fixture.members()
  assert.ok(member)
  const commit = commitFacts({ repoURL }, create(CommitSchema, { sha: '1'.repeat(40) }))
  const plainKeys = Object.keys(directoryFacts(commit, [member], rendered()))
  const layout = { files: 'file-per-object', crds: 'omit' } as const
  const manifestFiles = [{ name: 'service-web.yaml', manifests: ['{}'] }]
  const facts = directoryFacts(commit, [member], { ...rendered(), layout, manifestFiles })
  assert.deepEqual(Object.keys(facts), [...plainKeys, 'layout', 'crds', 'manifests'])
  assert.deepEqual(facts.manifests, ['service-web.yaml'])
})

test('parameters that are left out are counted', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const [member] = fixture.members()
  assert.ok(member)
  const commit = commitFacts({ repoURL }, create(CommitSchema, { sha: '1'.repeat(40) }))
  const parameters = [create(ExplainedParameterSchema, { path: '.p' })]
  const facts = directoryFacts(commit, [member], rendered({ parameters, parametersLeftOut: 50 }))
  assert.deepEqual([facts.parameters?.length, facts.parametersLeftOut], [1, 50])
})

test("the text is indented by two and escapes what Go's encoder escapes, and no more", () => {
  const commit = create(CommitSchema, { sha: '1'.repeat(40), subject: '<ä> & "\u2028\u2029" \\ \u0001\t' })
  const text = metadataText({ repoURL, drySha: 'x', drySHA: 'x', subject: commit.subject })
  assert.equal(
    text,
    `{\n  "repoURL": "${repoURL}",\n  "drySha": "x",\n  "drySHA": "x",\n` +
      String.raw`  "subject": "<ä> & \"\u2028\u2029\" \\ \u0001\t"` +
      '\n}\n',
  )
  assert.equal((JSON.parse(text) as CommitFacts).subject, commit.subject)
})
