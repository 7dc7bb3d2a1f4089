import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Loading } from '../../components/loading.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useRight } from '../../server/rights.ts'
import { isSettingsTab, type SettingsTab, settingsTabs } from './settings-tab.ts'
import { lazyPart } from '../../components/lazy-part.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/settings')
const contents: Readonly<Record<SettingsTab, React.ComponentType>> = {
  repositories: lazyPart(async () => (await import('./repositories/repositories-tab.tsx')).RepositoriesTab),
  projects: lazyPart(async () => (await import('./projects/projects-tab.tsx')).ProjectsTab),
  accounts: lazyPart(async () => (await import('./accounts-tab.tsx')).AccountsTab),
  plugins: lazyPart(async () => (await import('./plugins-tab.tsx')).PluginsTab),
  rights: lazyPart(async () => (await import('./rights-tab.tsx')).RightsTab),
  policy: lazyPart(async () => (await import('./policy-tab.tsx')).PolicyTab),
  checks: lazyPart(async () => (await import('./checks-tab.tsx')).ChecksTab),
  about: lazyPart(async () => (await import('./about-tab.tsx')).AboutTab),
}

/** Shows the settings of the server, as far as the caller may see them. */
export function SettingsPage() {
  const { tab = 'repositories' } = route.useSearch()
  const navigate = route.useNavigate()
  const Content = contents[tab]
  const mayReadPolicy = useRight('settings', 'get', 'ConfigMap/argocd-rbac-cm')
  const mayReadChecks = useRight('settings', 'get', 'ConfigMap/argocd-cm')
  const isOffered: Partial<Record<string, boolean>> = { policy: mayReadPolicy, checks: mayReadChecks }
  const offered = Object.entries(settingsTabs).filter(
    ([value]) => value === tab || (isOffered[value] ?? true),
  )
  const select = (value: string | null) => {
    if (isSettingsTab(value)) void navigate({ search: { tab: value === 'repositories' ? undefined : value } })
  }
  return (
    <>
      <PageTitle title={t('Settings')} />
      <PageTabs tabs={offered} chosen={tab} choose={select}>
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </PageTabs>
    </>
  )
}
