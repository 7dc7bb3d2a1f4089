import type { Stage } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface StageLinkProps {
  stage: Stage
  /** A dry commit that the stage has; empty for the stage as a whole. */
  drySha: string
  className: string | undefined
  /** Names it for screen readers; its text does without. */
  label?: string
  children: ReactNode
}

/**
 * Leads to what a dry commit changed at a stage: to the changes of the Application if it is the only one, else to the commits of the
 * branch. A branch that is merged to has no commits of Wadi's, so its Applications are shown.
 */
export function StageLink({ stage, drySha, className, label, children }: StageLinkProps) {
  const { repoUrl, branch, promotedFrom, applications, application } = stage
  const isPromoted = promotedFrom !== ''
  // A commit has many stages, and nobody goes to all of them.
  const common = { preload: false, className, 'aria-label': label, children } as const
  if (applications === 1 && (drySha !== '' || isPromoted)) {
    const [namespace = '', name = ''] = application.split('/')
    const tab = drySha === stage.drySha && !isPromoted ? 'changes' : 'history'
    return (
      <Link to="/applications/$namespace/$name" params={{ namespace, name }} search={{ tab }} {...common} />
    )
  }
  if (isPromoted) return <Link to="/applications" search={{ branch: [branch] }} {...common} />
  return <Link to="/branch" search={{ repository: repoUrl, branch }} {...common} />
}
