import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('text that somebody else wrote', { skip: noBrowser }, () => {
  it('neither reorders the words of the page nor fills it', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('hostile', { 'web/a.yaml': configMap('web', '1') })
    const branch = 'environments/hostile'
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'hostile',
      path: 'web',
      repoURL: repository.url,
      branch,
    })
    const before = await repository.head(branch)
    const subject = `Raise \u202E${'very '.repeat(600)}high`
    await repository.push({ 'web/a.yaml': configMap('web', '2') }, subject, {
      author: { name: 'Eve \u202Enimda', email: 'eve@example.com' },
    })
    await mesh.admin.applications.hydrateApplication({ name: 'hostile' })
    await repository.waitForHead(branch, (head) => head !== before)
    for (const width of [1440, 390]) {
      await using console = await open('/applications/argocd/hostile?tab=history', { user: 'admin', width })
      const { page } = console
      const message = page.getByRole('link', { name: /Raise \[U\+202E\]very/ })
      await message.waitFor()
      const box = await message.boundingBox()
      assert.ok(box && box.height < 60 && box.x + box.width <= width)
      const text = await page.locator('main').innerText()
      assert.doesNotMatch(text, /\u202E/)
      await message.click()
      await page.getByText(/, by/).waitFor()
      const line = await page.getByText(/, by/).first().boundingBox()
      assert.ok(line && line.height < 80)
      const isWider = 'document.documentElement.scrollWidth > innerWidth'
      assert.equal(await page.evaluate(isWider), false)
      await visit(page, `/environments?${new URLSearchParams({ repository: repository.url }).toString()}`)
      const lane = page.getByRole('button', { name: /Raise \[U\+202E\]very/ })
      await lane.waitFor()
      const { height = 0 } = (await lane.boundingBox()) ?? {}
      assert.ok(height > 0 && height < 100)
      assert.doesNotMatch(await page.locator('main').innerText(), /\u202E/)
      assert.equal(await page.evaluate(isWider), false)
    }
  })
})
