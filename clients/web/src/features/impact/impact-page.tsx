import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PageTitle } from '../../components/page-title.tsx'
import { useCaller } from '../../server/caller.ts'
import { ComparisonView } from './comparison-view.tsx'
import { ImpactForm } from './impact-form.tsx'
import { comparedRevision } from './impact-search.ts'
import { t } from '../../language/t.ts'

const route = getRouteApi('/impact')

/** Shows the changes by a dry revision or by other versions of tools on all hydrated branches of its repository; nothing is written. */
export function ImpactPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Somebody else who signs in may see other Applications.
  const caller = useCaller().data?.username
  const { repository, revision, target, helm, kustomize } = search
  const compared = useMemo(
    () => comparedRevision({ repository, revision, target, helm, kustomize }),
    [repository, revision, target, helm, kustomize],
  )
  return (
    <Stack>
      <PageTitle title={t('Impact')} />
      <Text size="sm" c="dimmed">
        {t(
          'Renders a dry revision, such as the branch of a pull request, for every Application of its repository, and compares the result with the hydrated branches. Choose a version of Helm or Kustomize to see what it would change. Nothing is written.',
        )}
      </Text>
      <ImpactForm search={search} compare={(asked) => void navigate({ search: asked })} />
      {compared && <ComparisonView key={JSON.stringify([caller, compared])} compared={compared} />}
    </Stack>
  )
}
