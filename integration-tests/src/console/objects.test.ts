import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const secret = `apiVersion: v1
kind: Secret
metadata: {name: token, namespace: shop}
stringData: {token: hunter2}
`
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3}
`

describe('objects of an Application', { skip: noBrowser }, () => {
  it('are listed by kind, narrowed by the address, and shown one by one without values of Secrets', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('objects', {
      'shop/a.yaml': [configMap('settings', 'greeting'), secret, deployment].join('---\n'),
    })
    const application = {
      name: 'objects',
      path: 'shop',
      repoURL: repository.url,
      branch: 'environments/objects',
    }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/objects?tab=objects', { user: 'admin' })
    const { page } = console
    await page.getByText('3 objects', { exact: true }).waitFor()
    const table = page.getByRole('table', { name: 'Objects' })
    const rows = async () => (await table.getByRole('link').allTextContents()).join(' ')
    assert.equal(await rows(), 'settings web token')
    await table.getByText('Deployment.apps 1').waitFor()
    await page.getByLabel('Kind, name, namespace or text').fill('GREETing')
    await page.getByText('1 object', { exact: true }).waitFor()
    assert.match(page.url(), /text=GREETing/)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('3 objects', { exact: true }).waitFor()
    await table.getByRole('link', { name: 'token', exact: true }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Secret token' })
    await drawer.getByText(/<hidden [0-9a-f]{10}>/).waitFor()
    assert.doesNotMatch((await drawer.textContent()) ?? '', /hunter2/)
    await drawer.getByText(/objects\/manifest\.yaml:\d+|shop\/manifest\.yaml:\d+/).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    assert.doesNotMatch(page.url(), /object=/)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('deployment web')
    await page.getByRole('option', { name: /^Deployment web.*shop, in objects,/ }).click()
    await page.getByRole('dialog', { name: 'Deployment web' }).getByText('replicas').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Manifests' }).press('Space')
    await page.getByRole('group', { name: 'Manifests' }).getByText('replicas').waitFor()
    assert.match(page.url(), /view=yaml/)
  })

  it(
    'are a tree below charts and templates, each with the values that its template reads',
    { skip: renderersMissing },
    async () => {
      const { mesh, open } = await sharedConsole()
      const repository = await mesh.fixture.createRepository('objects-chart', {
        'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'chart/values.yaml': 'greeting: Hello\nother: Nothing\nredis: {size: 2}\n',
        'chart/templates/web.yaml': configMap('web', 'A').replace('"A"', '{{ .Values.greeting }}'),
        'chart/charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
        'chart/charts/redis/templates/set.yaml': configMap('redis', 'A').replace(
          '"A"',
          '"{{ .Values.size }}"',
        ),
      })
      const application = {
        name: 'objects-chart',
        path: 'chart',
        repoURL: repository.url,
        branch: 'environments/objects-chart',
      }
      await mesh.fixture.applyAndWait(await repository.dry.head(), application)
      await using console = await open('/applications/argocd/objects-chart?tab=objects&view=tree', {
        user: 'admin',
      })
      const { page } = console
      const tree = page.getByRole('list', { name: 'Objects by owner' })
      await tree.getByRole('button', { name: 'redis 1 object', exact: true }).waitFor()
      await tree.getByRole('button', { name: 'templates/web.yaml 1 object', exact: true }).press('Enter')
      await tree.getByRole('link', { name: 'web', exact: true }).click()
      const origin = page
        .getByRole('dialog', { name: 'ConfigMap web' })
        .getByRole('region', { name: 'Made from' })
      await origin.getByText('shop › templates/web.yaml', { exact: true }).waitFor()
      const values = origin.getByRole('table', { name: 'Values' })
      await values.getByText('.greeting', { exact: true }).waitFor()
      assert.doesNotMatch((await values.textContent()) ?? '', /other|size/)
      await page.keyboard.press('Escape')
      await tree.getByRole('button', { name: 'templates/set.yaml 1 object', exact: true }).click()
      await tree.getByRole('link', { name: 'redis', exact: true }).click()
      await page
        .getByRole('dialog', { name: 'ConfigMap redis' })
        .getByRole('table', { name: 'Values' })
        .getByText('.redis.size', { exact: true })
        .waitFor()
    },
  )

  it('of which there are 5,000 are drawn as far as they are in sight', async () => {
    const { mesh, open } = await sharedConsole()
    const text = 'x'.repeat(1_700)
    const many = Array.from({ length: 5_000 }, (_, index) => configMap(`many-${index + 10_000}`, text))
    const repository = await mesh.fixture.createRepository('objects-many', {
      'many/a.yaml': many.join('---\n'),
    })
    const application = {
      name: 'objects-many',
      path: 'many',
      repoURL: repository.url,
      branch: 'environments/objects-many',
    }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/objects-many?tab=objects', { user: 'admin' })
    const { page } = console
    await page.getByText('5,000 objects', { exact: true }).waitFor()
    const table = page.getByRole('table', { name: 'Objects' })
    await table.getByRole('link', { name: 'many-10000', exact: true }).waitFor()
    assert.ok((await table.getByRole('row').count()) < 80)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await table.getByRole('link', { name: 'many-14999', exact: true }).click()
    await page.getByRole('dialog', { name: 'ConfigMap many-14999' }).getByText('many-14999').first().waitFor()
    assert.ok((await table.getByRole('row').count()) < 80)
  })
})
