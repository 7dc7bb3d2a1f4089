import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const hydrated = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 1
---
apiVersion: v1
data:
  same: c2FtZQ==
  token: b2xk
kind: Secret
metadata:
  name: token
`
const rendered = hydrated.replace('replicas: 1', 'replicas: 3').replace('b2xk', 'bmV3')

async function gatewayWithDifference(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.applications.set('web', sampleApplication('web', { phase: 'Hydrated', dry: '1' }))
  gateway.manifests = ({ dryRevision }) => ({ manifest: dryRevision === '' ? hydrated : rendered })
  return gateway
}

test('a difference is shown object by object with the values of Secrets masked and ends with 1', async () => {
  await using gateway = await gatewayWithDifference()
  const { stdout, stderr, code } = await runWadi(['app', 'diff', 'web'], { environment: gateway.environment })
  assert.equal(stderr, '')
  assert.equal(
    stdout,
    `
===== /Secret /token ======
--- hydrated (aaaaaaa)
+++ rendered from main (2222222)
@@ -1,7 +1,7 @@
 apiVersion: v1
 data:
   same: ++++++++
-  token: ++++++++
+  token: +++++++++
 kind: Secret
 metadata:
   name: token

===== apps/Deployment shop/web ======
--- hydrated (aaaaaaa)
+++ rendered from main (2222222)
@@ -4,4 +4,4 @@
   name: web
   namespace: shop
 spec:
-  replicas: 1
+  replicas: 3
`,
  )
  assert.equal(code, 1)
})

test('files beside the manifests are compared by path, also those of one side only', async () => {
  await using gateway = await gatewayWithDifference()
  const beside = (files: Record<string, string>) =>
    Object.entries(files).map(([path, content]) => ({ path, content }))
  gateway.manifests = ({ dryRevision }) => ({
    manifest: hydrated,
    files: beside(
      dryRevision === ''
        ? { 'same.txt': 's\n', 'web/a.conf': 'level=1\n', 'gone.txt': 'g\n' }
        : { 'web/a.conf': 'level=2\n', 'same.txt': 's\n', empty: '' },
    ),
  })
  const { stdout, code } = await runWadi(['app', 'diff', 'web'], { environment: gateway.environment })
  const labels = '--- hydrated (aaaaaaa)\n+++ rendered from main (2222222)\n'
  assert.equal(
    stdout,
    `\n===== files/empty ======\n${labels}` +
      `\n===== files/gone.txt ======\n${labels}@@ -1,1 +0,0 @@\n-g\n` +
      `\n===== files/web/a.conf ======\n${labels}@@ -1,1 +1,1 @@\n-level=1\n+level=2\n`,
  )
  assert.equal(code, 1)
})

test('the exit code of a difference can be chosen or switched off, and no difference is 0', async () => {
  await using gateway = await gatewayWithDifference()
  const { environment } = gateway
  assert.equal((await runWadi(['app', 'diff', 'web', '--diff-exit-code', '7'], { environment })).code, 7)
  assert.equal((await runWadi(['app', 'diff', 'web', '--exit-code=false'], { environment })).code, 0)
  gateway.manifests = () => ({ manifest: hydrated })
  const same = await runWadi(['app', 'diff', 'web'], { environment })
  assert.deepEqual([same.stdout, same.code], ['', 0])
})

test('wrong usage is 2 and an error of the server 20', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  assert.equal((await runWadi(['app', 'diff'], { environment })).code, 2)
  assert.equal(
    (await runWadi(['app', 'diff', 'a', '--local', '.', '--revision', 'x'], { environment })).code,
    2,
  )
  assert.equal((await runWadi(['app', 'diff', 'nope'], { environment })).code, 20)
})

test('KUBECTL_EXTERNAL_DIFF runs without a shell', async () => {
  await using gateway = await gatewayWithDifference()
  await using directory = await temporaryDirectory()
  const program = join(directory.path, 'show')
  await writeFile(program, '#!/bin/sh\necho "$# $1"; grep replicas "$2" "$3" | sed "s/.*://"; exit 1\n')
  await chmod(program, 0o755)
  const { stdout, code } = await runWadi(['app', 'diff', 'web'], {
    environment: { ...gateway.environment, KUBECTL_EXTERNAL_DIFF: `${program} $HOME;true` },
  })
  assert.equal(
    stdout,
    '\n===== /Secret /token ======\n3 $HOME;true\n\n===== apps/Deployment shop/web ======\n3 $HOME;true\n 1\n 3\n',
  )
  assert.equal(code, 1)
})

test('--local compares with a directory of a working tree', async () => {
  await using gateway = await gatewayWithDifference()
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'web'))
  await writeFile(join(directory.path, 'web', 'all.yaml'), hydrated)
  const { stdout, stderr, code } = await runWadi(
    ['app', 'diff', 'web', '--local', join(directory.path, 'web')],
    {
      environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome },
    },
  )
  assert.deepEqual([stdout, stderr, code], ['', '', 0])
})

test('--local takes the root of a checkout for the directory of the dry source in it', async () => {
  await using gateway = await gatewayWithDifference()
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, '.git'))
  await mkdir(join(directory.path, 'apps/guestbook'), { recursive: true })
  await writeFile(join(directory.path, 'apps/guestbook', 'all.yaml'), hydrated)
  const { stdout, stderr, code } = await runWadi(['app', 'diff', 'web', '--local', directory.path], {
    environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome },
  })
  assert.deepEqual([stdout, stderr, code], ['', '', 0])
})

test('--local compares only the keys of Secrets whose values the server hides', async () => {
  await using gateway = await gatewayWithDifference()
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'web'))
  await writeFile(join(directory.path, 'web', 'all.yaml'), hydrated)
  gateway.manifests = () => ({
    manifest: hydrated.replace(/: (?:c2FtZQ==|b2xk)$/gm, ': <hidden 0123456789>'),
    hiddenSecrets: 1,
  })
  const { stdout, stderr, code } = await runWadi(
    ['app', 'diff', 'web', '--local', join(directory.path, 'web')],
    { environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome } },
  )
  assert.deepEqual([stdout, code], ['', 0])
  assert.match(stderr, /the values of Secrets are not compared/)
})
