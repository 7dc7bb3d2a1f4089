import { describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { fewLooks } from '../usable-page-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { assertUsable } from './usable-console-fixture.ts'

/** A state that somebody brings a page to. */
interface State {
  address: string
  /** The way to it from the page. */
  open: (page: Page) => Promise<void>
  /** The way out, if that is more than to leave the page. */
  end?: (page: Page) => Promise<void>
}

const application = '/applications/argocd/states'
const filtered = '/applications?text=states'

async function press(page: Page, ...names: (string | RegExp)[]): Promise<void> {
  for (const name of names)
    await page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('menuitem', { name, exact: true }))
      .first()
      .click()
}

/** Types at the end of an editor's text. */
async function typeAtEnd(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).fill(text)
}

const waitForDialog = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor()

/** The states by their names: each kind of menu, dialog, editor and filter once. */
const states: Readonly<Record<string, State>> = {
  'a menu': { address: application, open: (page) => press(page, 'More actions') },
  'the menu of the account': { address: '/applications', open: (page) => press(page, 'admin') },
  'all filters': { address: filtered, open: (page) => press(page, 'More filters') },
  'the choices of a filter': {
    address: filtered,
    open: (page) => page.getByRole('combobox', { name: 'Group by' }).click(),
  },
  'a filter that matches nothing': {
    address: '/applications?text=nothing+has+this',
    open: (page) => page.getByText('No Application matches').waitFor(),
  },
  'a selection': {
    address: filtered,
    open: (page) => page.getByRole('checkbox', { name: 'Select states', exact: true }).check(),
  },
  'labels of a selection': {
    address: filtered,
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select states', exact: true }).check()
      await press(page, 'Label')
      await page.getByRole('combobox', { name: 'Labels to set' }).fill('no label')
      await page.keyboard.press('Enter')
      await page.getByText(/is not a label such as/).waitFor()
    },
  },
  'the search': {
    address: '/applications',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search everything' }).fill('states')
      await page
        .getByRole('option', { name: /^states/ })
        .first()
        .waitFor()
    },
    end: (page) => page.keyboard.press('Escape'),
  },
  'the way back to a commit': {
    address: `${application}?tab=history`,
    open: async (page) => {
      await page.getByRole('button', { name: /^Go back to this/ }).click()
      await page.getByText('states/a.yaml', { exact: true }).waitFor()
    },
  },
  'the question before text is left': {
    address: `${application}?tab=history`,
    open: async (page) => {
      await page.getByRole('button', { name: /^Go back to this/ }).click()
      await fill(page, 'Message of the commit', 'Typed')
      await page.keyboard.press('Escape')
      await waitForDialog(page, 'Leave what you typed?')
    },
  },
  'the deletion of an Application': {
    address: application,
    open: (page) => press(page, 'More actions', 'Delete'),
  },
  'an editor with an unknown field': {
    address: `${application}?tab=object`,
    open: async (page) => {
      await typeAtEnd(page, 'Application', '  revisionHistoryLimitt: 3')
      await page.getByText(/^Line \d+: unknown field/).waitFor()
    },
  },
  'an editor with text that is not YAML': {
    address: `${application}?tab=object`,
    open: async (page) => {
      await typeAtEnd(page, 'Application', '}')
      await page.getByText(/^Line \d+: /).waitFor()
    },
  },
  'the fields that an editor offers': {
    address: `${application}?tab=object`,
    open: async (page) => {
      await typeAtEnd(page, 'Application', '  rev')
      await page.keyboard.press('Control+Space')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
    },
  },
  'the review of a change': {
    address: `${application}?tab=object`,
    open: async (page) => {
      await typeAtEnd(page, 'Application', '  revisionHistoryLimit: 3')
      await press(page, 'Review')
      await page.getByRole('dialog').getByText('revisionHistoryLimit').first().waitFor()
    },
  },
  'typed parameters': {
    address: '/applications/argocd/states-chart?tab=parameters',
    open: async (page) => {
      await fill(page, 'replicas', '3')
      await page.getByText(/^1 parameter changed: /).waitFor()
    },
  },
  'a form of a new Application with errors': {
    address: '/applications/new',
    open: (page) => press(page, 'Create and hydrate'),
  },
  'the preview of a set': {
    address: '/application-sets/argocd/state-set',
    open: async (page) => {
      await press(page, 'Preview')
      await page.getByRole('button', { name: 'Apply', exact: true, disabled: false }).waitFor()
    },
  },
  'a new project': { address: '/settings?tab=projects', open: (page) => press(page, 'New project') },
  'the deletion of a project': {
    address: '/settings?tab=projects',
    open: (page) => press(page, 'Actions of project web', 'Delete'),
  },
  'a new repository with errors': {
    address: '/settings',
    open: (page) => press(page, 'Add a repository', 'Reach and store'),
  },
  'the keys of an account with a new one': {
    address: '/settings?tab=accounts',
    open: async (page) => {
      await press(page, 'Manage keys of bob', 'Make a key')
      await page.getByRole('textbox', { name: 'New key' }).waitFor()
    },
    end: (page) => press(page, /^Revoke /, /^For good\?/, 'Close the dialog', 'Leave'),
  },
  'an object of a chart with what made it': {
    address: '/applications/argocd/states-chart?tab=objects&object=ConfigMap//chart',
    open: (page) => page.getByRole('table', { name: 'Values' }).waitFor(),
  },
  'a save without a network': {
    address: '/applications/argocd/states-chart?tab=parameters',
    open: async (page) => {
      await fill(page, 'replicas', '3')
      await page.context().setOffline(true)
      await press(page, 'Review and save')
      await page.getByText('The server cannot be reached. Check the network and try again.').first().waitFor()
    },
    end: (page) => page.context().setOffline(false),
  },
}

