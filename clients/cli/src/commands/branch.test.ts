import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetBranchResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const repoUrl = 'https://git.example.com/deploy.git'
const drySha = '2'.repeat(40)
const hydratedSha = 'a'.repeat(40)

/** A server with a hydrated and a failed branch, and one of the same name in another repository. */
async function startGateway(): Promise<Gateway> {
  const gateway = await Gateway.start()
  const prod = {
    branch: {
      repoUrl,
      branch: 'environments/prod-next',
      syncBranches: ['environments/prod'],
      phase: 'Hydrated',
      queue: 'Waiting',
      applications: 1,
      drySha,
      hydratedSha,
      startedAt: '2026-08-20T10:00:00Z',
      finishedAt: '2026-08-20T10:00:05Z',
    },
    headSha: hydratedSha,
    sources: [{ repoUrl, targetRevision: 'main', phase: 'Hydrated', drySha, hydratedDrySha: drySha }],
    applications: [{ namespace: 'argocd', name: 'web', project: 'shop', syncPath: 'web', phase: 'Hydrated' }],
    commits: [
      {
        hydratedSha,
        drySha,
        date: '2026-08-20T10:00:04Z',
        author: 'Ada <ada@example.com>',
        subject: 'Raise\u001b[2J',
      },
    ],
  }
  const failed = {
    repoUrl,
    branch: 'environments/test',
    phase: 'Failed',
    message: 'no such chart',
    applications: 2,
  }
  const other = { ...failed, repoUrl: 'https://git.example.com/other.git', phase: '' }
  for (const answer of [prod, { branch: failed }, { branch: other }]) {
    gateway.hydratedBranches.push(create(GetBranchResponseSchema, answer))
  }
  return gateway
}

test('the list shows how far each branch is, and may be narrowed', async () => {
  await using gateway = await startGateway()
  const run = (...args: string[]) =>
    runWadi(['branch', 'list', ...args], { environment: gateway.environment })
  assert.equal(
    (await run('prod')).stdout,
    `BRANCH                  PHASE     QUEUE    APPS  DRY      HYDRATED  FINISHED              REPO                                MESSAGE
environments/prod-next  Hydrated  Waiting  1     2222222  aaaaaaa   2026-08-20T10:00:05Z  ${repoUrl}  ${''}
`,
  )
  assert.match((await run('--phase', 'Failed')).stdout, /\nenvironments\/test +Failed .* no such chart\n$/)
  assert.equal((await run('-o', 'name')).stdout.split('\n').length, 4)
  const json = JSON.parse((await run('-o', 'json')).stdout) as unknown[]
  assert.partialDeepStrictEqual(json[0], {
    repoURL: repoUrl,
    syncBranches: ['environments/prod'],
    drySHA: drySha,
  })
})

test('a branch is shown with its dry sources, Applications and commits', async () => {
  await using gateway = await startGateway()
  const { environment } = gateway
  const { stdout, code } = await runWadi(['branch', 'get', 'environments/prod-next'], { environment })
  assert.equal(code, 0)
  assert.equal(
    stdout,
    `Branch:             environments/prod-next
Repository:         ${repoUrl}
Deployed From:      environments/prod
Phase:              Hydrated
Queue:              Waiting
Head:               ${hydratedSha}
Last Run:           2026-08-20T10:00:05Z

SOURCE                              REVISION  PHASE     DRY      HYDRATED  NOTE
${repoUrl}  main      Hydrated  2222222  2222222   ${''}

APPLICATION  PROJECT  PATH  PHASE     MESSAGE
argocd/web   shop     web   Hydrated  ${''}

COMMIT   DRY      DATE                  AUTHOR                 SUBJECT
aaaaaaa  2222222  2026-08-20T10:00:04Z  Ada <ada@example.com>  Raise\\x1b[2J
`,
  )
  const yaml = await runWadi(['branch', 'get', 'environments/prod-next', '-o', 'yaml'], { environment })
  assert.match(yaml.stdout, new RegExp(`\\nheadSHA: ${hydratedSha}\\n`))
})

test('a version that the branch keeps is shown with the commands that preview the one of the server', async () => {
  await using gateway = await startGateway()
  const [prod] = gateway.hydratedBranches
  assert.ok(prod)
  const { applications } = prod
  const other = 'https://git.example.com/shared.git'
  const sources = [
    { repoUrl, targetRevision: 'HEAD' },
    { repoUrl: other, targetRevision: '$(touch here)' },
    { repoUrl: other, targetRevision: '$(touch here)' },
    { repoUrl: 'https://charts.example.com', targetRevision: '1.x', chart: 'web' },
  ]
  const keptTools = [{ name: 'helm', version: '4.1.4', ownVersion: '4.3.1' }]
  const branch = { repoUrl, branch: 'environments/kept', tools: { helm: 'v4.1.4', kustomize: 'v5.8.3' } }
  gateway.hydratedBranches.push(create(GetBranchResponseSchema, { branch, applications, sources, keptTools }))
  const { environment } = gateway
  const get = (...args: string[]) => runWadi(['branch', 'get', ...args], { environment })
  assert.match(
    (await get('environments/kept')).stdout,
    new RegExp(
      "\\nTools: +helm v4\\.1\\.4, kustomize v5\\.8\\.3\\nMade With: +helm 4\\.1\\.4; the installation's own is 4\\.3\\.1\\n" +
        `Preview: +wadi diff --repo ${repoUrl} --tools helm=4.3.1\\n` +
        String.raw`Preview: +wadi diff --repo ${other} --revision '\$\(touch here\)' --tools helm=4.3.1\nLast Run:`,
    ),
  )
  const json = JSON.parse((await get('environments/kept', '-o', 'json')).stdout) as unknown
  assert.partialDeepStrictEqual(json, { keptTools })
  assert.doesNotMatch((await get('environments/prod-next')).stdout, /Made With|Preview/)
})

test('a name in several repositories asks for one, and a missing branch ends with 20', async () => {
  await using gateway = await startGateway()
  const run = (...args: string[]) => runWadi(['branch', 'get', ...args], { environment: gateway.environment })
  const several = await run('environments/test')
  assert.equal(several.code, 20)
  assert.match(
    several.stderr,
    /is in several repositories; choose one with --repo: https:.*deploy\.git, https/,
  )
  assert.match((await run('environments/test', '--repo', repoUrl)).stdout, /\nMessage: +no such chart\n/)
  for (const args of [['nowhere'], ['nowhere', '--repo', repoUrl]]) {
    const missing = await run(...args)
    assert.equal(missing.code, 20)
    assert.match(missing.stderr, /found/)
  }
})

test('a queue and a branch that cannot be read are warnings', async () => {
  await using gateway = await startGateway()
  const [first] = gateway.hydratedBranches
  if (first) Object.assign(first, { error: 'no route to host', queueError: 'the hydrator does not answer' })
  const { environment } = gateway
  const shown = await runWadi(['branch', 'get', 'environments/prod-next'], { environment })
  assert.equal(shown.code, 0)
  assert.match(shown.stderr, /the branch cannot be read: no route to host/)
  assert.match(shown.stderr, /the queue cannot be read: the hydrator does not answer/)
  assert.match((await runWadi(['branch', 'list'], { environment })).stderr, /the queue cannot be read/)
})
