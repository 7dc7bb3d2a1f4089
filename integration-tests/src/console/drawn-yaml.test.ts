import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { typedText } from './editor-fixture.ts'

/** The scripts of CodeMirror. */
const codeScripts = /\/assets\/code-[\w-]+\.js$/

/** Returns the scripts of CodeMirror that a page has loaded since it was opened. */
async function loadedCode(page: Page): Promise<string[]> {
  const names = `performance.getEntriesByType('resource').map(({ name }) => name)`
  return (await page.evaluate<string[]>(names)).filter((name) => codeScripts.test(name))
}

describe('YAML to read', { skip: noBrowser }, () => {
  it('is drawn with its numbers, and copied as it is, without CodeMirror', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('drawn', {
      'drawn/a.yaml': `${configMap('drawn', '1')}  hidden: a\u200Bb\n  lines: |\n    one\n\n\n    two\n`,
    })
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'drawn',
      repoURL: repository.url,
      branch: 'environments/drawn',
    })
    const { manifest } = await mesh.admin.applications.getManifests({ name: 'drawn' })
    await using console = await open('/applications/argocd/drawn?tab=objects&view=yaml', { user: 'admin' })
    const { page } = console
    await page.reload()
    const shown = page.getByRole('group', { name: 'Manifests' })
    await shown.locator('[data-code="[U+200B]"]').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await shown.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+c')
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    await page.context().clearPermissions()
    assert.equal(copied.trimEnd(), manifest.trimEnd())
    assert.deepEqual(await loadedCode(page), [])
  })

  it('is drawn as far as it is in sight if it is long', async () => {
    const { mesh, open } = await sharedConsole()
    const many = Array.from({ length: 300 }, (_, index) => configMap(`long-${index}`, 'x'.repeat(300)))
    const repository = await mesh.fixture.createRepository('drawn-long', {
      'drawn-long/a.yaml': many.join('---\n'),
    })
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'drawn-long',
      repoURL: repository.url,
      branch: 'environments/drawn-long',
    })
    await using console = await open('/applications/argocd/drawn-long?tab=objects&view=yaml', {
      user: 'admin',
    })
    const { page } = console
    await page.locator('.cm-line').first().waitFor()
    assert.ok((await page.locator('.cm-line').count()) < 300)
  })

  it('is compared line by line, with what is the same folded', async () => {
    const { mesh, open } = await sharedConsole()
    const keys = Array.from({ length: 30 }, (_, index) => `  k${index + 10}: v\n`).join('')
    const text = (changed: string) => `${configMap('folded', changed)}${keys}`
    const repository = await mesh.fixture.createRepository('folded', { 'folded/a.yaml': text('1') })
    const branch = 'environments/folded'
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'folded',
      repoURL: repository.url,
      branch,
    })
    const first = await repository.head(branch)
    await repository.push({ 'folded/a.yaml': text('2') })
    await mesh.fixture.hydrate('folded')
    await repository.waitForHead(branch, (head) => head !== first)
    await using console = await open(`/applications/argocd/folded?tab=compare&from=${first}`, {
      user: 'admin',
    })
    const { page } = console
    await page.reload()
    const [before, after] = ['before', 'after'].map((side) =>
      page.getByRole('group', { name: `ConfigMap folded ${side}` }),
    )
    assert.ok(before && after)
    await before.getByText('"1"').waitFor()
    const [one, other] = await Promise.all([
      before.getByText('"1"').boundingBox(),
      after.getByText('"2"').boundingBox(),
    ])
    assert.equal(one?.y, other?.y)
    assert.equal(await after.getByText('k10').count(), 0)
    const fold = before.getByRole('button', { name: /^\d+ unchanged lines$/ })
    await fold.press('Enter')
    await after.getByText('k10').waitFor()
    await before.and(page.locator(':focus')).waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    const both = page.getByRole('group', { name: 'ConfigMap folded before, then ConfigMap folded after' })
    assert.match(await both.innerText(), /value: "1"\s+value: "2"/)
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(await loadedCode(page), [])
  })
})

describe('YAML to write', { skip: noBrowser }, () => {
  it('is written at once, and by CodeMirror as soon as that is there', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('written')
    await using console = await open('/applications/argocd/written?tab=object', { user: 'admin' })
    const { page } = console
    const held = Promise.withResolvers<void>()
    await page.route(codeScripts, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    const editor = page.getByRole('textbox', { name: 'Application' })
    await editor.waitFor()
    assert.deepEqual(await loadedCode(page), [])
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('  revisionHistoryLimitt: 3')
    const finding = page.getByRole('button', { name: /^Line \d+: unknown field/ })
    await finding.press('Enter')
    const selected = `document.activeElement.value.slice(document.activeElement.selectionStart)`
    assert.equal(await page.evaluate(selected), '  revisionHistoryLimitt: 3')
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+ArrowLeft')
    const [shown, below] = [
      page.getByText('sourceHydrator:').first(),
      page.getByRole('button', { name: 'Review' }),
    ]
    const places = () => Promise.all([shown, below].map((place) => place.boundingBox().then((box) => box?.y)))
    const before = await places()
    held.resolve()
    await page.locator('.cm-content').waitFor()
    assert.deepEqual(await places(), before)
    await page.keyboard.type('4')
    assert.match(await typedText(editor), /revisionHistoryLimitt: 4$/)
    await page.locator('.cm-wrongLine').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await page.keyboard.press('ControlOrMeta+z')
    assert.doesNotMatch(await typedText(editor), /revisionHistoryLimitt/)
    await page.unrouteAll()
  })
})
