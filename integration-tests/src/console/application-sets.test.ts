import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Locator } from 'playwright-core'
import { applicationObject, configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { beginToEdit, typedText } from './editor-fixture.ts'

/** Types another text in place of an editor's, as a person does. */
async function retype(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a')
  await editor.press('Delete')
  await editor.page().keyboard.insertText(text)
}

describe('the page of an ApplicationSet', { skip: noBrowser }, () => {
  it('says which element of a generator each Application comes from', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('set-elements', {
      'north/a.yaml': configMap('north', '1'),
      'south/a.yaml': configMap('south', '1'),
    })
    const application = applicationObject({
      name: 'set-{{name}}',
      repoURL: repository.url,
      path: '{{name}}',
      branch: 'environments/set-elements',
    })
    await mesh.admin.resources.applyResource({
      resource: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: { name: 'elements' },
        spec: {
          generators: [{ list: { elements: [{ name: 'north' }, { name: 'south', tier: 'gold' }] } }],
          template: { metadata: { name: 'set-{{name}}' }, spec: application['spec'] ?? {} },
        },
      },
    })
    await using console = await open('/application-sets/argocd/elements', { user: 'admin' })
    const { page } = console
    await page.getByRole('heading', { name: '2 Applications generated now' }).waitFor()
    const south = page.getByRole('row').filter({ hasText: 'set-south' })
    await south.getByText('spec.generators[0].list.elements[1]').waitFor()
    await south.getByText('tier: gold').waitFor()
    await page.getByRole('link', { name: 'set-south' }).click()
    await page.getByRole('heading', { level: 1, name: 'set-south' }).waitFor()
  })

  it('is edited as YAML, previewed with what each Application comes from, and follows the server', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('set-edited', {
      'one/a.yaml': configMap('one', '1'),
      'two/a.yaml': configMap('two', '1'),
    })
    const application = applicationObject({
      name: 'edited-{{name}}',
      repoURL: repository.url,
      path: '{{name}}',
      branch: 'environments/set-edited',
    })
    const set = (elements: { name: string }[]) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'edited' },
      spec: {
        generators: [{ list: { elements } }],
        template: { metadata: { name: 'edited-{{name}}' }, spec: application['spec'] ?? {} },
      },
    })
    await mesh.admin.resources.applyResource({ resource: set([{ name: 'one' }]) })
    await using console = await open('/application-sets/argocd/edited', { user: 'admin' })
    const { page } = console
    const editor = page.getByRole('textbox', { name: 'ApplicationSet' })
    await beginToEdit(editor)
    const typed = (await typedText(editor)).replace(/^( *)- name: one$/m, '$1- name: one\n$1- name: two')
    await retype(editor, 'spec: [')
    await page.getByText(/^Line \d: /).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Preview' }).isDisabled())
    await retype(editor, typed)
    await page.getByRole('button', { name: 'Preview' }).click()
    const plan = page.getByRole('status').filter({ hasText: 'This would be: 1 unchanged, 1 created' })
    const created = plan.getByRole('row').filter({ hasText: 'edited-two' })
    await created.getByText('spec.generators[0].list.elements[1]').waitFor()
    await created.getByText('name: two').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('heading', { name: '2 Applications generated now' }).waitFor()
    // Somebody else changes it, first while nobody types, then while somebody does.
    await mesh.admin.resources.applyResource({ resource: set([{ name: 'two' }]) })
    await page.getByRole('heading', { name: '1 Application generated now' }).waitFor()
    await editor.pressSequentially('# mine')
    await mesh.admin.resources.applyResource({ resource: set([{ name: 'one' }]) })
    await page.getByText('Somebody else has changed the ApplicationSet').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Apply' }).isDisabled())
    await page.getByRole('button', { name: 'Keep my text' }).click()
    assert.match(await typedText(editor), /# mine/)
    await mesh.admin.resources.applyResource({ resource: set([{ name: 'one' }, { name: 'two' }]) })
    await page.getByText('Somebody else has changed the ApplicationSet').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('Somebody else has changed the ApplicationSet').waitFor({ state: 'hidden' })
    assert.doesNotMatch(await typedText(editor), /# mine/)
  })

  it('names what it deletes and asks, and applies nothing but what was shown', async () => {
    const { mesh, open } = await sharedConsole()
    const files = { 'one/a.yaml': configMap('one', '1'), 'two/a.yaml': configMap('two', '1') }
    const repository = await mesh.fixture.createRepository('set-deletes', files)
    const { url: repoURL } = repository
    const branch = 'environments/{{path.basename}}'
    const { spec = {} } = applicationObject({ name: 'gone', repoURL, path: '{{path}}', branch })
    const directories = [{ path: '*' }]
    const resource = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'deletes' },
      spec: {
        generators: [{ git: { repoURL, revision: 'main', directories } }],
        template: { metadata: { name: 'gone-{{path.basename}}' }, spec },
      },
    }
    await mesh.admin.resources.applyResource({ resource })
    const names = async () =>
      (await mesh.admin.applications.listApplications({})).applications
        .map(({ metadata }) => textAt(objectAt({ metadata }, 'metadata'), 'name'))
        .filter((name) => name.startsWith('gone-'))
    assert.deepEqual(await names(), ['gone-one', 'gone-two'])
    await using console = await open('/application-sets/argocd/deletes', { user: 'admin' })
    const { page } = console
    const editor = page.getByRole('textbox', { name: 'ApplicationSet' })
    await beginToEdit(editor)
    const excluding = '$1- path: "*"\n$1- path: two\n$1  exclude: true'
    await retype(editor, (await typedText(editor)).replace(/^( *)- path: .*$/m, excluding))
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('status').filter({ hasText: '1 deleted' }).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 1 Application?' })
    await question.getByText('gone-two').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(await names(), ['gone-one', 'gone-two'])
    await repository.push({ 'three/a.yaml': configMap('three', '1') })
    await page.getByRole('button', { name: 'Apply' }).click()
    await question.getByRole('button', { name: 'Apply and delete' }).click()
    await page
      .getByText(/is not what was reviewed: now it would create gone-three; delete gone-two/)
      .waitFor()
    assert.deepEqual(await names(), ['gone-one', 'gone-two'])
    await page.getByRole('status').filter({ hasText: '1 created' }).waitFor()
    assert.match(await typedText(editor), /exclude: true/)
    await page.getByRole('button', { name: 'Apply' }).click()
    await question.getByRole('button', { name: 'Apply and delete' }).click()
    await page.getByText(/^Applied: .*1 deleted/).waitFor()
    assert.deepEqual(await names(), ['gone-one', 'gone-three'])
  })

  it('is made in the console, after a preview, by those who may', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('web-set-made', {
      'one/a.yaml': configMap('one', '1'),
      'two/a.yaml': configMap('two', '1'),
    })
    const { spec = {} } = applicationObject({
      name: 'made-{{name}}',
      repoURL: repository.url,
      path: '{{name}}',
      branch: 'environments/set-made',
    })
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'made' },
      spec: {
        generators: [{ list: { elements: [{ name: 'one' }, { name: 'two' }] } }],
        template: { metadata: { name: 'made-{{name}}' }, spec },
      },
    }
    await using console = await open('/application-sets', { user: 'admin' })
    const { page } = console
    await page.getByRole('link', { name: 'New ApplicationSet' }).click()
    const create = page.getByRole('button', { name: 'Create' })
    assert.ok(await create.isDisabled())
    await retype(page.getByRole('textbox', { name: 'ApplicationSet' }), JSON.stringify(set))
    await page.getByRole('button', { name: 'Preview' }).click()
    const plan = page.getByRole('status').filter({ hasText: 'This would be: 2 created' })
    await plan.getByRole('row').filter({ hasText: 'made-two' }).waitFor()
    await create.click()
    await page.getByRole('heading', { level: 1, name: 'made', exact: true }).waitFor()
    await page.getByRole('heading', { name: '2 Applications generated now' }).waitFor()
  })

  it('is not made under a name that is taken, which leads to the set that has it', async () => {
    const { mesh, open } = await sharedConsole()
    const set = (names: string[]) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'taken' },
      spec: {
        generators: [{ list: { elements: names.map((name) => ({ name })) } }],
        template: { metadata: { name: '{{name}}' }, spec: { project: 'default', destination: {} } },
      },
    })
    await mesh.admin.resources.applyResource({ resource: set([]) })
    await using console = await open('/application-sets/new', { user: 'admin' })
    const { page } = console
    await retype(page.getByRole('textbox', { name: 'ApplicationSet' }), JSON.stringify(set(['other'])))
    await page.getByRole('button', { name: 'Preview' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'There is an ApplicationSet taken already' })
    await alert.getByRole('link', { name: 'Open taken' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'taken', exact: true }).waitFor()
    await page.goto(new URL('/application-sets/argocd/none', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'none', exact: true }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'none cannot be shown' }).waitFor()
  })

  it('is listed as the server reports it', async () => {
    const { mesh, open } = await sharedConsole()
    await using console = await open('/application-sets', { user: 'admin' })
    const { page } = console
    const resource = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'listed' },
      spec: {
        generators: [{ list: { elements: [] } }],
        template: { metadata: { name: '{{name}}' }, spec: { project: 'default', destination: {} } },
      },
    }
    await page.getByText('Live', { exact: true }).waitFor()
    await mesh.admin.resources.applyResource({ resource })
    await page.getByRole('link', { name: 'listed' }).waitFor()
    await page.getByRole('textbox', { name: 'Name or project' }).fill('nothing-like-it')
    await page.getByText('No ApplicationSet matches').waitFor()
    await page.waitForURL(/text=nothing-like-it/)
    await page.goto(new URL('/application-sets?text=LIST', page.url()).href)
    await page.getByRole('link', { name: 'listed' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await mesh.admin.applicationSets.deleteApplicationSet({ name: 'listed' })
    await page.getByRole('link', { name: 'listed' }).waitFor({ state: 'hidden' })
  })

  it('is copied, and deleted as it was shown, with the Applications that the question named', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('set-deleted', {
      'one/a.yaml': configMap('one', '1'),
    })
    const { url: repoURL } = repository
    const branch = 'environments/{{path.basename}}-dropped'
    const { spec = {} } = applicationObject({ name: 'dropped', repoURL, path: '{{path}}', branch })
    const set = (labels: Record<string, string>) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'dropped', labels },
      spec: {
        generators: [{ git: { repoURL, revision: 'main', directories: [{ path: '*' }] } }],
        template: { metadata: { name: 'dropped-{{path.basename}}' }, spec },
      },
    })
    await mesh.admin.resources.applyResource({ resource: set({}) })
    await using console = await open('/application-sets/argocd/dropped', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.getByText(/^A copy of dropped:/).waitFor()
    assert.match(
      await page.getByRole('textbox', { name: 'ApplicationSet' }).inputValue(),
      /name: dropped-copy/,
    )
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: 'Delete dropped?' })
    const ask = async () => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    }
    await ask()
    await dialog.getByText('dropped-one', { exact: true }).waitFor()
    // Another one that the question did not name keeps all of them.
    await repository.push({ 'two/a.yaml': configMap('two', '1') })
    await mesh.admin.applicationSets.refreshApplicationSet({ name: 'dropped' })
    await dialog.getByRole('button', { name: 'Delete it and 1 Application' }).click()
    await dialog.getByText('dropped is not deleted').waitFor()
    await dialog.getByText('dropped-two', { exact: true }).waitFor()
    // So does another set than the one that was shown, also when the page below shows that by now.
    await mesh.admin.resources.applyResource({ resource: set({ by: 'somebody' }) })
    await page.getByText('by: somebody').waitFor()
    await dialog.getByRole('button', { name: 'Delete it and 2 Applications' }).click()
    await dialog.getByText(/was changed by somebody else and is not what you saw/).waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Delete', exact: false }).isDisabled())
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await ask()
    await dialog.getByRole('button', { name: 'Delete it and 2 Applications' }).click()
    await page.getByRole('heading', { level: 1, name: 'ApplicationSets' }).waitFor()
    const { applicationSets } = await mesh.admin.applicationSets.listApplicationSets({})
    assert.ok(!applicationSets.some((one) => textAt(one, 'metadata', 'name') === 'dropped'))
    const { applications } = await mesh.admin.applications.listApplications({})
    assert.ok(!applications.some((one) => textAt(one, 'metadata', 'name').startsWith('dropped-')))
  })
})
