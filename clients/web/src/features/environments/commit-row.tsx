import type {
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { type KeyboardEvent, memo } from 'react'
import { Age } from '../../components/age.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { t } from '../../language/t.ts'
import { authorName } from '../../words/author-name.ts'
import classes from './environments.module.css'
import { StageLink } from './stage-link.tsx'
import { reachText, stageKey } from './stage-words.ts'

interface CommitRowProps {
  commit: TravellingCommit
  stages: readonly Stage[]
  /** The dry repository. */
  repoUrl: string
  /** True while its way is shown: it is chosen, or the pointer is on it. */
  isMarked: boolean
  isChosen: boolean
  /** True to show its buttons. */
  hasTools: boolean
  /** True for the row that the Tab key leads to. */
  isInTabOrder: boolean
  point: (sha: string) => void
  choose: (sha: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** A dry commit as a lane over all stages, which shows its way while it is marked. */
export const CommitRow = memo(function CommitRow({
  commit,
  stages,
  repoUrl,
  isMarked,
  isChosen,
  hasTools,
  isInTabOrder,
  point,
  choose,
  onKeyDown,
}: CommitRowProps) {
  const { sha, subject, author, date } = commit
  return (
    <li className={classes.row} data-marked={isMarked || undefined} data-tools={hasTools || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its text is further inside */}
      <button
        type="button"
        className={classes.lane}
        tabIndex={isInTabOrder ? 0 : -1}
        aria-pressed={isChosen}
        onPointerMove={() => point(sha)}
        onFocus={() => choose(sha)}
        onClick={() => choose(sha)}
        onKeyDown={onKeyDown}
      >
        <span className={classes.label}>
          <span className={classes.subject}>
            <GivenText text={subject} lines={1} />
          </span>
          <span className={classes.facts}>
            <span className={classes.sha}>
              <code>{sha.slice(0, 7)}</code> ·{' '}
            </span>
            <GivenText text={authorName(author)} /> · <Age time={date} />
          </span>
          <span className={classes.reach}>{reachText(commit, stages)}</span>
        </span>
      </button>
      {hasTools && (
        <div className={classes.tools}>
          <DryCommitId sha={sha} repoUrl={repoUrl} />
        </div>
      )}
      {isMarked && <CommitWay commit={commit} stages={stages} />}
    </li>
  )
})

interface CommitWayProps {
  commit: TravellingCommit
  stages: readonly Stage[]
}

/** The way of a dry commit over all stages, with what it changed at those that have it. */
function CommitWay({ commit: { sha, stages: having }, stages }: CommitWayProps) {
  const reached = new Set(having)
  return (
    <ol className={classes.way} aria-label={t('Way of {sha}', { sha: sha.slice(0, 7) })}>
      {stages.map((stage, index) => (
        <li key={stageKey(stage)} className={classes.stop} data-reached={reached.has(index)}>
          {reached.has(index) ? (
            <StageLink
              stage={stage}
              drySha={sha}
              className={classes.mark}
              label={t('{sha} on {branch}: what it changed', { sha: sha.slice(0, 7), branch: stage.branch })}
            >
              <Place branch={stage.branch} />
            </StageLink>
          ) : (
            <span className={classes.mark} title={t('not on {branch} yet', { branch: stage.branch })}>
              <Place branch={stage.branch} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function Place({ branch }: { branch: string }) {
  return (
    <>
      <span className={classes.dot} />
      <span className={classes.place}>
        <GivenText text={branch} />
      </span>
    </>
  )
}
