import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { ConflictError, PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { SetParametersRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { EditedFileSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { setParameters } from './set-parameters.ts'

const baseSha = 'd'.repeat(40)
const newSha = 'e'.repeat(40)
const path = 'apps/web/.argocd-source.yaml'
const edit = { path, before: 'a: 1\n', after: 'a: 2\n', problems: [] as string[] }

/** The differing parts of a test: the revision that the Application follows, what it names and the peers' answers. */
interface Parts {
  targetRevision?: string
  ref?: string
  /** The commit of the branch now. */
  head?: { sha: string }
  edit?: MessageInitShape<typeof EditedFileSchema>
  /** The file of each commit where that differs, and what the source is rendered from. */
  edits?: Record<string, MessageInitShape<typeof EditedFileSchema>>
  fingerprints?: Record<string, string>
  commitFiles?: ServiceImpl<typeof CommitServerService>['commitFiles']
  refreshRepository?: ServiceImpl<typeof HydratorService>['refreshRepository']
}

/** The differing parts of a request. */
interface Wanted {
  assignments?: { target: string; value: string }[]
  removals?: string[]
  message?: string
  dryRun?: boolean
  force?: boolean
  newBranch?: string
  reviewedSha?: string
}

async function openWith(parts: Parts = {}) {
  const { ref = 'refs/heads/main', head = { sha: baseSha } } = parts
  const fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: ({ revisions }) => ({
        revisions: revisions.map((revision) => ({ revision, ...head, ref })),
      }),
      editParameters: ({ sha }) => ({ file: parts.edits?.[sha] ?? parts.edit ?? edit }),
      inspectSources: ({ sha }) => ({ inspections: [{ fingerprint: parts.fingerprints?.[sha] ?? 'same' }] }),
    },
    commitServer: { commitFiles: parts.commitFiles ?? (() => ({ sha: newSha })) },
    hydrator: { refreshRepository: parts.refreshRepository ?? (() => ({ branches: 1 })) },
  })
  const drySource = { repoURL, targetRevision: parts.targetRevision ?? 'main', path: 'apps/web' }
  await fixture.context.store.create(sampleApplication('web', { sourceHydrator: { drySource } }))
  const set = ({
    assignments = [{ target: 'replicas', value: '3' }],
    removals = [],
    ...rest
  }: Wanted = {}) => {
    const wanted = { name: 'web', changes: { assignments, removals }, ...rest }
    return setParameters(fixture.context)(create(SetParametersRequestSchema, wanted), callContext())
  }
  return Object.assign(fixture, { set })
}

test('the edited file is committed to the dry branch and hydration starts', async () => {
  await using fixture = await openWith()
  const answer = await fixture.set({ removals: ['debug'] })
  assert.partialDeepStrictEqual(answer, { file: edit, branch: 'main', drySha: newSha })
  assert.deepEqual(fixture.calls, [
    'RepoServerService/ResolveRevisions',
    'RepoServerService/EditParameters',
    'CommitServerService/CommitFiles',
    'HydratorService/RefreshRepository',
  ])
  const [resolved, edited, committed, refreshed] = fixture.requests
  assert.deepEqual(resolved?.['revisions'], ['main'])
  assert.equal(edited?.['sha'], baseSha)
  assert.partialDeepStrictEqual(edited['changes'], {
    assignments: [{ target: 'replicas', value: '3' }],
    removals: ['debug'],
  })
  const { files, ...commit } = committed ?? {}
  assert.deepEqual(commit, {
    repoUrl: repoURL,
    project: 'default',
    branch: 'main',
    newBranch: '',
    baseSha,
    message: 'Set parameters of web: replicas, debug',
    authorName: 'admin',
    authorEmail: 'admin@localhost',
  })
  assert.partialDeepStrictEqual(files, [{ path, content: 'a: 2\n' }])
  assert.deepEqual(refreshed, { repoUrl: repoURL, heads: [], isWebhook: false })
})

test('the message is that of the request, else one that names at most ten parameters on one line', async () => {
  await using fixture = await openWith()
  const messageOf = async (request: Wanted) => {
    await fixture.set(request)
    return fixture.requests.at(-2)?.['message']
  }
  assert.equal(await messageOf({ message: 'Scale up' }), 'Scale up')
  assert.equal(await messageOf({ assignments: [], removals: ['a\nb'] }), 'Unset parameters of web: a b')
  const assignments = Array.from({ length: 12 }, (_, index) => ({ target: `p${index}`, value: '' }))
  assert.equal(
    await messageOf({ assignments }),
    'Set parameters of web: p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more',
  )
})

test('a file that is as wanted makes no commit', async () => {
  await using fixture = await openWith({ edit: { ...edit, after: edit.before } })
  assert.partialDeepStrictEqual(await fixture.set(), {
    file: { ...edit, after: 'a: 1\n' },
    branch: 'main',
    drySha: baseSha,
  })
  assert.deepEqual(fixture.calls.slice(2), [])
})

test('problems prevent the commit unless it is forced; a dry run returns them', async () => {
  const problems = ['replicas: not a number', 'env: a value is required']
  await using fixture = await openWith({ edit: { ...edit, problems } })
  await assert.rejects(fixture.set(), {
    name: 'InvalidInputError',
    message:
      'the parameters of web would have problems: replicas: not a number; env: a value is required; --force commits them anyway',
  })
  assert.partialDeepStrictEqual(await fixture.set({ dryRun: true }), {
    file: { ...edit, problems },
    branch: 'main',
    drySha: '',
  })
  assert.ok(!fixture.calls.includes('CommitServerService/CommitFiles'))
  assert.partialDeepStrictEqual(await fixture.set({ force: true }), {
    file: { ...edit, problems },
    branch: 'main',
    drySha: newSha,
  })
})

