import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { answerConsole } from './answer-console.ts'
import { nonceMark, readConsole } from './console-files.ts'

const script = `console.log(${JSON.stringify('x'.repeat(2_000))})`

/** A server of a small console; `get` sends the path as it is written, as no fetch would. */
async function openConsole({ isBuilt = true } = {}) {
  const owned = new AsyncDisposableStack()
  const scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-console-'))
  owned.defer(() => scratch.remove())
  const directory = join(scratch.path, 'dist')
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(scratch.path, 'secret.txt'), 'secret')
  if (isBuilt) {
    await writeFile(join(directory, 'index.html'), `<meta property="csp-nonce" nonce="${nonceMark}">`)
    await writeFile(join(directory, 'pages.txt'), '/\n/applications\n/applications/$namespace/$name\n')
    await writeFile(join(directory, 'icon.svg'), '<svg/>')
    await writeFile(join(directory, 'assets/main-1.js'), script)
    await writeFile(join(directory, 'assets/main-1.js.br'), brotliCompressSync(script))
    await writeFile(join(directory, 'assets/main-1.js.gz'), gzipSync(script))
  }
  const answer = answerConsole(await readConsole(directory))
  const server = http.createServer((request, response) => {
    if (answer(request, response)) return
    response.writeHead(404)
    response.end('not the console')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  owned.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http.request({ port, host: '127.0.0.1', path, method, headers }, resolve).on('error', reject).end()
    const response = await promise
    const body = Buffer.concat(await response.toArray())
    return { status: response.statusCode, headers: response.headers, body }
  }
  return { get, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('every response of a page has a nonce of its own, in the policy and in the page, and is not kept', async () => {
  await using console = await openConsole()
  const nonces = new Set<string>()
  for (const path of ['/', '/applications', '/applications/argocd/web?tab=history']) {
    const { status, headers, body } = await console.get(path)
    assert.equal(status, 200, path)
    const policy = String(headers['content-security-policy'])
    const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? ''
    assert.equal(body.toString(), `<meta property="csp-nonce" nonce="${nonce}">`)
    assert.match(policy, /^default-src 'none'; script-src 'self'; connect-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe/)
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 3)
})

test('only known pages are answered with the page', async () => {
  await using console = await openConsole()
  const paths = [
    '/other',
    '/applications/',
    '/applications/argocd',
    '/applications//web',
    '/api/v1/applications',
  ]
  for (const path of paths) assert.equal((await console.get(path)).status, 404, path)
  assert.equal((await console.get('/applications', {}, 'POST')).status, 404)
})

test('a browser that asks for a page that does not exist gets the console, and no other request does', async () => {
  await using console = await openConsole()
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const path of ['/other', '/applications/', '/applications/argocd', '/applications/argocd/a.b/c']) {
    const { status, headers, body } = await console.get(path, browser)
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path)
    assert.match(body.toString(), /^<meta property="csp-nonce" nonce="[\w+/=]{24}">$/)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; /)
    assert.equal((await console.get(path)).body.toString(), 'not the console', path)
  }
  const others = [
    '/api',
    '/api/v1/applications',
    '/auth/other',
    '/assets/main-0.js',
    '/assets/other',
    '/favicon.ico',
    '/index.html',
    '/wadi.api_gateway.v1.SignInService/GetSession',
  ]
  for (const path of others)
    assert.equal((await console.get(path, browser)).body.toString(), 'not the console', path)
  assert.equal((await console.get('/other', browser, 'POST')).body.toString(), 'not the console')
})

test('hashed files are kept for ever, and other files are asked for again', async () => {
  await using console = await openConsole()
  const asset = await console.get('/assets/main-1.js')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(asset.body.toString(), script)
  const icon = await console.get('/icon.svg')
  assert.equal(icon.headers['cache-control'], 'no-cache')
  const again = await console.get('/icon.svg', { 'if-none-match': String(icon.headers.etag) })
  assert.deepEqual([again.status, again.body.length], [304, 0])
})

test('a file comes in the smallest encoding that the browser takes, and each encoding has its own tag', async () => {
  await using console = await openConsole()
  const br = await console.get('/assets/main-1.js', { 'accept-encoding': 'gzip, deflate, br' })
  assert.deepEqual([br.headers['content-encoding'], br.headers.vary], ['br', 'Accept-Encoding'])
  assert.equal(brotliDecompressSync(br.body).toString(), script)
  const gzip = await console.get('/assets/main-1.js', { 'accept-encoding': 'gzip, br;q=0' })
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.notEqual(gzip.headers.etag, br.headers.etag)
  const head = await console.get('/assets/main-1.js', { 'accept-encoding': 'br' }, 'HEAD')
  assert.deepEqual([head.headers['content-length'], head.body.length], [String(br.body.length), 0])
})

test('no path leads out of the console, nor to what the build keeps for itself', async () => {
  await using console = await openConsole()
  const paths = [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '//secret.txt',
    '/pages.txt',
  ]
  for (const path of [...paths, '/assets/main-1.js.br', '/index.html', '/assets'])
    assert.equal((await console.get(path)).body.toString(), 'not the console', path)
})

test('a gateway without built files says so on its first page, and nowhere else', async () => {
  await using console = await openConsole({ isBuilt: false })
  const { status, body } = await console.get('/')
  assert.equal(status, 404)
  assert.match(
    body.toString(),
    /^This gateway has no web console: its files are not built\.\nBuild them with "npm run build:web"/,
  )
  assert.equal((await console.get('/applications')).body.toString(), 'not the console')
})
