import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { until } from '@wadi/testing/until.ts'
import { startMeshFixture } from '../testing/mesh-fixture.ts'

interface Found {
  severity: string
  area: string
  message: string
  remedy: string
}

const user = 'wadi'
const password = 'secret-of-the-git-server'
const mesh = await usedByFile(startMeshFixture({ WADI_POLL_INTERVAL: '1h' }))
const git = await usedByFile(
  startGitHttpServer({
    users: { [user]: password },
    // As a forge answers an account that may only read.
    onRequest: ({ path, service }) =>
      path.startsWith('/closed.git') && service === 'git-receive-pack' ? 403 : undefined,
  }),
)

/** Serves a repository with two directories, and stores its credentials. */
async function served(name: string) {
  const { url, directory } = await git.createRepository(name)
  const copy = await createRepository(join(mesh.directory, name), { objects: join(directory, 'objects') })
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n'
  const sha = await copy.commitFiles({ 'a/a.yaml': manifest, 'b/b.yaml': manifest }, 'First')
  await runTestGit(directory, ['update-ref', 'refs/heads/main', sha])
  for (const write of [[], ['--write', '--no-validate']]) await addRepository(url, ...write)
  return { url, directory }
}

async function addRepository(url: string, ...more: string[]): Promise<void> {
  const args = ['repo', 'add', url, '--username', user, '--password-stdin', ...more]
  const { code, stderr } = await mesh.operate(args, { input: password })
  assert.equal(code, 0, stderr)
}

async function createApplication(name: string, repoUrl: string, path: string): Promise<void> {
  const source = ['--dry-source-repo', repoUrl, '--dry-source-revision', 'main', '--dry-source-path', path]
  const sync = ['--sync-source-branch', 'environments/prod', '--sync-source-path', 'web']
  const destination = ['--dest-server', 'https://kubernetes.default.svc', '--dest-namespace', 'web']
  const { code, stderr } = await mesh.operate(['app', 'create', name, ...source, ...sync, ...destination])
  assert.equal(code, 0, stderr)
}

async function diagnose(): Promise<{
  findings: Found[]
  services: { service: string }[]
  code: number | null
}> {
  const { stdout, stderr, code } = await mesh.operate(['doctor', '--remote', '--strict', '-o', 'json'])
  assert.ok(stdout !== '', stderr)
  return { ...JSON.parse(stdout), code }
}

test('doctor --remote finds credentials that do not work and Applications that overlap, and changes nothing', async () => {
  const fine = await served('fine.git')
  const closed = await served('closed.git')
  const healthy = await diagnose()
  assert.deepEqual(healthy.services.map(({ service }) => service).toSorted(), [
    'api-gateway',
    'appset-service',
    'commit-server',
    'hydrator',
    'repo-server',
  ])
  const about = (found: Found[], area: string) => found.filter((finding) => finding.area === area)
  const refused = {
    severity: 'error',
    area: 'credentials',
    message: new RegExp(`^cannot push to ${RegExp.escape(closed.url)}: .*refuses the push`),
    remedy: `wadi repo add ${closed.url} --write --username NAME --password-stdin --upsert`,
  }
  const [one, ...more] = about(healthy.findings, 'credentials')
  assert.deepEqual([more.length, one?.severity, one?.remedy], [0, refused.severity, refused.remedy])
  assert.match(one?.message ?? '', refused.message)
  assert.equal(healthy.code, 1)

  await createApplication('one', fine.url, 'a')
  await createApplication('two', fine.url, 'b')
  await mesh.operate(['repo', 'rm', closed.url, '--write'])
  const refs = await runTestGit(fine.directory, ['for-each-ref'])
  git.requests.length = 0
  const overlapping = await diagnose()
  assert.deepEqual(
    about(overlapping.findings, 'applications').map(({ message }) => message),
    ['one', 'two'].map(
      (name, index) =>
        `application argocd/${name}: path web of branch environments/prod is also claimed by application argocd/${['two', 'one'][index]} with another dry source; give each a path of its own`,
    ),
  )
  assert.ok(git.requests.some(({ service }) => service === 'git-receive-pack'))
  assert.ok(git.requests.every(({ method, service }) => method === 'GET' || service === 'git-upload-pack'))
  assert.equal(await runTestGit(fine.directory, ['for-each-ref']), refs)
  assert.doesNotMatch(JSON.stringify(overlapping), new RegExp(password))
})

test('doctor --remote says in words how to fix what it finds, and only operators may ask', async () => {
  const { stdout, code } = await mesh.operate(['doctor', '--remote'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^error: applications: application argocd\/one: .*\n {2}fix: wadi app set argocd\/one --sync-source-path PATH$/m,
  )
  assert.match(stdout, /^SERVICE +HOST +VERSION +STARTED +FREE$/m)
  assert.match(stdout, /^PROTECTION +ACTIVE/m)
  const caller = await mesh.wadi(['doctor', '--remote'], { environment: { WADI_SERVER: mesh.server } })
  assert.equal(caller.code, 20)
  assert.match(caller.stderr, /Unauthenticated/)
})

test('doctor --remote finds that new commits wait for polls, until a webhook comes', async () => {
  const { url, directory } = await served('watched.git')
  await createApplication('watched', url, 'a')
  assert.equal((await mesh.operate(['app', 'wait', 'watched'])).code, 0)
  const copy = await createRepository(join(mesh.directory, 'watched-again'), {
    objects: join(directory, 'objects'),
  })
  const sha = await copy.commitFiles({ 'a/a.yaml': 'apiVersion: v1\nkind: Secret\n' }, 'Second')
  await runTestGit(directory, ['update-ref', 'refs/heads/main', sha])
  // New credentials make the hydrator look at every repository.
  await addRepository(url, '--upsert')
  const webhooks = async () => {
    const { findings } = await diagnose()
    return findings.filter(({ area }) => area === 'webhooks')
  }
  await until(async () => (await webhooks()).length > 0)
  const [silent] = await webhooks()
  assert.equal(silent?.severity, 'info')
  assert.match(silent?.message ?? '', /watched waited for a poll: no webhook came since \d{4}-/)
  const secret = 'shared with the forge'
  const object = join(mesh.directory, 'argocd-secret.yaml')
  await writeFile(
    object,
    `apiVersion: v1\nkind: Secret\nmetadata: {name: argocd-secret}\nstringData: {webhook.gitea.secret: ${secret}}\n`,
  )
  assert.equal((await mesh.operate(['apply', '-f', object])).code, 0)
  const body = JSON.stringify({
    repository: { clone_url: url, ssh_url: '', html_url: url },
    ref: 'refs/heads/main',
  })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const answer = await fetch(`http://${mesh.server}/api/webhook`, {
    method: 'POST',
    headers: { 'x-gitea-event': 'push', 'x-gitea-signature': signature, 'content-type': 'application/json' },
    body,
  })
  assert.equal(answer.status, 200, await answer.text())
  assert.deepEqual(await webhooks(), [])
})
