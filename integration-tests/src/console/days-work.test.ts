import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { gitUser } from '../mesh-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'

interface KnownPlaces {
  /** The repository of the Applications. */
  dry: string
  /** A repository without credentials. */
  other: string
  /** A former dry commit. */
  former: string
}

/** Does tasks and counts the clicks: also a field that is filled and a key that does something are one. */
class Hand {
  clicks = 0
  readonly page: Page
  readonly known: KnownPlaces

  constructor(page: Page, known: KnownPlaces) {
    this.page = page
    this.known = known
  }

  /** Clicks what has these names, one after the other. */
  async press(...names: (string | RegExp)[]): Promise<void> {
    for (const name of names) {
      const exact = { name, exact: true }
      const roles = (['button', 'link', 'tab', 'menuitem', 'option', 'checkbox'] as const).map((role) =>
        this.page.getByRole(role, exact),
      )
      await this.click(roles.reduce((all, role) => all.or(role)).first())
    }
  }

  async click(place: Locator): Promise<void> {
    this.clicks++
    await place.click()
  }

  async fill(label: string, text: string): Promise<void> {
    this.clicks++
    const { page } = this
    const password = page.getByLabel(label, { exact: true }).and(page.locator('input[type=password]'))
    await page
      .getByRole('textbox', { name: label, exact: true })
      .or(page.getByRole('combobox', { name: label, exact: true }))
      .or(password)
      .fill(text)
  }

  async key(key: string): Promise<void> {
    this.clicks++
    await this.page.keyboard.press(key)
  }

