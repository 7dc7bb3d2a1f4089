import { Badge } from '@mantine/core'
import type {
  Environments,
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { memo } from 'react'
import { Age } from '../../components/age.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { authorName } from '../../words/author-name.ts'
import classes from './environments.module.css'
import { StageChanges } from './stage-changes.tsx'
import { StageLink } from './stage-link.tsx'
import { stageLook } from './stage-look.ts'
import { behindText, stageKey } from './stage-words.ts'
import { t } from '../../language/t.ts'

interface StageCardsProps {
  environments: Environments
  label: string
}

interface StageCardProps {
  stage: Stage
  environments: Environments
  /** The dry commit of the stage; undefined when it is not listed. */
  commit: TravellingCommit | undefined
}

/** The stages of a dry repository in their order; marking a commit does not draw them again. */
export const StageCards = memo(function StageCards({ environments, label }: StageCardsProps) {
  const { stages, commits } = environments
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]))
  return (
    <ol className={classes.cards} aria-label={t('Stages of {repository}', { repository: label })}>
      {stages.map((stage) => (
        <StageCard
          key={stageKey(stage)}
          stage={stage}
          environments={environments}
          commit={bySha.get(stage.drySha)}
        />
      ))}
    </ol>
  )
})

/** A stage with its dry commit, how far it is behind, and what it waits for. */
function StageCard({ stage, environments, commit }: StageCardProps) {
  const { label, color, Icon } = stageLook(stage.state)
  return (
    <li className={classes.card}>
      <StageLink stage={stage} drySha="" className={classes.name} label={stage.branch}>
        <BranchName branch={stage.branch} />
      </StageLink>
      <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} />} miw="max-content">
        {label}
      </Badge>
      <HeldCommit stage={stage} environments={environments} commit={commit} />
      <Origin stage={stage} environments={environments} />
      <Reason stage={stage} />
      <StageChanges stage={stage} environments={environments} />
    </li>
  )
}

/** The last part of a branch, by which stages differ, below the parts before it. */
function BranchName({ branch }: { branch: string }) {
  const start = branch.lastIndexOf('/') + 1
  return (
    <>
      <span className={classes.prefix}>
        <GivenText text={branch.slice(0, start)} lines={1} />
      </span>
      <GivenText text={branch.slice(start)} lines={2} />
    </>
  )
}

/** The dry commit of a stage, or the version of its chart, with what the commit says of itself. */
function HeldCommit({ stage, environments, commit }: StageCardProps) {
  const { drySha, version, since, behind } = stage
  if (drySha === '') return <div className={classes.note}>{t('nothing yet')}</div>
  return (
    <>
      <div className={classes.held}>
        {version === '' ? (
          <PageLink
            to="/commit"
            search={{ repository: environments.repoUrl, sha: drySha }}
            preload={false}
            size="xs"
            title={drySha}
            aria-label={t('{sha} of {branch}: what it changed', {
              sha: drySha.slice(0, 7),
              branch: stage.branch,
            })}
          >
            <code>{drySha.slice(0, 7)}</code>
          </PageLink>
        ) : (
          <GivenText text={t('version {version}', { version })} />
        )}
        <span data-behind={behind > 0}>{behindText(stage, environments)}</span>
      </div>
      <div className={classes.note}>
        {commit && <GivenText text={commit.subject} lines={1} />}
        <div className={classes.line}>
          <Age time={since} />
          {commit && since !== '' && ' · '}
          {commit && <GivenText text={authorName(commit.author)} />}
        </div>
      </div>
    </>
  )
}

/** The branch that is merged to this one, and the revision where stages follow several. */
function Origin({ stage, environments }: Pick<StageCardProps, 'stage' | 'environments'>) {
  const { promotedFrom, targetRevision } = stage
  const isShared = environments.stages.every((other) => other.targetRevision === targetRevision)
  const origins = [
    promotedFrom === '' ? '' : t('merged from {branch}', { branch: promotedFrom }),
    isShared ? '' : t('of {revision}', { revision: targetRevision }),
  ]
  const text = origins.filter((origin) => origin !== '').join(', ')
  return text === '' ? null : (
    <div className={classes.note}>
      <GivenText text={text} lines={2} />
    </div>
  )
}

/** The reason why something waits at a stage, with the pull request that it waits for. */
function Reason({ stage: { state, reason, pullRequestUrl } }: Pick<StageCardProps, 'stage'>) {
  if (state === 'PullRequest') return <OutsideLink url={pullRequestUrl} words={reason || t('open')} />
  return reason === '' ? null : (
    <div className={classes.reason}>
      <GivenText text={reason} lines={2} lang="en" />
    </div>
  )
}