/** The pages and parts of pages that read something. */
const addresses = [
  '/applications',
  application,
  `${application}?tab=changes`,
  `${application}?tab=parameters`,
  `${application}?tab=history`,
  `${application}?tab=objects`,
  `${application}?tab=runs`,
  `${application}?tab=object`,
  '/environments',
  '/branches',
  '/findings',
  '/application-sets',
  '/application-sets/argocd/state-set',
  '/impact',
  '/settings',
  '/settings?tab=projects',
  '/settings?tab=accounts',
  '/settings?tab=plugins',
  '/settings?tab=policy',
  '/settings?tab=checks',
]

const calls = /\/(?:wadi|argocd)\.[\w.]+\/\w+$/
/** The calls without which nobody sees a page. */
const frame = /\/(?:GetSession|GetSignInMethods)$/
const stalled: Route[] = []

/** The answers of the server by the state that they bring pages to. With empty lists, everything else is as it was. */
const answers: Readonly<Record<string, (route: Route) => unknown>> = {
  loading: (route) => stalled.push(route),
  refused: (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'permission_denied', message: 'permission denied: applications, get' }),
    }),
  empty: (route) => {
    if (/\/Watch\w+$/.test(route.request().url())) return route.abort()
    if (!/\/(?:List|Search)\w+$/.test(route.request().url())) return route.continue()
    return route.fulfill({ contentType: 'application/proto', body: '' })
  },
}

/** Makes what the states are of: an Application with a former commit, a chart and a set. */
async function makeObjects(): Promise<void> {
  const { mesh } = await sharedConsole()
  const { repository, branch } = await mesh.fixture.hydratedOnce('states')
  const former = await repository.head(branch)
  await repository.push({ 'states/a.yaml': configMap('states', '2') })
  await mesh.fixture.hydrate('states')
  await repository.waitForHead(branch, (head) => head !== former)
  const chart = await mesh.fixture.createRepository('states-chart', {
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/values.yaml': 'replicas: 2\n',
    'chart/templates/a.yaml': configMap('chart', '{{ .Values.replicas }}'),
  })
  await mesh.fixture.applyAndWait(await chart.dry.head(), {
    name: 'states-chart',
    path: 'chart',
    repoURL: chart.url,
    branch: 'environments/states-chart',
  })
  const template = { metadata: { name: '{{name}}' }, spec: { project: 'default', destination: {} } }
  await mesh.admin.resources.applyResource({
    resource: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'state-set' },
      spec: { generators: [{ list: { elements: [] } }], template },
    },
  })
}

describe('every state of the pages', { skip: noBrowser }, () => {
  it('can be used by everybody, light and dark, wide and on a telephone', async () => {
    const { open } = await sharedConsole()
    await makeObjects()
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    for (const [name, state] of Object.entries(states)) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await visit(page, state.address)
      await state.open(page)
      await assertUsable(page, name, { among: fewLooks })
      await state.end?.(page)
    }
  })

  it('can be used while pages wait for the server, when it refuses, and when there is nothing', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await using owned = new AsyncDisposableStack()
    owned.defer(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.reload()
    })
    for (const [position, [kind, answer]] of Object.entries(answers).entries()) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.route(calls, (route) =>
        frame.test(route.request().url()) ? route.continue() : answer(route),
      )
      // What was read before is forgotten.
      await page.reload()
      for (const [index, address] of addresses.entries()) {
        await visit(page, address)
        // Few parts show these states, each on many pages: every page has both looks among its states.
        const look = fewLooks.slice((position + index) % fewLooks.length).slice(0, 1)
        await assertUsable(page, `${kind} ${address}`, { among: look, isLoading: kind === 'loading' })
      }
    }
  })
})
