import { Text } from '@mantine/core'
import type {
  Environments,
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { type CSSProperties, type KeyboardEvent, useCallback, useDeferredValue, useState } from 'react'
import { CommitRow } from './commit-row.tsx'
import classes from './environments.module.css'
import { StageCards } from './stage-cards.tsx'
import { stageKey } from './stage-words.ts'
import { WaterColumns } from './water-columns.tsx'
import { t } from '../../language/t.ts'

/** The steps of the keys that lead from one commit to another. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** The stages of a dry repository side by side, and below them the dry commits on their way, of which one can be marked. */
export function Travel({ environments, label }: { environments: Environments; label: string }) {
  const { repoUrl, stages, commits } = environments
  const stagesOf = t('Stages of {repository}', { repository: label })
  const commitsOf = t('Dry commits of {repository}', { repository: label })
  const [pointed, setPointed] = useState('')
  const [chosen, setChosen] = useState('')
  // The buttons of a commit take several renders, which a held arrow key does not wait for.
  const settled = useDeferredValue(chosen)
  const marked = commits.find(({ sha }) => sha === (pointed || chosen))
  const tabStop = commits.some(({ sha }) => sha === chosen) ? chosen : commits[0]?.sha
  const size: CSSProperties & Record<'--stages', number> = { '--stages': stages.length }
  // The pointer may rest on another commit than the keyboard leads to.
  const choose = useCallback((sha: string) => {
    setChosen(sha)
    setPointed('')
  }, [])
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'Escape') setChosen('')
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveFocus(event.currentTarget, step)
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it too
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={stagesOf}>
      <div className={classes.travel} style={size}>
        <div className={classes.heading}>
          <Legend hasCommits={commits.length > 0} />
          <div className={classes.stages}>
            <StageCards environments={environments} label={label} />
            {marked && <MarkedStages stages={stages} commit={marked} />}
          </div>
        </div>
        {commits.length > 0 && (
          <div className={classes.lanes}>
            <WaterColumns stages={stages} commits={commits} />
            <ol className={classes.rows} aria-label={commitsOf} onPointerLeave={() => setPointed('')}>
              {commits.map((commit) => (
                <CommitRow
                  key={commit.sha}
                  commit={commit}
                  stages={stages}
                  repoUrl={repoUrl}
                  isMarked={commit === marked}
                  isChosen={commit.sha === chosen}
                  hasTools={commit.sha === chosen && chosen === settled}
                  isInTabOrder={commit.sha === tabStop}
                  point={setPointed}
                  choose={choose}
                  onKeyDown={onKeyDown}
                />
              ))}
            </ol>
          </div>
        )}
      </div>
    </div>
  )
}

/** A line above each stage, which is bright where the marked commit is. */
function MarkedStages({ stages, commit }: { stages: readonly Stage[]; commit: TravellingCommit }) {
  const reached = new Set(commit.stages)
  return (
    <div className={classes.marked} aria-hidden>
      {stages.map((stage, index) => (
        <div key={stageKey(stage)} data-reached={reached.has(index)} />
      ))}
    </div>
  )
}

/** The meaning of the columns, in the corner above the commits. */
function Legend({ hasCommits }: { hasCommits: boolean }) {
  return (
    <div className={classes.legend}>
      {hasCommits && (
        <>
          <Text size="sm" fw={600}>
            {t('Dry commits')}
          </Text>
          <Text size="xs" c="dimmed">
            <span className={`${classes.sample} ${classes.filled}`} />
            {t('on the branch')}
          </Text>
          <Text size="xs" c="dimmed">
            <span className={`${classes.sample} ${classes.hatched}`} />
            {t('waits for it')}
          </Text>
        </>
      )}
    </div>
  )
}

function moveFocus(from: HTMLElement, step: number): void {
  const row = from.closest('li')
  const rows = [...(row?.parentElement?.children ?? [])]
  const place = rows.findIndex((one) => one === row) + step
  const next = rows[Math.max(0, Math.min(rows.length - 1, place))]
  next?.querySelector('button')?.focus()
}
