import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { applicationObject } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the projects', { skip: noBrowser }, () => {
  it('are made, changed with the Applications that they would refuse, and never over what somebody else stored', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('in-project', { 'web/greeting.txt': 'hello' })
    await using console = await open('/settings?tab=projects', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'New project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('team')
    await dialog.getByRole('textbox', { name: 'Repositories' }).fill('*')
    await dialog.getByRole('button', { name: 'Add a destination' }).click()
    await dialog.getByRole('textbox', { name: 'Server of destination 1' }).fill('*')
    await dialog.getByRole('textbox', { name: 'Namespace of destination 1' }).fill('*')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByText('It refuses no Application that it permits now, of 0 members').waitFor()
    await dialog.getByRole('button', { name: 'Store' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const application = applicationObject({
      name: 'in-project',
      repoURL: repository.url,
      path: 'web',
      branch: 'environments/in-project',
    })
    const spec = { ...objectAt(application, 'spec'), project: 'team' }
    await mesh.admin.applications.createApplication({ application: { ...application, spec } })
    await page.getByRole('button', { name: 'Actions of project team' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByRole('textbox', { name: 'Repositories' }).fill('https://git.example.com/other.git')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByText('It would refuse 1 Application that it permits now').waitFor()
    await dialog.getByText(/^in-project: application repo .* is not permitted in project 'team'$/).waitFor()
    // Somebody else was faster: nothing is stored, and what was typed stays.
    const { project = {} } = await mesh.admin.projects.getProject({ name: 'team' })
    const described = { ...project, spec: { ...objectAt(project, 'spec'), description: 'Theirs' } }
    await mesh.admin.projects.updateProject({ project: described })
    await dialog.getByRole('button', { name: 'Store' }).click()
    await dialog.getByText('Somebody else has changed the project since you began').waitFor()
    assert.equal(
      await dialog.getByRole('textbox', { name: 'Repositories' }).inputValue(),
      'https://git.example.com/other.git',
    )
    const after = await mesh.admin.projects.getProject({ name: 'team' })
    assert.deepEqual(listAt(after.project ?? {}, 'spec', 'sourceRepos'), ['*'])
    await dialog.getByRole('button', { name: 'Keep my text, which replaces that' }).click()
    await dialog.getByText('Somebody else has changed the project').waitFor({ state: 'hidden' })
    assert.equal(await dialog.getByRole('button', { name: 'Store' }).count(), 0)
    const again = { ...described, spec: { ...objectAt(project, 'spec'), description: 'Theirs again' } }
    await mesh.admin.projects.updateProject({ project: { ...again, metadata: { name: 'team' } } })
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Store' }).click()
    await dialog.getByRole('button', { name: 'Start over from the stored one' }).click()
    assert.equal(await dialog.getByRole('textbox', { name: 'Description' }).inputValue(), 'Theirs again')
    await dialog.getByText('YAML', { exact: true }).click()
    const editor = dialog.getByRole('textbox', { name: 'AppProject' })
    assert.match(await editor.inputValue(), /description: Theirs again/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('are copied, and deleted once nothing belongs to them', async () => {
    const { mesh, open } = await sharedConsole()
    const roles = [{ name: 'ci', policies: ['p, proj:crew:ci, applications, get, crew/*, allow'] }]
    const project = {
      metadata: { name: 'crew' },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], roles },
    }
    await mesh.admin.projects.createProject({ project })
    const repository = await mesh.fixture.createRepository('in-crew', { 'web/greeting.txt': 'hello' })
    const application = applicationObject({
      name: 'in-crew',
      repoURL: repository.url,
      path: 'web',
      branch: 'environments/in-crew',
    })
    const spec = { ...objectAt(application, 'spec'), project: 'crew' }
    await mesh.admin.applications.createApplication({ application: { ...application, spec } })
    await using console = await open('/settings?tab=projects', { user: 'admin' })
    const { page } = console
    // The tab may have the list of before.
    await page.reload()
    const choose = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions of project ${name}`, exact: true }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const dialog = page.getByRole('dialog')
    await choose('crew', 'Copy')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Store' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { project: copy = {} } = await mesh.admin.projects.getProject({ name: 'crew-copy' })
    assert.match(JSON.stringify(copy), /proj:crew-copy:ci, applications, get, crew-copy/)
    await choose('crew', 'Delete')
    await dialog.getByText('1 Application belongs to it; move or delete it first.').waitFor()
    await dialog.getByText('in-crew', { exact: true }).waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled())
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await choose('crew-copy', 'Delete')
    await dialog.getByText(/^No Application belongs to it/).waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { projects } = await mesh.admin.projects.listProjects({})
    assert.ok(!projects.some((one) => textAt(one, 'metadata', 'name') === 'crew-copy'))
  })

  it('keep what is typed about them when somebody else deletes them', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.admin.projects.createProject({ project: { metadata: { name: 'gone' }, spec: {} } })
    await using console = await open('/settings?tab=projects', { user: 'admin' })
    const { page } = console
    await page.reload()
    await page.getByRole('button', { name: 'Actions of project gone' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    const description = dialog.getByRole('textbox', { name: 'Description' })
    await description.fill('Typed')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await mesh.admin.projects.deleteProject({ name: 'gone' })
    await dialog.getByRole('button', { name: 'Store' }).click()
    await page.getByRole('button', { name: 'Actions of project gone', includeHidden: true }).waitFor({
      state: 'detached',
    })
    await dialog.getByText('Nothing is stored').waitFor()
    assert.equal(await description.inputValue(), 'Typed')
  })
})
