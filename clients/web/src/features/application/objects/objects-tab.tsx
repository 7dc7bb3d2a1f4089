import { Group, SegmentedControl, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PackageIcon } from '@primer/octicons-react/PackageIcon'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import type { ApplicationSearch } from '../application-tab.ts'
import { ManifestsText } from './manifests-text.tsx'
import { ObjectFilters } from './object-filters.tsx'
import { ObjectDrawer } from './object-drawer.tsx'
import { ObjectList } from './object-list.tsx'
import { ObjectTree } from './object-tree.tsx'
import { objectListRequest, useNewestObjects } from './object-pages.ts'
import { isObjectView, objectViews } from './object-search.ts'
import { t } from '../../../language/t.ts'

const route = getRouteApi('/applications/$namespace/$name')

interface ObjectsTabProps {
  name: ApplicationName
  state: ApplicationState
}

/** The objects on the hydrated branch now, as a list by kind, a tree by owner or the text of all. */
export function ObjectsTab({ name, state }: ObjectsTabProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const newest = useNewestObjects(name)
  // A choice is a step that the browser takes back; of a text that is typed, the first letter is.
  const narrow = (change: Partial<ApplicationSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: 'text' in change && search.text !== undefined,
      resetScroll: false,
    })
  if (newest.isPending) return <Loading />
  if (newest.isLoadingError)
    return (
      <ErrorState
        title={t('The objects cannot be read')}
        error={newest.error}
        retry={() => void newest.refetch()}
      />
    )
  const { hydratedSha, namespaces, total } = newest.data
  if (total === 0)
    return (
      <EmptyState
        icon={<PackageIcon size={32} />}
        title={t('No objects')}
        text={t('The dry source renders to nothing on the hydrated branch.')}
      />
    )
  const { view = 'list' } = search
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('View')}
          data={Object.entries(objectViews).map(([value, label]) => ({ value, label }))}
          value={view}
          onChange={(value) => {
            if (isObjectView(value)) narrow({ view: value === 'list' ? undefined : value })
          }}
        />
        {view === 'list' && (
          <ObjectFilters name={name} newest={{ hydratedSha, namespaces }} search={search} narrow={narrow} />
        )}
      </Group>
      {view === 'list' && <ObjectList request={objectListRequest(name, hydratedSha, search)} />}
      {view === 'tree' && <ObjectTree name={name} state={state} hydratedSha={hydratedSha} />}
      {view === 'yaml' && <ManifestsText name={name} />}
      {search.object !== undefined && (
        <ObjectDrawer
          name={name}
          state={state}
          hydratedSha={hydratedSha}
          object={search.object}
          close={() => narrow({ object: undefined })}
        />
      )}
    </Stack>
  )
}
