import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useMemo } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { originTree } from './origin-tree.ts'
import { OwnedObjects, TreeNodes } from './tree-nodes.tsx'
import classes from './objects.module.css'
import { t } from '../../../language/t.ts'

interface ObjectTreeProps {
  name: ApplicationName
  state: ApplicationState
  hydratedSha: string
}

/** The objects below the charts, directories and templates that they were made from. */
export function ObjectTree({ name, state, hydratedSha }: ObjectTreeProps) {
  const commit = { ...name, hydratedSha }
  const answer = useQuery(ApplicationService.method.listObjectOrigins, commit, {
    staleTime: Infinity,
    retry: false,
  })
  const tree = useMemo(() => {
    const sources = state.sources.map(({ repoUrl, path }) => [repoUrl, path].filter(Boolean).join(' '))
    return originTree(answer.data?.origins ?? [], sources)
  }, [answer.data, state.sources])
  if (answer.isPending) return <Loading />
  if (answer.isError)
    return (
      <ErrorState
        title={t('It cannot be found out what made the objects')}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { origins, unknown } = answer.data
  return (
    <Stack gap="sm">
      {origins.length === 0 && (
        <Alert color="gray" icon={<InfoIcon />} title={t('No owners')}>
          {t('What rendered the objects does not say from which templates or files they come.')}
        </Alert>
      )}
      {origins.length > 0 && (
        <ul className={classes.tree} aria-label={t('Objects by owner')}>
          <TreeNodes nodes={tree} commit={commit} isOpen={origins.length <= 100} />
        </ul>
      )}
      {origins.length > 0 && unknown > 0 && (
        <section aria-label={t('Objects without a known owner')}>
          <Text size="sm" c="dimmed">
            {t(
              '{count, plural, one {# object without a known owner} other {# objects without a known owner}}',
              {
                count: unknown,
              },
            )}
          </Text>
          <ul className={classes.tree}>
            <OwnedObjects commit={commit} origin={0} />
          </ul>
        </section>
      )}
    </Stack>
  )
}
