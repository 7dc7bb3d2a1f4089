import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'

// The program of `helm test`, in a pod of Wadi's image: serves a repository that only lives as long as the pod, has the gateway create an Application of
// it, and waits until the branch is there. It needs nothing but Node.js and git.

const {
  WADI_GATEWAY: gateway = '',
  WADI_TEST_REPOSITORY: repoUrl = '',
  WADI_NAMESPACE: namespace = '',
} = process.env
const password = readFileSync('/test/secret/password', 'utf8')
const token = readFileSync('/test/token/admin.token', 'utf8').trim()
const name = 'wadi-test'
const branch = 'environments/test'
const maxSeconds = 90
let said = ''
const repository = mkdtempSync(path.join(tmpdir(), 'hydration-test-'))

try {
  const commit = makeRepository()
  await serveRepository()
  await call('GetVersion', {}, 'VersionService')
  console.log(`the gateway ${gateway} answers`)
  await deleteApplication()
  try {
    await createApplication()
    console.log(`the Application ${name} is created; repo-server reads its repository`)
    await hydrated(commit)
    console.log(`the branch ${branch} has the manifests of the dry commit ${commit}`)
  } finally {
    await deleteApplication()
  }
  process.exit()
} catch (error) {
  console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=helm test', '-c', 'user.email=test@wadi.invalid']
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  return execFileSync('git', [...identity, '-C', repository, ...args], { encoding: 'utf8', stdio }).trim()
}

/** Makes a repository with one manifest, and returns its commit. */
function makeRepository(): string {
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(path.join(repository, 'web'))
  const data = `{ time: '${new Date().toISOString()}' }`
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: ${data}\n`
  writeFileSync(path.join(repository, 'web/config.yaml'), manifest)
  git('add', '.')
  git('commit', '--quiet', '--message', 'Test Wadi')
  return git('rev-parse', 'HEAD')
}

async function serveRepository(): Promise<void> {
  const [cert, key] = ['tls.crt', 'tls.key'].map((file) => readFileSync(`/test/secret/${file}`))
  const server = createServer({ cert, key }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(8443, resolve)
  })
}

/** Answers by git's smart HTTP protocol, as `git http-backend` does, which the image does not have. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const login = Buffer.from(`test:${password}`).toString('base64')
  if (request.headers.authorization !== `Basic ${login}`) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', repoUrl)
  const action = pathname.slice(new URL(repoUrl).pathname.length + 1)
  const isInfo = action === 'info/refs'
  const service = isInfo ? searchParams.get('service') : action
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    response.writeHead(404).end()
    return
  }
  const protocol = String(request.headers['git-protocol'] ?? '')
  const flags = ['--stateless-rpc', ...(isInfo ? ['--http-backend-info-refs'] : [])]
  const child = spawn('git', [service.slice('git-'.length), ...flags, repository], {
    env: { ...process.env, GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  response.writeHead(200, {
    'content-type': `application/x-${service}-${isInfo ? 'advertisement' : 'result'}`,
    'cache-control': 'no-cache',
  })
  const line = `# service=${service}\n`
  const length = (line.length + 4).toString(16).padStart(4, '0')
  if (isInfo && protocol !== 'version=2') response.write(`${length}${line}0000`)
  const isPacked = request.headers['content-encoding'] === 'gzip'
  const body = isPacked ? request.pipe(createGunzip()) : request
  await Promise.all([pipeline(body, child.stdin), pipeline(child.stdout, response)])
}

/** Creates the Application. For some time after an earlier test, name servers may answer with the address of its Service. */
async function createApplication(): Promise<void> {
  const request = { application: application(), validate: true }
  for (const start = Date.now(); ; await pause(2_000)) {
    try {
      await call('CreateApplication', request)
      return
    } catch (error) {
      const isLate = Date.now() - start > maxSeconds * 1_000
      if (textAt(error, 'code') !== 'unavailable' || isLate) throw error
      say(textAt(error, 'message'))
    }
  }
}

function application(): object {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace },
    spec: {
      project: name,
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
      sourceHydrator: {
        drySource: { repoURL: repoUrl, targetRevision: 'main', path: 'web' },
        syncSource: { targetBranch: branch, path: 'web' },
      },
    },
  }
}

/** Calls an RPC of the gateway. @throws Error, with the `code` of one that is rejected */
async function call(rpc: string, request: object, service = 'ApplicationService'): Promise<unknown> {
  const response = await fetch(`${gateway}/wadi.api_gateway.v1.${service}/${rpc}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(30_000),
  }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new Error(
      `the gateway ${gateway} does not answer (${reason}): see whether its pods are ready, and their log`,
    )
  })
  const answered: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answered
  const [code, message] = ['code', 'message'].map((field) => textAt(answered, field))
  throw Object.assign(new Error(`the gateway rejects ${rpc}: ${message} (${code})`), { code })
}

/** Removes the Application, and that of an earlier test that was interrupted. */
async function deleteApplication(): Promise<void> {
  await call('DeleteApplication', { name, namespace }).catch((error: unknown) => {
    if (textAt(error, 'code') !== 'not_found') throw error
  })
}

/** Prints what is not the same as before. */
function say(line: string): void {
  if (line !== said) console.log(line)
  said = line
}

/** Waits until the branch holds the manifests of a dry commit, and prints what the hydrator says meanwhile. */
async function hydrated(commit: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < maxSeconds * 1_000; await pause(500)) {
    if (isHydrated(commit)) return
    const answered = await call('GetApplication', { name, namespace })
    const operation = ['application', 'status', 'sourceHydrator', 'currentOperation']
    const state = ['phase', 'message'].map((field) => textAt(answered, ...operation, field))
    const line = state.filter((text) => text !== '').join(': ')
    if (line !== '') say(line)
  }
  throw new Error(
    `no branch ${branch} after ${maxSeconds} s: ${said === '' ? 'the hydrator says nothing; see its log' : said}`,
  )
}

function isHydrated(commit: string): boolean {
  if (git('for-each-ref', `refs/heads/${branch}`) === '') return false
  const record: unknown = JSON.parse(git('show', `${branch}:hydrator.metadata`))
  return (
    textAt(record, 'drySha') === commit && /kind: ConfigMap/.test(git('show', `${branch}:web/manifest.yaml`))
  )
}

/** The text at a path of a JSON value; empty where there is none. */
function textAt(value: unknown, ...keys: string[]): string {
  let at = value
  for (const key of keys) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  return typeof at === 'string' ? at : ''
}
