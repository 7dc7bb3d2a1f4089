import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { findTools } from './find-tools.ts'

const tools = await findTools({ cacheDirectory: toolCache })
const [helm = ''] = tools.helm.command
const [kubectl = ''] = tools.kustomize.command

function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'wadi-tools-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function program(directory: string, name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('two processes that unpack the bundled tools at once both get whole binaries', async () => {
  using directory = temporaryDirectory()
  const missing = join(directory.path, 'none')
  const path = process.env['PATH']
  process.env['PATH'] = missing
  try {
    const found = await Promise.all([1, 2].map(() => findTools({ cacheDirectory: directory.path })))
    for (const { helm: foundHelm, kustomize } of found) {
      assert.match(foundHelm.version, /^v4\.\d+\.\d+/)
      assert.match(kustomize.version, /^v5\.\d+\.\d+/)
      assert.equal(statSync(foundHelm.command[0] ?? '').mode & 0o777, 0o755)
    }
    assert.deepEqual(
      readdirSync(directory.path).filter((name) => name.startsWith('unpacking-')),
      [],
    )
  } finally {
    process.env['PATH'] = path
  }
})

test('a standalone kustomize is preferred; what hands over to another program is asked at each start, others once', async () => {
  using directory = temporaryDirectory()
  const calls = join(directory.path, 'calls')
  const kustomize = program(directory.path, 'kustomize', `echo asked >> ${calls}; echo v5.8.1`)
  for (let start = 0; start < 2; start += 1) {
    const found = await findTools({ cacheDirectory: directory.path, helm, kustomize })
    const { program: _program, ...rest } = found.kustomize
    assert.deepEqual(rest, { command: [kustomize], version: 'v5.8.1', standalone: true })
  }
  assert.equal(readFileSync(calls, 'utf8'), 'asked\nasked\n')
  const known = Object.values(JSON.parse(readFileSync(join(directory.path, 'tool-versions.json'), 'utf8')))
  assert.deepEqual(known, [tools.helm.version, tools.helm.program?.sha256])
})

test('a Helm that does not report all of its version is used, and two builds of it differ', async () => {
  using directory = temporaryDirectory()
  const versions: string[] = []
  for (const build of ['one', 'two']) {
    const short = program(directory.path, 'helm', `# ${build}\necho v4.3`)
    versions.push((await findTools({ cacheDirectory: directory.path, helm: short, kubectl })).helm.version)
  }
  for (const version of versions) assert.match(version, /^v4\.3\+sha256\.[0-9a-f]{12}$/)
  assert.notEqual(versions[0], versions[1])
})

test('a program of PATH that is passed over is named with the reason', async () => {
  using directory = temporaryDirectory()
  program(directory.path, 'helm', 'echo v3.2.1')
  program(directory.path, 'kustomize', 'exit 1')
  const path = process.env['PATH']
  process.env['PATH'] = directory.path
  try {
    const { passedOver, ...found } = await findTools({ cacheDirectory: toolCache })
    assert.match(found.helm.version, /^v4\./)
    assert.deepEqual(passedOver, [
      `helm at ${directory.path}/helm has version v3.2.1; at least 3.14.0 is needed, so Wadi uses the helm that it brings`,
      `kustomize at ${directory.path}/kustomize does not report its version; at least 5.0.0 is needed, so Wadi uses the Kustomize of a kubectl`,
    ])
    program(directory.path, 'helm', 'echo v4.3')
    const [short] = (await findTools({ cacheDirectory: toolCache })).passedOver ?? []
    assert.match(
      short ?? '',
      /helm reports no more of its version than v4\.3, .*; set WADI_HELM to use it all the same$/,
    )
  } finally {
    process.env['PATH'] = path
  }
})

test('a program that failed once, for example on a machine that was too busy, is asked again', async () => {
  using directory = temporaryDirectory()
  const calm = join(directory.path, 'calm')
  const kustomize = program(directory.path, 'kustomize', `test -e ${calm} || kill -9 $$; echo v5.8.1`)
  const find = () => findTools({ cacheDirectory: directory.path, helm, kustomize })
  await assert.rejects(find(), /does not report its version/)
  writeFileSync(calm, '')
  assert.equal((await find()).kustomize.version, 'v5.8.1')
})

test('a given kubectl is used as kubectl kustomize', async () => {
  using directory = temporaryDirectory()
  const found = await findTools({ cacheDirectory: directory.path, helm, kubectl })
  assert.deepEqual(found.kustomize.command, [kubectl, 'kustomize'])
  assert.equal(found.kustomize.standalone, false)
})

test('a given tool that is too old or silent is refused by its path', async () => {
  using directory = temporaryDirectory()
  const old = program(directory.path, 'kustomize', 'echo v4.5.7')
  const silent = program(directory.path, 'helm', 'exit 1')
  await assert.rejects(
    findTools({ cacheDirectory: directory.path, helm, kustomize: old }),
    /v4\.5\.7; at least 5\.0\.0/,
  )
  await assert.rejects(findTools({ cacheDirectory: directory.path, helm: silent, kubectl }), {
    name: 'InvalidInputError',
    message: /does not report its version/,
  })
})

test(
  'other versions of Helm and Kustomize are used as they are',
  { skip: renderersMissing ?? false },
  async () => {
    using directory = temporaryDirectory()
    const { helm3, helm4, kustomize } = rendererFiles
    const first = await findTools({ cacheDirectory: directory.path, helm: helm3, kustomize })
    assert.deepEqual([first.helm.version, first.kustomize.version], ['v3.22.0', 'v5.8.3'])
    assert.equal(
      (await findTools({ cacheDirectory: directory.path, helm: helm4, kustomize })).helm.version,
      'v4.3.1',
    )
  },
)