  /** Ends a task, when the page says this. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }
}

/** The tasks of a day by their names in the guide, each from the list of Applications. */
const tasks: Readonly<Record<string, (hand: Hand) => Promise<void>>> = {
  'See what the newest commit changed in the manifests': async (hand) => {
    await hand.press('day-shop', 'Changes')
    await hand.sees('ConfigMap')
  },
  'Change a value of a chart by a commit': async (hand) => {
    await hand.press('day-shop', 'Parameters')
    await hand.fill('replicas', '5')
    await hand.press('Review and save')
    await hand.sees(/^Writes /)
    await hand.press('Save')
    await hand.sees(/^Commit [0-9a-f]{7} is on main\.$/)
  },
  'See why a hydration failed': async (hand) => {
    await hand.press('day-broken')
    await hand.sees(/no size/)
  },
  'See which file made an object': async (hand) => {
    await hand.press('day-shop', 'Objects')
    await hand.click(hand.page.getByRole('link', { name: 'day', exact: true }))
    await hand.sees(/templates\/a\.yaml/)
  },
  'Find an object by its name in all Applications': async (hand) => {
    await hand.key('Control+k')
    await hand.page.getByRole('combobox', { name: 'Search everything' }).fill('configmap day')
    await hand.page.getByRole('option').filter({ hasText: 'ConfigMap' }).first().waitFor()
    await hand.key('Enter')
    await hand.page.getByRole('dialog', { name: /^ConfigMap day/ }).waitFor()
  },
  'Hydrate an Application again': async (hand) => {
    await hand.press('day-shop', 'Hydrate')
    await hand.sees(/requested|Hydrating|Hydrated/)
  },
  'See what a revision would change before it is merged': async (hand) => {
    await hand.press('day-shop', 'Preview')
    await hand.fill('Dry revision', hand.known.former)
    await hand.click(hand.page.getByRole('button', { name: 'Preview', exact: true }))
    await hand.sees('ConfigMap')
  },
  'Add a repository with a password': async (hand) => {
    await hand.press('Settings', 'Add a repository')
    await hand.fill('URL', hand.known.other)
    await hand.fill('User', gitUser.username)
    await hand.fill('Password or token', gitUser.password)
    await hand.press('Reach and store')
    await hand.page.getByRole('dialog').waitFor({ state: 'hidden' })
  },
  'Make an Application': async (hand) => {
    await hand.press('New Application')
    await hand.fill('Repository', hand.known.other)
    await hand.fill('Path', 'more')
    await hand.fill('Target branch', 'env/day-more')
    await hand.fill('Name', 'day-more')
    await hand.press('Create and hydrate')
    await hand.page.getByRole('heading', { level: 1, name: 'day-more' }).waitFor()
  },
  'Copy an Application': async (hand) => {
    await hand.press('day-more', 'More actions', 'Copy', 'Create and hydrate')
    await hand.page.getByRole('heading', { level: 1, name: 'day-more-copy' }).waitFor()
  },
  'Delete an Application': async (hand) => {
    await hand.press('Select day-more-copy', 'Delete')
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await hand.sees('1 Application deleted')
  },
  'Label all Applications of a list': async (hand) => {
    await hand.press('Select all', 'Label')
    await hand.click(hand.page.getByRole('combobox', { name: 'Labels to set' }))
    await hand.page.keyboard.type('team=day')
    await hand.key('Enter')
    await hand.press('Change labels')
    await hand.sees(/^\d Applications labelled$/)
  },
  'Hydrate all Applications of a list hard': async (hand) => {
    await hand.press('Select all', 'Hydrate hard')
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Hydrate hard' }))
    await hand.sees(/^\d Applications requested/)
  },
  'Open the pull request that promotes a branch': async (hand) => {
    await hand.press('Environments', /^Promote to env\/day-shop.*…$/)
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Promote' }))
    await hand.sees(/^Pull request 1 from env\/day-shop-next is open$/)
  },
  'Go back to a former commit': async (hand) => {
    await hand.press('day-shop', 'History', /^Go back to this/)
    await hand.sees(/^day\//)
    await hand.press('Commit')
    await hand.sees(/^Commit [0-9a-f]{7} is on main\.$/)
  },
  'Compare an Application in two environments': async (hand) => {
    await hand.press('day-shop', 'Compare')
    await hand.click(hand.page.getByRole('combobox', { name: 'Application' }))
    await hand.press('argocd/day-other')
    await hand.page.getByRole('group', { name: 'ConfigMap day after' }).waitFor()
  },
  'See what another version of a tool would change': async (hand) => {
    await hand.press('Impact')
    await hand.fill('Dry repository', hand.known.dry)
    await hand.click(hand.page.getByRole('combobox', { name: 'Helm version' }))
    await hand.click(hand.page.getByRole('option').first())
    await hand.press('Compare')
    await hand.sees(/of \d+ Applications?|Nothing|unchanged/)
  },
  'Ask whether somebody may do something, and which rule says so': async (hand) => {
    await hand.press('Settings', 'Policy')
    await hand.fill('Who', 'ann')
    await hand.press('Ask')
    await hand.sees(/ann/)
  },
  'See who wrote, checked and signed what a branch has': async (hand) => {
    await hand.press('day-shop', /^dry commit [0-9a-f]{7}: what it changed$/)
    await hand.page.getByRole('table', { name: 'Branches' }).waitFor()
  },
  'List the findings of a severity': async (hand) => {
    await hand.press('Findings', /^Warning/)
    await hand.sees('ConfigMap')
  },
}

/** Returns the rows of the table of the guide: by task the clicks here, in Argo CD and in Kargo, of which some lack a page. */
async function guideRows(): Promise<Map<string, (number | undefined)[]>> {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/console.md'), 'utf8')
  const rows = guide.matchAll(/^\| ([A-Z][^|]+?) +\| +(\d+) +\| +(\d+|–) +\| +(\d+|–) +\|$/gm)
  return new Map(
    Array.from(rows, ([, task = '', ...counts]) => [
      task,
      counts.map((count) => (count === '–' ? undefined : Number(count))),
    ]),
  )
}

/** Makes what the tasks are about: an Application with a former commit, which is promoted, and others. */
async function makeDay() {
  const { mesh } = await sharedConsole()
  const chart = {
    'day/Chart.yaml': 'apiVersion: v2\nname: day\nversion: 1.0.0\n',
    'day/values.yaml': 'replicas: 2\n',
    'day/templates/a.yaml': configMap('day', '{{ .Values.replicas }}'),
    'plain/a.yaml': configMap('day', '9'),
    'broken/Chart.yaml': 'apiVersion: v2\nname: broken\nversion: 1.0.0\n',
    'broken/templates/a.yaml': '{{ fail "no size" }}\n',
  }
  const repository = await mesh.fixture.createRepository('acme/day', chart)
  const forge = await connectForge(mesh, repository)
  const more = await mesh.fixture.createRepository('day-more', { 'more/a.yaml': configMap('more', '1') })
  const common = { repoURL: repository.url, path: 'day' }
  const shop = { ...common, name: 'day-shop', branch: 'env/day-shop', hydrateTo: 'env/day-shop-next' }
  const other = { ...common, path: 'plain', name: 'day-other', branch: 'env/day-other' }
  const former = await repository.dry.head()
  await mesh.fixture.applyAndWait(former, shop, other)
  const drySha = await repository.push({ 'day/values.yaml': 'replicas: 3\n' }, 'Raise the size')
  await mesh.fixture.hydrateTo(drySha, 'day-shop')
  await mesh.fixture.applyAndFail({ ...common, name: 'day-broken', path: 'broken', branch: 'env/day-broken' })
  await makeFindings(mesh, 'day-found')
  return { repository, more, forge, former }
}

describe('the work of a day', { skip: noBrowser }, () => {
  it('takes as many clicks as the guide says, and for most tasks fewer than elsewhere', async () => {
    const { open } = await sharedConsole()
    const { repository, more, forge, former } = await makeDay()
    await using _ = forge
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    const counts = new Map<string, number>()
    for (const [task, work] of Object.entries(tasks)) {
      await visit(page, '/applications?text=day-')
      const hand = new Hand(page, { dry: repository.url, other: more.url, former })
      await work(hand)
      counts.set(task, hand.clicks)
    }
    const rows = await guideRows()
    assert.deepEqual(new Map(Array.from(rows, ([task, [clicks]]) => [task, clicks])), counts)
    const fewer = [...rows.values()].filter(([clicks = 0, ...others]) =>
      others.every((other) => other === undefined || clicks < other),
    )
    assert.ok(fewer.length >= 15, `${fewer.length} tasks`)
  })
})