for (const [targetRevision, ref] of [
  ['v1.0', 'refs/tags/v1.0'],
  ['1.*', 'refs/tags/v1.0'],
  [baseSha, ''],
] as const) {
  test(`an Application that follows ${targetRevision.slice(0, 8)} is changed in a dry run alone`, async () => {
    await using fixture = await openWith({ targetRevision, ref })
    await assert.rejects(fixture.set(), {
      name: 'FailedPreconditionError',
      message:
        `application web follows "${targetRevision}", which is not a branch, and parameters live on a branch: ` +
        'name one with "wadi app set web --dry-source-revision BRANCH", or print the change with --print and commit it yourself',
    })
    assert.deepEqual(fixture.calls, ['RepoServerService/ResolveRevisions'])
    assert.partialDeepStrictEqual(await fixture.set({ dryRun: true }), { file: edit, branch: '', drySha: '' })
  })
}

test('an Application that follows HEAD is changed on the branch that it names', async () => {
  await using fixture = await openWith({ targetRevision: 'HEAD', ref: 'refs/heads/team/a' })
  assert.equal((await fixture.set()).branch, 'team/a')
  assert.equal(fixture.requests.at(-2)?.['branch'], 'team/a')
})

test('a file that somebody else changed meanwhile is edited again, three times at most', async () => {
  const rejections = [new ConflictError('moved'), new ConflictError('moved again')]
  const commitFiles = () => {
    const rejection = rejections.shift()
    if (rejection) throw rejection
    return { sha: newSha }
  }
  await using fixture = await openWith({ commitFiles })
  assert.equal((await fixture.set()).drySha, newSha)
  const edits = fixture.calls.filter((call) => call === 'RepoServerService/EditParameters')
  assert.equal(edits.length, 3)
  rejections.push(...['first', 'second', 'third'].map((text) => new ConflictError(text)))
  await assert.rejects(fixture.set(), { name: 'ConflictError', message: 'third' })
})

test('a commit that the repository rejects is reported, and no hydration is requested', async () => {
  await using fixture = await openWith({
    commitFiles: () => {
      throw new PermissionDeniedError('no write credentials')
    },
  })
  await assert.rejects(fixture.set(), { name: 'PermissionDeniedError', message: 'no write credentials' })
  assert.ok(!fixture.calls.includes('HydratorService/RefreshRepository'))
})

test('a hydrator that is unreachable does not hide that the commit is there', async () => {
  await using fixture = await openWith({
    refreshRepository: () => {
      throw new UnavailableError('hydrator is away')
    },
  })
  assert.equal((await fixture.set()).drySha, newSha)
  assert.ok(fixture.lines.some((line) => line.includes('hydrator could not be notified of a commit')))
})

test('a request that changes nothing is refused before anybody is asked', async () => {
  await using fixture = await openWith()
  await assert.rejects(fixture.set({ assignments: [] }), { name: 'InvalidInputError' })
  assert.deepEqual(fixture.calls, [])
})

test('a new branch gets the commit, with the page for its pull request, and nothing is hydrated', async () => {
  await using fixture = await openWith()
  const answer = await fixture.set({ newBranch: 'change/web' })
  // The host of the sample does not say what it runs.
  assert.partialDeepStrictEqual(answer, { branch: 'main', drySha: newSha, pullRequestUrl: '' })
  assert.partialDeepStrictEqual(fixture.requests.at(-1), { branch: 'main', newBranch: 'change/web' })
  assert.ok(!fixture.calls.includes('HydratorService/RefreshRepository'))
})

const reviewedSha = 'c'.repeat(40)

test('a reviewed change is committed although others have pushed something else', async () => {
  await using fixture = await openWith()
  const answer = await fixture.set({ reviewedSha })
  assert.partialDeepStrictEqual(answer, { drySha: newSha, editedSha: baseSha })
  assert.partialDeepStrictEqual(fixture.requests.at(-2), { baseSha })
})

const outdated: [string, Parts, RegExp][] = [
  [
    'the file',
    { edits: { [reviewedSha]: { ...edit, before: '', after: 'a: 2\n' } } },
    /\.argocd-source\.yaml is another file/,
  ],
  ['the template', { fingerprints: { [reviewedSha]: 'older' } }, /other files of the source have changed/],
]
for (const [what, parts, reason] of outdated) {
  test(`a reviewed change writes nothing when somebody has changed ${what} since`, async () => {
    await using fixture = await openWith(parts)
    await assert.rejects(fixture.set({ reviewedSha }), { name: 'ConflictError', message: reason })
    assert.ok(!fixture.calls.includes('CommitServerService/CommitFiles'))
    assert.equal((await fixture.set()).drySha, newSha)
  })
}

test('a reviewed commit is named by its whole id', async () => {
  await using fixture = await openWith()
  await assert.rejects(fixture.set({ reviewedSha: 'main' }), {
    name: 'InvalidInputError',
    message: 'the reviewed commit "main" must be the whole id of a commit, 40 digits of 0-9 and a-f',
  })
})

test('a reviewed change is not made again on top of a push that comes at the same moment', async () => {
  const head = { sha: reviewedSha }
  await using fixture = await openWith({
    head,
    edits: { [baseSha]: { ...edit, before: 'a: 9\n' } },
    commitFiles: () => {
      head.sha = baseSha
      throw new ConflictError('moved')
    },
  })
  await assert.rejects(fixture.set({ reviewedSha }), { name: 'ConflictError', message: /is another file/ })
})
