import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const leak = {
  namespace: 'argocd',
  name: 'web',
  project: 'shop',
  path: 'apps/web',
  severity: 'warn',
  rule: 'secrets/github',
  object: 'ConfigMap/web',
  field: 'data.token',
  message: 'looks like a credential',
  file: 'apps/web/a.yaml',
  line: 6,
  repoUrl: 'https://git.example.com/deploy.git',
  drySha: 'd'.repeat(40),
}
const waiver = { owner: 'shop', reason: 'a demo', expires: '2027-01-31' }
const unplaced = { ...leak, severity: 'deny', object: 'ConfigMap/demo', file: '', line: 0, waiver }

test('findings are a table with their Applications and places, and with the owners of waivers', async () => {
  await using gateway = await Gateway.start()
  gateway.findings = [leak]
  const { environment } = gateway
  const one = await runWadi(['app', 'findings'], { environment })
  assert.equal(
    one.stdout,
    `SEVERITY  RULE            APPLICATION  OBJECT         FIELD       PLACE
warn      secrets/github  argocd/web   ConfigMap/web  data.token  apps/web/a.yaml:6
`,
  )
  gateway.findings = [leak, unplaced]
  gateway.findingsLeftOut = 3
  const two = await runWadi(['app', 'findings'], { environment })
  assert.match(two.stdout, /\nwaived +secrets\/github +argocd\/web .* apps\/web +shop until 2027-01-31\n/)
  assert.match(two.stderr, /3 more findings, of all Applications, are not listed/)
  gateway.findings = []
  assert.equal((await runWadi(['app', 'findings'], { environment })).stdout, 'no findings\n')
})

test('flags are the filter of the server, whose pages are read to the end', async () => {
  await using gateway = await Gateway.start()
  gateway.findings = Array.from({ length: 501 }, (_, index) => ({ ...leak, line: index + 1 }))
  const { environment } = gateway
  const flags = ['--severity', 'deny', '--severity', 'waived', '--gate', 'secrets', '--rule', 'secrets/aws']
  const more = ['-p', 'shop', '-r', 'https://git.example.com/deploy.git', '--text', 'demo', '-o', 'json']
  const { stdout } = await runWadi(['app', 'findings', 'other/web', ...flags, ...more], { environment })
  const listed = JSON.parse(stdout)
  assert.equal(listed.length, 501)
  const { name, namespace, project, path, repoUrl, drySha, ...rest } = leak
  assert.deepEqual(listed[5], {
    ...rest,
    application: `${namespace}/${name}`,
    project,
    repoURL: repoUrl,
    drySHA: drySha,
    path,
  })
  assert.deepEqual(
    gateway.findingSearches.map(({ offset }) => offset),
    [0, 500],
  )
  const { $typeName: _type, ...filter } = { ...gateway.findingSearches[0]?.filter }
  assert.deepEqual(filter, {
    namespace: 'other',
    name: 'web',
    text: 'demo',
    severities: ['deny', 'waived'],
    gates: ['secrets'],
    rules: ['secrets/aws'],
    projects: ['shop'],
    repositories: ['https://git.example.com/deploy.git'],
  })
  const wrong = await runWadi(['app', 'findings', '--severity', 'error'], { environment })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /Allowed choices are deny, warn, audit, waived/)
})

test('SARIF has a run for each dry commit, and waivers as suppressions', async () => {
  await using gateway = await Gateway.start()
  const elsewhere = { ...leak, drySha: 'e'.repeat(40) }
  gateway.findings = [leak, unplaced, elsewhere]
  const { environment } = gateway
  const { stdout } = await runWadi(['app', 'findings', '-o', 'sarif'], { environment })
  const { runs } = JSON.parse(stdout)
  assert.deepEqual(
    runs.map((run: { versionControlProvenance: unknown }) => run.versionControlProvenance),
    [
      [{ repositoryUri: leak.repoUrl, revisionId: leak.drySha }],
      [{ repositoryUri: leak.repoUrl, revisionId: elsewhere.drySha }],
    ],
  )
  const [first, second] = runs[0].results
  assert.equal(first.message.text, 'argocd/web ConfigMap/web data.token: looks like a credential')
  assert.deepEqual(first.locations[0].physicalLocation, {
    artifactLocation: { uri: 'apps/web/a.yaml' },
    region: { startLine: 6 },
  })
  assert.equal(first.suppressions, undefined)
  assert.deepEqual(second.locations[0].physicalLocation, { artifactLocation: { uri: 'apps/web' } })
  const justification = 'a demo (shop, until 2027-01-31)'
  assert.deepEqual(second.suppressions, [{ kind: 'inSource', status: 'accepted', justification }])
  gateway.findings = []
  const none = await runWadi(['app', 'findings', '-o', 'sarif'], { environment })
  assert.deepEqual(JSON.parse(none.stdout).runs[0].results, [])
})
