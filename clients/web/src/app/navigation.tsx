import { PageNavLink } from '../components/links.tsx'
import { AppsIcon } from '@primer/octicons-react/AppsIcon'
import { GearIcon } from '@primer/octicons-react/GearIcon'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { ShieldIcon } from '@primer/octicons-react/ShieldIcon'
import { StackIcon } from '@primer/octicons-react/StackIcon'
import { TelescopeIcon } from '@primer/octicons-react/TelescopeIcon'
import { WorkflowIcon } from '@primer/octicons-react/WorkflowIcon'
import { useRouterState } from '@tanstack/react-router'
import { t } from '../language/t.ts'

const entries = [
  { to: '/applications', label: t('Applications'), Icon: AppsIcon },
  { to: '/environments', label: t('Environments'), Icon: WorkflowIcon },
  { to: '/branches', label: t('Branches'), Icon: GitBranchIcon },
  { to: '/findings', label: t('Findings'), Icon: ShieldIcon },
  { to: '/application-sets', label: t('ApplicationSets'), Icon: StackIcon },
  { to: '/impact', label: t('Impact'), Icon: TelescopeIcon },
  { to: '/settings', label: t('Settings'), Icon: GearIcon },
] as const

/** The ways to the pages. */
export function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return entries.map(({ to, label, Icon }) => {
    const isHere = path === to || path.startsWith(`${to}/`)
    return (
      <PageNavLink
        key={to}

        to={to}
        label={label}
        leftSection={<Icon />}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
      />
    )
  })
}
