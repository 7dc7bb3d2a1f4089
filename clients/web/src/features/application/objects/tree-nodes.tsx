import { Button, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ChevronDownIcon } from '@primer/octicons-react/ChevronDownIcon'
import { ChevronRightIcon } from '@primer/octicons-react/ChevronRightIcon'
import { keepPreviousData } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { ForgeLink } from '../../../components/forge-links.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { ApplicationName } from '../application-name.ts'
import { ObjectLink } from './object-link.tsx'
import classes from './objects.module.css'
import type { OriginNode } from './origin-tree.ts'
import { t } from '../../../language/t.ts'

/** Items that are drawn at first below one node, and how many more come with each step. */
const step = 100

interface Commit extends ApplicationName {
  hydratedSha: string
}

interface TreeNodesProps {
  nodes: readonly OriginNode[]
  commit: Commit
  /** True if owners are open at first; templates are not. */
  isOpen: boolean
}

/** The nodes below one of the tree. */
export function TreeNodes({ nodes, commit, isOpen }: TreeNodesProps) {
  const [drawn, setDrawn] = useState(step)
  return (
    <>
      {nodes.slice(0, drawn).map((node) => (
        <TreeNode key={node.key} node={node} commit={commit} isOpen={isOpen} />
      ))}
      <MoreItem
        left={nodes.length - drawn}
        countOf={(count) => t('{count, plural, one {# template} other {# templates}}', { count })}
        show={() => setDrawn(drawn + step)}
      />
    </>
  )
}

function TreeNode({ node, commit, isOpen }: Omit<TreeNodesProps, 'nodes'> & { node: OriginNode }) {
  const { label, objects, children, template } = node
  const [isShown, setShown] = useState(isOpen && template === undefined)
  const { origin, repoUrl = '', drySha = '' } = template?.listed ?? {}
  const { file = '' } = origin ?? {}
  return (
    <li>
      <UnstyledButton
        className={classes.node ?? ''}
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <ChevronDownIcon /> : <ChevronRightIcon />}
        <Text span size="sm" {...(template === undefined && { fw: 600 })}>
          <GivenText text={label} />
        </Text>
        <Text span size="xs" c="dimmed">
          {objectCount(objects)}
        </Text>
      </UnstyledButton>
      <ForgeLink
        repoUrl={repoUrl}
        place={{ file, sha: drySha, line: 0 }}
        label={t('file {name}', { name: file })}
      />
      {isShown && (
        <ul className={classes.tree}>
          {template === undefined ? (
            <TreeNodes nodes={children} commit={commit} isOpen={isOpen} />
          ) : (
            <OwnedObjects commit={commit} origin={template.position} />
          )}
        </ul>
      )}
    </li>
  )
}

/** The objects of one template; those without a known one for 0. */
export function OwnedObjects({ commit, origin }: { commit: Commit; origin: number }) {
  const [limit, setLimit] = useState(step)
  const answer = useQuery(
    ApplicationService.method.listObjects,
    { ...commit, origin, limit },
    { staleTime: Infinity, retry: false, placeholderData: keepPreviousData },
  )
  if (answer.isPending)
    return (
      <li>
        <Loading />
      </li>
    )
  if (answer.isError)
    return (
      <li>
        <ErrorState
          title={t('The objects cannot be read')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      </li>
    )
  const { objects, total } = answer.data
  return (
    <>
      {objects.map(({ identity, file, line }) => (
        <li key={`${file}:${line} ${identity?.kind} ${identity?.name}`} className={classes.owned}>
          <Text span size="sm" c="dimmed" mr="xs">
            {identity?.kind}
          </Text>
          {identity && <ObjectLink identity={identity} />}
          {identity && identity.namespace !== '' && (
            <Text span size="xs" c="dimmed" ml="xs">
              <GivenText text={identity.namespace} />
            </Text>
          )}
        </li>
      ))}
      <MoreItem
        left={total - objects.length}
        countOf={objectCount}
        // The server returns no more at once; the list has all.
        show={limit < 500 ? () => setLimit(Math.min(500, limit + step)) : undefined}
      />
    </>
  )
}

function objectCount(count: number): string {
  return t('{count, plural, one {# object} other {# objects}}', { count })
}

interface MoreItemProps {
  left: number
  /** Returns a number of them in words. */
  countOf: (count: number) => string
  show: (() => void) | undefined
}

function MoreItem({ left, countOf, show }: MoreItemProps) {
  if (left <= 0) return null
  return (
    <li className={classes.owned}>
      {show ? (
        <Button variant="subtle" size="compact-sm" onClick={show}>
          {t('Show more of {objects}', { objects: countOf(left) })}
        </Button>
      ) : (
        <Text span size="sm" c="dimmed">
          {t('and {objects}, which the list has', { objects: countOf(left) })}
        </Text>
      )}
    </li>
  )
}
