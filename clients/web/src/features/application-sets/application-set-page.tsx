import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useQuery, useTransport } from '@connectrpc/connect-query'
import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { DetailPage } from '../../components/detail-page.tsx'
import { PageButton, PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { t } from '../../language/t.ts'
import { useLiveStream } from '../../server/live-stream.ts'
import { useRight } from '../../server/rights.ts'
import { generatorNames, setErrors } from './application-set.ts'
import { DeleteSetDialog, type SetName } from './delete-set-dialog.tsx'
import { SetEditor } from './set-editor.tsx'
import { SetElements } from './set-elements.tsx'

const route = getRouteApi('/application-sets/$namespace/$name')
const { getApplicationSet } = ApplicationSetService.method

/** One ApplicationSet: its generators, its Applications, and an editor that shows what a change would do. */
export function ApplicationSetPage() {
  const { namespace, name } = route.useParams()
  const answer = useQuery(getApplicationSet, { namespace, name })
  const stream = useSetUpdates(namespace, name)
  const set = answer.data?.applicationSet ?? {}
  const project = textAt(set, 'spec', 'template', 'spec', 'project')
  const mayEdit = useRight('applications', 'update', `${project}/*`)
  const mayGenerate = useRight('applications', 'create', `${project}/*`)
  return (
    <DetailPage
      back={
        <PageLink to="/application-sets" size="sm">
          ← {t('All ApplicationSets')}
        </PageLink>
      }
      title={name}
      answer={answer}
      beside={
        answer.data && (
          <>
            <LiveMark state={stream} />
            <PageButton to="/applications" search={{ set: name }} variant="default">
              {t('Show its Applications')}
            </PageButton>
            <SetMenu name={{ namespace, name }} project={project} version={answer.data.version} />
          </>
        )
      }
    >
      {answer.data && (
        <>
          <Group gap="lg">
            <Text size="sm">{t('Generators: {names}', { names: generatorNames(set).join(', ') })}</Text>
            <Text size="sm">{t('Project: {name}', { name: project })}</Text>
          </Group>
          <Warnings title={t('Apply failed')} texts={setErrors(set)} />
          {mayGenerate && <SetElements set={set} />}
          <SetEditor set={set} version={answer.data.version} mayEdit={mayEdit} />
        </>
      )}
    </DetailPage>
  )
}

/** Puts the set into the cache when the server reports a change of it. */
function useSetUpdates(namespace: string, name: string) {
  const transport = useTransport()
  const cache = useQueryClient()
  const queryKey = createConnectQueryKey({
    schema: getApplicationSet,
    input: { namespace, name },
    transport,
    cardinality: 'finite',
  })
  return useLiveStream({
    key: `${namespace}/${name}`,
    open: (signal) =>
      createClient(ApplicationSetService, transport).watchApplicationSets({ namespace, name }, { signal }),
    receive: ({ type, applicationSet, version }) => {
      if (type === 'DELETED' || !applicationSet) void cache.invalidateQueries({ queryKey })
      else cache.setQueryData(queryKey, (known) => known && { ...known, applicationSet, version })
    },
  })
}

interface SetMenuProps {
  name: SetName
  project: string
  /** The version that the page shows. */
  version: string
}

/** Copies and deletes an ApplicationSet, as far as the caller may do that with its Applications. */
function SetMenu({ name, project, version }: SetMenuProps) {
  const navigate = useNavigate()
  const [isDeleting, { open, close }] = useDisclosure()
  const mayCopy = useRight('applications', 'create', `${project}/*`)
  const mayDelete = useRight('applications', 'delete', `${project}/*`)
  const copy = () =>
    void navigate({ to: '/application-sets/new', search: { copy: `${name.namespace}/${name.name}` } })
  return (
    <>
      <ActionMenu
        label={t('More actions')}
        copy={mayCopy ? copy : undefined}
        remove={mayDelete ? open : undefined}
      />
      {isDeleting && <DeleteSetDialog set={name} version={version} close={close} />}
    </>
  )
}
