import { getRouteApi } from '@tanstack/react-router'
import { PageTabs } from '../../components/page-tabs.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useRight } from '../../server/rights.ts'
import { AboutTab } from './about-tab.tsx'
import { AccountsTab } from './accounts-tab.tsx'
import { ChecksTab } from './checks-tab.tsx'
import { PluginsTab } from './plugins-tab.tsx'
import { PolicyTab } from './policy-tab.tsx'
import { ProjectsTab } from './projects/projects-tab.tsx'
import { RepositoriesTab } from './repositories/repositories-tab.tsx'
import { RightsTab } from './rights-tab.tsx'
import { isSettingsTab, type SettingsTab, settingsTabs } from './settings-tab.ts'

const route = getRouteApi('/settings')
const contents: Readonly<Record<SettingsTab, () => React.ReactNode>> = {
  repositories: RepositoriesTab,
  projects: ProjectsTab,
  accounts: AccountsTab,
  plugins: PluginsTab,
  rights: RightsTab,
  policy: PolicyTab,
  checks: ChecksTab,
  about: AboutTab,
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
      <PageTitle title="Settings" />
      <PageTabs tabs={offered} chosen={tab} choose={select}>
        <Content />
      </PageTabs>
    </>
  )
}
