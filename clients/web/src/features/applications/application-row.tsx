import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { useRouter } from '@tanstack/react-router'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { memo, type MouseEvent } from 'react'
import { Age } from '../../components/age.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { phaseLook } from '../../components/phase-badge.tsx'
import { t } from '../../language/t.ts'
import { visibleText } from '../../words/visible-text.ts'
import classes from './application-list.module.css'

/**
 * The cells of one Application. Dozens of rows are drawn for a frame of a fast scroll, so they are elements of HTML where other
 * pages have components of the library.
 */
export const ApplicationRow = memo(({ row }: { row: ApplicationSummary }) => {
  const { namespace, name, project, drySha, hydrateToBranch, syncBranch, renderers, tools } = row
  return (
    <>
      <div role="cell" className={classes.name}>
        <OpenLink namespace={namespace} name={name} />
      </div>
      <Phase row={row} />
      <div role="cell" className={classes.project}>
        {project}
      </div>
      <div role="cell" className={classes.branch}>
        {(hydrateToBranch || syncBranch) && (
          <>
            <GitBranchIcon size={12} /> <GivenText text={hydrateToBranch || syncBranch} />
          </>
        )}
      </div>
      <div role="cell" className={classes.renderer}>
        {(tools.length > 0 ? tools : renderers).join(', ')}
      </div>
      <div role="cell" className={classes.commit}>
        {drySha !== '' && <code>{drySha.slice(0, 7)}</code>}
      </div>
      <div role="cell" className={classes.age}>
        <Age time={row.finishedAt || row.startedAt} />
      </div>
    </>
  )
})

function Phase({ row: { phase, message, foreignChange, warnings, deleting } }: { row: ApplicationSummary }) {
  const { label, color, Icon } = phaseLook(phase)
  const trouble =
    foreignChange ||
    (warnings > 0 ? t('{count, plural, one {# warning} other {# warnings}}', { count: warnings }) : '')
  return (
    <div role="cell" className={classes.phase} title={visibleText(message)}>
      <span className={classes.mark} data-color={color}>
        <Icon size={12} /> {label}
      </span>
      {trouble !== '' && (
        <span className={classes.trouble} title={visibleText(trouble)}>
          <AlertIcon aria-label={visibleText(trouble)} />
        </span>
      )}
      {deleting && <span className={classes.deleting}>{t('deleting')}</span>}
    </div>
  )
}

/** A link to an Application that costs less to draw than the router's, which follows the address of the page. */
function OpenLink({ namespace, name }: { namespace: string; name: string }) {
  const router = useRouter()
  const target = { to: '/applications/$namespace/$name', params: { namespace, name } } as const
  const follow = (event: MouseEvent) => {
    // The browser opens another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <a
      href={`/applications/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`}
      className={classes.link}
      onClick={follow}
      onPointerEnter={() => void router.preloadRoute(target)}
    >
      {name}
    </a>
  )
}
