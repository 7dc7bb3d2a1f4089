import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findTools, type Tools } from '@wadi/renderer-tools/find-tools.ts'
import { touchOneRegion, writeSampleRepository } from './sample-repository.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'

const run = promisify(execFile)

async function call(
  [command = '', ...fixed]: readonly string[],
  args: readonly string[],
  cwd: string,
): Promise<string> {
  return (await run(command, [...fixed, ...args], { cwd })).stdout
}

async function images(tools: Tools, directory: string): Promise<string[]> {
  let output: string
  if ((await readdir(directory)).includes('Chart.yaml')) {
    await call(tools.helm.command, ['dependency', 'build'], directory)
    output = await call(tools.helm.command, ['template', 'storefront', '.'], directory)
  } else {
    const build = tools.kustomize.standalone ? ['build', '.'] : ['.']
    output = await call(tools.kustomize.command, build, directory)
  }
  return [...output.matchAll(/image: "?(?:registry\.example\.com\/)([\w.:-]+)/g)]
    .map(([, image = '']) => image)
    .toSorted()
}

test('the sample has three environments on their own branches, each with two regions and a platform', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-sample-'))
  const applications = (await writeSampleRepository(scratch.path)).slice(0, -1)
  assert.deepEqual(
    applications.map(({ name, branch, syncPath }) => [name, branch, syncPath]),
    ['dev', 'test', 'prod'].flatMap((environment) =>
      ['east', 'west', 'platform'].map((region) => [
        `${environment}-${region}`,
        `environments/${environment}`,
        region,
      ]),
    ),
  )
  for (const application of applications) {
    const files = await readdir(path.join(scratch.path, application.path))
    const tool = files.includes('Chart.yaml')
      ? 'east'
      : files.includes('kustomization.yaml')
        ? 'west'
        : 'platform'
    assert.equal(tool, application.syncPath)
  }
})

test('Helm and Kustomize render every environment of the sample', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-sample-'))
  await writeSampleRepository(scratch.path)
  const tools = await findTools({ cacheDirectory: toolCache })
  const rendered = async (directory: string) =>
    images(tools, path.join(scratch.path, 'environments', directory))
  assert.deepEqual(await rendered('dev/east'), ['storefront:1.5.0'])
  assert.deepEqual(await rendered('test/east'), ['cache:7.4', 'storefront:1.4.3'])
  assert.deepEqual(await rendered('prod/east'), ['cache:7.4', 'storefront:1.4.2'])
  assert.deepEqual(await rendered('dev/west'), ['orders:2.3.0'])
  assert.deepEqual(await rendered('test/west'), ['orders:2.2.1'])
  assert.deepEqual(await rendered('prod/west'), ['orders:2.2.1'])
})

test('the sample holds the example of a supply chain, whose workload belongs to production', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-sample-'))
  const shop = (await writeSampleRepository(scratch.path)).at(-1)
  assert.deepEqual(shop, {
    name: 'prod-shop',
    path: 'apps/shop/prod',
    branch: 'environments/prod',
    syncPath: 'shop',
    namespace: 'web',
  })
  assert.match(await readFile(path.join(scratch.path, 'wadi.yaml'), 'utf8'), /^platform: \[platform\]$/m)
  assert.deepEqual((await readdir(path.join(scratch.path, shop.path))).toSorted(), [
    'outputs.yaml',
    'workload.yaml',
  ])
})

test('touching a region rolls the next patch version out there, each time', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-sample-'))
  await writeSampleRepository(scratch.path)
  const change = await touchOneRegion(scratch.path)
  assert.deepEqual(change, {
    path: 'environments/prod/east/values.yaml',
    what: 'Roll storefront 1.4.3 out to prod east',
  })
  assert.match(await readFile(path.join(scratch.path, change.path), 'utf8'), /^ {4}tag: "1\.4\.3"$/m)
  assert.equal((await touchOneRegion(scratch.path)).what, 'Roll storefront 1.4.4 out to prod east')
})
