import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { RenderFixture, testSource, testTools } from '../render-fixture.ts'
import { CurrentTools } from '@wadi/renderer-tools/current-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { withSameTools } from '@wadi/renderer-tools/same-tools.ts'

const bundled = await testTools()
const [bundledHelm = ''] = bundled.helm.command
const [kubectl = ''] = bundled.kustomize.command
const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Capabilities.HelmVersion.Version }}"}\n',
}

/** A scratch with a helm in it that can be changed. */
function changingHelm() {
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'wadi-current-')))
  const helm = path.join(scratch, 'helm')
  const replace = (put: (file: string) => void): void => {
    put(`${helm}.new`)
    renameSync(`${helm}.new`, helm)
  }
  return {
    helm,
    /** As a package manager does. */
    link: (target: string) => replace((file) => symlinkSync(target, file)),
    script: (text: string) => replace((file) => writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })),
    remove: () => rmSync(helm),
    options: { cacheDirectory: toolCache, helm, kubectl },
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

test('a program that was replaced is found again, one that is gone is a temporary error that names it', async () => {
  using changing = changingHelm()
  changing.script('echo v3.15.0')
  const current = await CurrentTools.open(changing.options)
  assert.equal((await current.now()).helm.version, 'v3.15.0')
  assert.equal(await current.now(), await current.now())
  changing.script('echo v3.16.0')
  current.doubt()
  assert.equal((await current.now()).helm.version, 'v3.16.0')
  changing.remove()
  current.doubt()
  for (let tries = 0; tries < 2; tries += 1) {
    await assert.rejects(current.now(), {
      name: 'UnavailableError',
      message: /helm at \S+\/helm does not report its version; .*it is tried again$/,
    })
  }
  changing.script('echo v3.17.0')
  assert.equal((await current.now()).helm.version, 'v3.17.0')
})

const skip = renderersMissing ?? false

test('a chart is never recorded with the version of a Helm that did not render it', { skip }, async () => {
  using changing = changingHelm()
  const targets = [bundledHelm, rendererFiles.helm4, rendererFiles.helm3]
  const ways = {
    link: changing.link,
    script: (target: string) => changing.script(`exec ${target} "$@"`),
  }
  for (const put of Object.values(ways)) {
    put(bundledHelm)
    for (const target of targets) {
      const found = await findTools(changing.options)
      await using fixture = new RenderFixture(found, chart)
      assert.match((await fixture.render(testSource(''))).manifests.join(), RegExp(found.helm.version))
      put(target)
      const isOther = (await findTools(changing.options)).helm.version !== found.helm.version
      if (isOther) await assert.rejects(fixture.render(testSource('')), UnavailableError)
    }
  }
})

test('what a script hands over to may change although the script does not', { skip }, async () => {
  using changing = changingHelm()
  const target = path.join(path.dirname(changing.helm), 'target')
  symlinkSync(bundledHelm, target)
  changing.script(`exec ${target} "$@"`)
  const current = await CurrentTools.open(changing.options)
  await using fixture = new RenderFixture(await current.now(), chart)
  await fixture.render(testSource(''))
  rmSync(target)
  symlinkSync(rendererFiles.helm4, target)
  await assert.rejects(fixture.render(testSource('')), {
    name: 'UnavailableError',
    message: /\/helm runs v4\.3\.1 and not v4\.\d\.\d as when it was found; it is tried again/,
  })
  current.doubt()
  assert.equal((await current.now()).helm.version, 'v4.3.1')
})

test('a program that is replaced while it renders spoils the render, whatever came of it', async () => {
  using changing = changingHelm()
  changing.script('echo v3.15.0')
  const { helm } = await findTools(changing.options)
  const upgrade = async (): Promise<string> => {
    changing.script('echo v3.16.0')
    return 'rendered'
  }
  const ask = async () => ({ output: Buffer.from('v3.15.0') })
  await assert.rejects(withSameTools([helm], ask, upgrade), /helm at \S+ was replaced, as an upgrade does/)
  const failing = withSameTools([(await findTools(changing.options)).helm], ask, async () => {
    changing.remove()
    throw new Error('no such file')
  })
  await assert.rejects(failing, UnavailableError)
})
