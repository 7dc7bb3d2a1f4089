import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const schema = {
  properties: {
    image: {
      description: 'The image of the pods',
      properties: {
        pullPolicy: { enum: ['Always', 'IfNotPresent'] },
        tag: { type: 'string', pattern: '^(v[0-9]+)+$' },
      },
    },
    replicas: { type: 'integer', minimum: 1, maximum: 9 },
  },
}

const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: chart}\ndata: {values: "{{ .Values | toJson | b64enc }}"}\n'

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml':
    'image:\n  pullPolicy: Always\n  tag: v1\n# -- Pods that answer\nreplicas: 2\n# Where they may run\ntolerations: []\n',
  'chart/values.schema.json': JSON.stringify(schema),
  'chart/templates/a.yaml': template,
}

describe('the form of a chart', { skip: noBrowser }, () => {
  it('knows types, choices, limits and descriptions, and shows the effect while somebody types', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('chart-form', chart)
    const application = {
      name: 'chart-form',
      path: 'chart',
      repoURL: repository.url,
      branch: 'environments/chart-form',
    }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/chart-form?tab=parameters', { user: 'admin' })
    const { page } = console
    const values = page.getByRole('group', { name: 'Values', exact: true })
    await values.getByText('The image of the pods').waitFor()
    await values.getByText('Pods that answer').waitFor()
    await values.getByText('A whole number; from 1 to 9').waitFor()
    const replicas = page.getByRole('textbox', { name: 'replicas', exact: true })
    await replicas.fill('10')
    await page.getByText('10 is more than 9').waitFor()
    await replicas.fill('3')
    const effect = page.getByRole('region', { name: 'What the changes do' })
    await effect.getByText('ConfigMap chart: changed').waitFor()
    await effect.getByText(/^Compared at dry commit [0-9a-f]{7}/).waitFor()
    await page.getByText('1 parameter changed: 1 object would change').waitFor()
    // The page runs no pattern; the tool refuses what does not match.
    await page.getByRole('textbox', { name: 'image.tag', exact: true }).fill('latest')
    await effect.getByText('The source cannot be rendered with these values').waitFor()
    await page.getByRole('textbox', { name: 'image.tag', exact: true }).fill('v2')
    await page.getByRole('combobox', { name: 'image.pullPolicy', exact: true }).click()
    await page.getByRole('option', { name: 'IfNotPresent' }).click()
    await page.getByRole('textbox', { name: 'tolerations', exact: true }).fill('- {key: a, operator: Exists}')
    await page.getByText('4 parameters changed: 1 object would change').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('ConfigMap chart: changed').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    const written = await runTestGit(repository.directory, ['show', 'main:chart/.argocd-source.yaml'])
    for (const line of [/name: replicas\n +value: "3"/, /name: image.tag\n +value: v2/, /operator: Exists/]) {
      assert.match(written, line)
    }
  })

  it('is a tree that opens by keyboard and can be searched', async () => {
    const { mesh, open } = await sharedConsole()
    const many = Array.from({ length: 90 }, (_, index) => `  value${index}: ${index}\n`).join('')
    const repository = await mesh.fixture.createRepository('chart-tree', {
      ...chart,
      'chart/values.yaml': `# All of them\nmany:\n${many}deep:\n  inner:\n    leaf: 1\n`,
      'chart/values.schema.json': '{}',
    })
    const application = {
      name: 'chart-tree',
      path: 'chart',
      repoURL: repository.url,
      branch: 'environments/chart-tree',
    }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/chart-tree?tab=parameters', { user: 'admin' })
    const { page } = console
    const heading = page.getByRole('button', { name: 'many 90 values' })
    await heading.focus()
    assert.equal(await heading.getAttribute('aria-expanded'), 'false')
    await page.keyboard.press('Enter')
    await page.getByText('All of them').waitFor()
    await page.getByRole('button', { name: 'Show 30 more of 30' }).click()
    await page.getByRole('textbox', { name: 'many.value89', exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Find a parameter' }).fill('leaf')
    await page.getByRole('textbox', { name: 'deep.inner.leaf', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^many / }).count(), 0)
  })

  it('works without a schema that is wrong, and says so', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('chart-wrong', {
      ...chart,
      'chart/values.yaml': `replicas: 2\n? ${'k'.repeat(60_000)}\n: 1\n`,
      'chart/values.schema.json': '{"properties": {"replicas": {"$ref": "https://example.com/x.json"}}}',
    })
    const application = {
      name: 'chart-wrong',
      path: 'chart',
      repoURL: repository.url,
      branch: 'environments/chart-wrong',
    }
    await mesh.fixture.apply(application)
    await using console = await open('/applications/argocd/chart-wrong?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByText(/^the form does without the chart's schema: .*leads out of the schema/).waitFor()
    await page.getByRole('textbox', { name: 'replicas', exact: true }).fill('3')
    const box = await page.getByRole('group', { name: /^k{60000}$/ }).boundingBox()
    assert.ok((box?.height ?? Infinity) < 300, `the field is ${box?.height} pixels high`)
  })
})
