import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Code } from '@connectrpc/connect'
import { valueAt } from '@wadi/fields/json-fields.ts'
import type { Page } from 'playwright-core'
import { applicationObject, configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

/** Stores an Application of a directory of its own. */
async function store(name: string) {
  const { mesh } = await sharedConsole()
  const repository = await mesh.fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
  const branch = `environments/${name}`
  await mesh.fixture.applyAndWait(await repository.dry.head(), { name, repoURL: repository.url, branch })
  return { repository, branch }
}

/** Types at the end of the editor's text. */
async function typeAtEnd(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Application' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

async function stored(name: string) {
  const { mesh } = await sharedConsole()
  const { application } = await mesh.admin.applications.getApplication({ name })
  return application
}

describe('the YAML of an Application', { skip: noBrowser }, () => {
  it('is changed after a review; a change of somebody else is shown, and what was typed stays', async () => {
    const { mesh, open } = await sharedConsole()
    await store('edited')
    await using console = await open('/applications/argocd/edited?tab=object', { user: 'admin' })
    const { page } = console
    // The spec is the last part of the text.
    await typeAtEnd(page, '}')
    await page.getByText(/^Line \d+: /).waitFor()
    await page.keyboard.press('Backspace')
    await typeAtEnd(page, '  revisionHistoryLimit: 3')
    await mesh.admin.applications.labelApplication({ name: 'edited', labels: { by: 'somebody' } })
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody else has changed the Application' })
    await alert.getByText('by: somebody').first().waitFor()
    assert.ok(await page.getByRole('button', { name: 'Review' }).isDisabled())
    await alert.getByRole('button', { name: /^Keep my text/ }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the Application' })
    await dialog.getByText('revisionHistoryLimit').first().waitFor()
    await dialog.getByRole('button', { name: 'Store and hydrate' }).click()
    await page.getByText('The Application is stored.').waitFor()
    const application = await stored('edited')
    assert.equal(valueAt(application, 'spec', 'revisionHistoryLimit'), 3)
    assert.equal(
      valueAt(application, 'metadata', 'labels'),
      undefined,
      'the text replaces what somebody else wrote',
    )
  })

  it('is only to read for who may not change it', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('api-read', { 'r/a.yaml': configMap('r', '1') })
    const application = applicationObject({
      name: 'api-read',
      project: 'api',
      repoURL: repository.url,
      path: 'r',
      branch: 'environments/read',
    })
    await mesh.admin.applications.createApplication({ application })
    await mesh.applyPolicy(
      'p, bob, applications, update, api/*, deny',
      'p, bob, applications, delete, api/*, deny',
    )
    await using console = await open('/applications/argocd/api-read?tab=object', { user: 'bob' })
    const { page } = console
    await page.getByRole('group', { name: 'Application', exact: true }).getByText('targetBranch').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Review' }).count(), 0)
    await page.getByRole('button', { name: 'More actions' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Copy'])
    await mesh.applyPolicy()
    await mesh.admin.applications.deleteApplication({ name: 'api-read' })
  })
})

describe('the menu of an Application', { skip: noBrowser }, () => {
  it('copies it, with a name and a directory of its own', async () => {
    const { open } = await sharedConsole()
    const { repository, branch } = await store('copied')
    await using console = await open('/applications/argocd/copied', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Copy' }).press('Enter')
    await page.getByText('name: copied-copy').waitFor()
    const head = await repository.head(branch)
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByRole('heading', { level: 1, name: 'copied-copy' }).waitFor()
    await repository.waitForHead(branch, (now) => now !== head)
  })

  it('deletes it after a question that says what goes', async () => {
    const { mesh, open } = await sharedConsole()
    const { branch } = await store('dropped')
    await using console = await open('/applications/argocd/dropped', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete dropped?' })
    await dialog.getByText(branch).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
    await assert.rejects(mesh.admin.applications.getApplication({ name: 'dropped' }), { code: Code.NotFound })
  })
})
