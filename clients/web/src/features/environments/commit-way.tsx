import type {
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { GivenText } from '../../components/given-text.tsx'
import classes from './environments.module.css'
import { StageLink } from './stage-link.tsx'
import { stageKey } from './stage-words.ts'
import { t } from '../../language/t.ts'

interface CommitWayProps {
  commit: TravellingCommit
  stages: readonly Stage[]
}

/** The way of a dry commit over all stages, with what it changed at those that have it. */
export function CommitWay({ commit: { sha, stages: having }, stages }: CommitWayProps) {
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
