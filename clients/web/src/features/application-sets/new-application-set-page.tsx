import { Stack, Text } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { copiedObject } from '../../words/edited-application.ts'
import { objectText } from '../../words/object-text.ts'
import { newSetText } from './new-set-text.ts'
import { SetForm } from './set-editor.tsx'
import { t } from '../../language/t.ts'

const route = getRouteApi('/application-sets/new')

/** The editor of a new ApplicationSet, an example or a copy, which is previewed before it is stored. */
export function NewApplicationSetPage() {
  const { copy } = route.useSearch()
  return (
    <Stack>
      <PageLink to="/application-sets" size="sm">
        ← {t('All ApplicationSets')}
      </PageLink>
      <PageTitle title={t('New ApplicationSet')} />
      {copy === undefined ? (
        <NewSet text={newSetText}>
          {t(
            'This one makes an Application of each directory below apps/ of a repository. Put your repository and names in their place, or use another generator.',
          )}
        </NewSet>
      ) : (
        <CopyOfSet key={copy} original={copy} />
      )}
    </Stack>
  )
}

/** @param original `namespace/name` */
function CopyOfSet({ original }: { original: string }) {
  const [namespace = '', name = ''] = original.split('/')
  const answer = useQuery(ApplicationSetService.method.getApplicationSet, { namespace, name })
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('{name} cannot be copied', { name })}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  return <SetCopy name={name} stored={answer.data.applicationSet ?? {}} />
}

/** The text of the copy; what is read again of the original leaves it as it is. */
function SetCopy({ name, stored }: { name: string; stored: JsonObject }) {
  const [text] = useState(() => objectText(copiedObject(stored)))
  return (
    <NewSet text={text}>
      {t(
        'A copy of {name}: give it its own name, and its template names and hydrated directories that {name} does not make.',
        { name },
      )}
    </NewSet>
  )
}

function NewSet({ text, children }: { text: string; children: React.ReactNode }) {
  const navigate = useNavigate()
  const show = (set: JsonObject) => {
    const params = { namespace: textAt(set, 'metadata', 'namespace'), name: textAt(set, 'metadata', 'name') }
    // What was typed is stored.
    void navigate({ to: '/application-sets/$namespace/$name', params, ignoreBlocker: true })
  }
  return (
    <>
      <Text size="sm" c="dimmed" maw={760}>
        {children}
      </Text>
      <SetForm stored={{ text, version: '' }} created={show} />
    </>
  )
}
