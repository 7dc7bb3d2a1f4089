import { UnstyledButton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ApplicationGroup } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { GivenText } from '../../components/given-text.tsx'
import { severityLook } from '../../components/severity-badge.tsx'
import { unknownRenderer, withoutTool } from './more-filters.tsx'
import { narrowedToGroup } from './application-filter.ts'
import classes from './application-list.module.css'
import { t } from '../../language/t.ts'

const route = getRouteApi('/applications')

/** The heading of a group of Applications, which narrows the list to it. */
export function GroupHeading({ group: { value, total } }: { group: ApplicationGroup }) {
  const { group = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const narrowed = narrowedToGroup(group, value)
  const title = (
    <>
      <GivenText text={groupTitle(group, value)} />
      <span className={classes.groupTotal}>
        {t('{count, plural, one {# Application} other {# Applications}}', { count: total })}
      </span>
    </>
  )
  return (
    <div role="cell" className={classes.group}>
      {narrowed ? (
        <UnstyledButton
          className={classes.groupLink}
          title={t('Show this group alone')}
          onClick={() =>
            void navigate({ search: ({ group: _group, ...before }) => ({ ...before, ...narrowed }) })
          }
        >
          {title}
        </UnstyledButton>
      ) : (
        title
      )}
    </div>
  )
}

function groupTitle(group: string, value: string): string {
  if (group === 'findings') return value === '' ? t('No findings') : severityLook(value).label
  if (group === 'renderer' && value === '') return unknownRenderer
  if (group === 'tool' && value === '') return withoutTool
  const name = group.startsWith('label:') ? group.slice('label:'.length) : undefined
  if (name === undefined) return value === '' ? t('Others') : value
  return value === '' ? t('Without {label}', { label: name }) : `${name}=${value}`
}
