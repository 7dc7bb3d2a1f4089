import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { PackageIcon } from '@primer/octicons-react/PackageIcon'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { TextFilter } from '../../../components/text-filter.tsx'
import { ValueFilter } from '../../../components/value-filter.tsx'
import { t } from '../../../language/t.ts'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import type { ApplicationSearch } from '../application-tab.ts'
import { ManifestsText } from './manifests-text.tsx'
import { ObjectDrawer } from './object-drawer.tsx'
import { ObjectList } from './object-list.tsx'
import { objectListRequest, useNewestObjects, useObjectCounts } from './object-pages.ts'
import { isObjectView, noNamespace, type ObjectSearch, objectViews } from './object-search.ts'
import { ObjectTree } from './object-tree.tsx'

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

interface ObjectFiltersProps {
  name: ApplicationName
  newest: { hydratedSha: string; namespaces: readonly string[] }
  search: ObjectSearch
  narrow: (change: ObjectSearch) => void
}

/** Narrows the list by text, kind and namespace; the address has it all. */
function ObjectFilters({ name, newest, search, narrow }: ObjectFiltersProps) {
  const { text, kind, within } = search
  const all = useObjectCounts(objectListRequest(name, newest.hydratedSha, {}))
  const kinds = all.data?.kinds ?? []
  const isNarrowed = text !== undefined || kind !== undefined || within !== undefined
  return (
    <>
      <TextFilter
        label={t('Kind, name, namespace or text')}
        text={text}
        narrow={(value) => narrow({ text: value })}
      />
      <ValueFilter
        label={t('Kind')}
        data={kinds.map((one) => ({ value: one.kind, label: `${one.kind} (${one.total})` }))}
        chosen={kind}
        choose={(values) => narrow({ kind: values })}
      />
      <ValueFilter
        label={t('Namespace')}
        data={newest.namespaces.map((value) =>
          value === '' ? { value: noNamespace, label: t('no namespace') } : { value, label: value },
        )}
        chosen={within}
        choose={(values) => narrow({ within: values })}
      />
      {isNarrowed && (
        <Button
          variant="subtle"
          onClick={() => narrow({ text: undefined, kind: undefined, within: undefined })}
        >
          {t('Clear')}
        </Button>
      )}
    </>
  )
}
