import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { SearchApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { Page, Route } from 'playwright-core'
import { passwordOf } from '../access/users-fixture.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

/** Stores three Applications of one directory whose names begin with a text. */
async function storeThree(prefix: string, project = 'default') {
  const { mesh } = await sharedConsole()
  const repository = await mesh.fixture.createRepository(prefix, { 'web/a.yaml': configMap('web', '1') })
  const names = ['one', 'two', 'three'].map((name) => `${prefix}-${name}`)
  const applications = names.map((name) =>
    applicationObject({
      name,
      project,
      repoURL: repository.url,
      path: 'web',
      branch: `environments/${prefix}`,
    }),
  )
  await mesh.admin.applications.applyApplications({ applications })
  return names
}

const bar = (page: Page) => page.getByRole('region', { name: 'Selected Applications' })
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') })

describe('the Applications that are selected in the list', { skip: noBrowser }, () => {
  it('are hydrated together, by keyboard', async () => {
    await storeThree('together')
    const { open } = await sharedConsole()
    await using console = await open('/applications?text=together-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select all' }).press('Space')
    await bar(page).getByText('3 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Hydrate hard', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Hydrate 3 Applications hard?' })
    await dialog.getByRole('button', { name: 'Hydrate hard' }).press('Enter')
    await dialog.getByText('3 Applications requested').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('are labelled, each with what changes, and found and grouped by their labels', async () => {
    const { mesh, open } = await sharedConsole()
    const names = await storeThree('labelled')
    await mesh.admin.applications.labelApplication({ name: names[0] ?? '', labels: { team: 'shop' } })
    await using console = await open('/applications?text=labelled-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select labelled-one' }).check()
    await page.getByRole('checkbox', { name: 'Select labelled-two' }).check()
    await bar(page).getByRole('button', { name: 'Label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Label 2 Applications' })
    const field = dialog.getByRole('combobox', { name: 'Labels to set' })
    await field.fill('x'.repeat(60_000))
    await field.press('Enter')
    await dialog.getByText(/is not a label such as team=shop/).waitFor()
    await field.press('Backspace')
    await field.fill('team=web')
    await field.press('Enter')
    await dialog.getByText('team=shop becomes web').waitFor()
    await dialog.getByText('team=web is new').waitFor()
    await dialog.getByRole('button', { name: 'Change labels' }).click()
    await dialog.getByText('2 Applications labelled').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'team', exact: true }).click()
    await page.getByRole('button', { name: /^team=web/ }).waitFor()
    await page.getByText(/^Without team/).waitFor()
    assert.match(decodeURIComponent(page.url()), /group=label:team/)
    await page.getByRole('button', { name: /^team=web/ }).click()
    await page.getByText('2 Applications', { exact: true }).waitFor()
    assert.match(decodeURIComponent(page.url()), /label=\["team=web"\]/)
    await page.reload()
    await page.getByText('2 Applications', { exact: true }).waitFor()
    await rows(page).first().waitFor()
    assert.deepEqual(await rows(page).getByRole('link').allTextContents(), ['labelled-one', 'labelled-two'])
    // A label that somebody else sets is offered without a reload.
    await page.getByText('Live', { exact: true }).waitFor()
    await mesh.admin.applications.labelApplication({ name: names[0] ?? '', labels: { owner: 'ann' } })
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'owner', exact: true }).waitFor()
  })

  it('are deleted after a question that names them; one that changed meanwhile stays and says so', async () => {
    const { mesh, open } = await sharedConsole()
    const names = await storeThree('deleted')
    await using console = await open('/applications?text=deleted-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 3 Applications?' })
    for (const name of names) await dialog.getByText(name, { exact: true }).waitFor()
    // The page does not hear of this.
    console.cut()
    await mesh.admin.applications.labelApplication({ name: names[1] ?? '', labels: { by: 'somebody' } })
    await page.route('**/WatchApplicationSummaries', (route) => route.abort())
    console.restore()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('2 Applications deleted, 1 not').waitFor()
    await dialog.getByText(/deleted-two was changed by somebody else/).waitFor()
    await mesh.admin.applications.getApplication({ name: names[1] ?? '' })
    await assert.rejects(mesh.admin.applications.getApplication({ name: names[0] ?? '' }), {
      code: Code.NotFound,
    })
    await page.unroute('**/WatchApplicationSummaries')
    await page.evaluate("dispatchEvent(new Event('online'))")
  })

  it('are deleted as the question showed them; one that is seen to change is deleted after another look', async () => {
    const { mesh, open } = await sharedConsole()
    const names = await storeThree('looked')
    await using console = await open('/applications?text=looked-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 3 Applications?' })
    await dialog.waitFor()
    await mesh.admin.applications.labelApplication({ name: names[1] ?? '', labels: { by: 'somebody' } })
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'looked-two' })
      .getByText('Changed meanwhile')
      .waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('2 Applications deleted, 1 not').waitFor()
    await dialog.getByText(/looked-two was changed by somebody else/).waitFor()
    await dialog.getByRole('button', { name: 'Look again' }).click()
    await dialog.getByText(/looked-two was changed by somebody else/).waitFor({ state: 'hidden' })
    await dialog.getByText('Changed meanwhile').waitFor({ state: 'hidden' })
    await dialog.getByRole('button', { name: 'Try the other 1' }).click()
    await dialog.getByText('3 Applications deleted', { exact: true }).waitFor()
  })

  it('are moved to another branch, each with what changes; a branch that git does not take is refused', async () => {
    const { mesh, open } = await sharedConsole()
    const names = await storeThree('moved')
    await using console = await open('/applications?text=moved-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select moved-one' }).check()
    await page.getByRole('checkbox', { name: 'Select moved-two' }).check()
    await bar(page).getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move 2 Applications to another branch' })
    const button = dialog.getByRole('button', { name: 'Move', exact: true })
    assert.equal(await button.isDisabled(), true)
    await dialog.getByRole('combobox', { name: 'Branch that is deployed' }).fill('environments/next..')
    await button.click()
    await dialog.getByText('0 Applications moved, 2 not').waitFor()
    await dialog
      .getByText(/syncSource\.targetBranch: .* is not a branch name/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await bar(page).getByRole('button', { name: 'Move' }).click()
    await dialog.getByRole('combobox', { name: 'Branch that is deployed' }).fill('environments/next')
    await dialog.getByText('environments/moved becomes environments/next').last().waitFor()
    await button.click()
    await dialog.getByText('2 Applications moved', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('row').filter({ hasText: 'moved-one' }).getByText('environments/next').waitFor()
    const { application } = await mesh.admin.applications.getApplication({ name: names[2] ?? '' })
    assert.match(JSON.stringify(application), /environments\/moved/)
  })

  it('are those of the list that is shown: an answer for the list before chooses nothing', async () => {
    await storeThree('listed')
    const { open } = await sharedConsole()
    await using console = await open('/applications?text=listed-', { user: 'admin' })
    const { page } = console
    await rows(page).nth(2).waitFor()
    const [all, next] = [Promise.withResolvers<Route>(), Promise.withResolvers<Route>()]
    await page.route('**/SearchApplications', async (route) => {
      const request = fromBinary(
        SearchApplicationsRequestSchema,
        route.request().postDataBuffer() ?? new Uint8Array(),
      )
      if (request.limit === 500) all.resolve(route)
      else if (request.filter?.text === 'listed-t') next.resolve(route)
      else await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    const answerOfAll = await all.promise
    await page.getByRole('textbox', { name: 'Name, repository or path' }).fill('listed-t')
    const answerOfNext = await next.promise
    assert.equal(await page.getByRole('checkbox', { name: 'Select listed-two' }).count(), 0)
    await answerOfNext.continue()
    await page.getByText('2 Applications', { exact: true }).waitFor()
    const answered = page.waitForResponse('**/SearchApplications')
    await answerOfAll.continue()
    await (await answered).finished()
    await page.getByRole('checkbox', { name: 'Select listed-two' }).check()
    await bar(page).getByText('1 selected').waitFor()
  })

  it('wait for who signs in again when the session ends, and are then hydrated', async () => {
    await storeThree('waiting')
    const { open } = await sharedConsole()
    await using console = await open('/applications?text=waiting-', { user: 'admin' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select waiting-one' }).check()
    await bar(page).getByRole('button', { name: 'Hydrate', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Hydrate 1 Application?' })
    await page.context().clearCookies()
    // The list below may meet the end of the session first, and then the question to sign in lies above the button.
    await dialog.getByRole('button', { name: 'Hydrate' }).dispatchEvent('click')
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password', { exact: true }).fill(passwordOf('admin'))
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.waitFor({ state: 'hidden' })
    await dialog.getByText('0 Applications requested, 1 not').waitFor()
    await dialog.getByRole('button', { name: 'Try the other 1' }).click()
    await dialog.getByText('1 Application requested', { exact: true }).waitFor()
  })

  it('are offered nothing that the policy denies', async () => {
    const { mesh, open } = await sharedConsole()
    await storeThree('api-selected', 'api')
    await mesh.applyPolicy('p, bob, applications, delete, api/*, deny')
    await using console = await open('/applications?text=api-selected-', { user: 'bob' })
    const { page } = console
    await page.getByRole('checkbox', { name: 'Select api-selected-one' }).check()
    await bar(page).getByRole('button', { name: 'Label' }).waitFor()
    assert.equal(await bar(page).getByRole('button', { name: 'Delete' }).count(), 0)
    await mesh.applyPolicy()
    for (const name of ['one', 'two', 'three'])
      await mesh.admin.applications.deleteApplication({ name: `api-selected-${name}` })
  })
})
