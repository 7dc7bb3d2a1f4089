import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readApplicationFilter } from '../features/applications/application-filter.ts'
import { ApplicationsPage } from '../features/applications/applications-page.tsx'
import { readApplicationSearch } from '../features/application/application-tab.ts'
import type { pages } from './pages.ts'
import { readSetsSearch } from '../features/application-sets/set-search.ts'
import { readBranchSearch, readBranchesSearch } from '../features/branches/branch-search.ts'
import { readCommitSearch } from '../features/environments/commit-search.ts'
import { readEnvironmentSearch } from '../features/environments/environment-search.ts'
import { readFindingSearch } from '../features/findings/finding-search.ts'
import { readImpactSearch } from '../features/impact/impact-search.ts'
import { readSettingsTab } from '../features/settings/settings-tab.ts'
import { loadLaterTexts } from '../language/catalogue.ts'
import { ConsoleShell } from './console-shell.tsx'
import { PageFailed } from './page-failed.tsx'
import { PageMissing } from './page-missing.tsx'
import { readCopySearch } from '../words/copy-search.ts'

type Page = (typeof pages)[number]

/** Returns a page that is loaded, with its texts, when somebody goes to it. */
function laterPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    await loadLaterTexts()
    return load()
  }, name)
}

const root = createRootRoute({ component: ConsoleShell, notFoundComponent: PageMissing })

const start = createRoute({
  getParentRoute: () => root,
  path: '/' satisfies Page,
  beforeLoad: () => {
    throw redirect({ to: '/applications' })
  },
})

const applications = createRoute({
  getParentRoute: () => root,
  path: '/applications' satisfies Page,
  validateSearch: readApplicationFilter,
  component: ApplicationsPage,
})

const newApplication = createRoute({
  getParentRoute: () => root,
  path: '/applications/new' satisfies Page,
  validateSearch: readCopySearch,
  component: laterPage(
    () => import('../features/applications/new-application-page.tsx'),
    'NewApplicationPage',
  ),
})

const application = createRoute({
  getParentRoute: () => root,
  path: '/applications/$namespace/$name' satisfies Page,
  validateSearch: readApplicationSearch,
  component: laterPage(() => import('../features/application/application-page.tsx'), 'ApplicationPage'),
})

const environments = createRoute({
  getParentRoute: () => root,
  path: '/environments' satisfies Page,
  validateSearch: readEnvironmentSearch,
  component: laterPage(() => import('../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
})

const commit = createRoute({
  getParentRoute: () => root,
  path: '/commit' satisfies Page,
  validateSearch: readCommitSearch,
  component: laterPage(() => import('../features/environments/commit-page.tsx'), 'CommitPage'),
})

const branches = createRoute({
  getParentRoute: () => root,
  path: '/branches' satisfies Page,
  validateSearch: readBranchesSearch,
  component: laterPage(() => import('../features/branches/branches-page.tsx'), 'BranchesPage'),
})

const branch = createRoute({
  getParentRoute: () => root,
  path: '/branch' satisfies Page,
  validateSearch: readBranchSearch,
  component: laterPage(() => import('../features/branches/branch-page.tsx'), 'BranchPage'),
})

const findings = createRoute({
  getParentRoute: () => root,
  path: '/findings' satisfies Page,
  validateSearch: readFindingSearch,
  component: laterPage(() => import('../features/findings/findings-page.tsx'), 'FindingsPage'),
})

const applicationSets = createRoute({
  getParentRoute: () => root,
  path: '/application-sets' satisfies Page,
  validateSearch: readSetsSearch,

  component: laterPage(
    () => import('../features/application-sets/application-sets-page.tsx'),
    'ApplicationSetsPage',
  ),
})

const newApplicationSet = createRoute({
  getParentRoute: () => root,
  path: '/application-sets/new' satisfies Page,
  validateSearch: readCopySearch,
  component: laterPage(
    () => import('../features/application-sets/new-application-set-page.tsx'),
    'NewApplicationSetPage',
  ),
})

const applicationSet = createRoute({
  getParentRoute: () => root,
  path: '/application-sets/$namespace/$name' satisfies Page,

  component: laterPage(
    () => import('../features/application-sets/application-set-page.tsx'),
    'ApplicationSetPage',
  ),
})

const impact = createRoute({
  getParentRoute: () => root,
  path: '/impact' satisfies Page,
  validateSearch: readImpactSearch,
  component: laterPage(() => import('../features/impact/impact-page.tsx'), 'ImpactPage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings' satisfies Page,
  validateSearch: readSettingsTab,
  component: laterPage(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
})

/** The pages of the console; their paths are listed in `pages.ts` too. */
export const router = createRouter({
  routeTree: root.addChildren([
    start,
    applications,
    newApplication,
    application,
    environments,
    commit,
    branches,
    branch,
    findings,
    applicationSets,
    newApplicationSet,
    applicationSet,
    impact,
    settings,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
