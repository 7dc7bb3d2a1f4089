import { Button, Group, Stack, Text } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { UnsavedText } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import { YamlField } from '../../components/yaml-field.tsx'
import { copiedApplication } from '../../words/edited-application.ts'
import { objectText, readTyped } from '../../words/object-text.ts'
import { useNewApplication } from './use-new-application.ts'
import { t } from '../../language/t.ts'

/** A new Application that begins as a copy of another one. @param original `namespace/name` */
export function CopyOf({ original }: { original: string }) {
  const [namespace = '', name = ''] = original.split('/')
  const answer = useQuery(ApplicationService.method.getApplication, { namespace, name })
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('{name} cannot be copied', { name })}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  return <CopyEditor original={name} stored={answer.data.application ?? {}} />
}

/** The text of the copy; what is read again of the original leaves it as it is. */
function CopyEditor({ original, stored }: { original: string; stored: JsonObject }) {
  const [initial] = useState(() => objectText(copiedApplication(stored)))
  const [text, setText] = useState(initial)
  const create = useNewApplication()
  const { value, error } = readTyped(text, 'Application')
  return (
    <Stack>
      {text !== initial && <UnsavedText />}
      <Text size="sm" maw={760}>
        {t('A copy of {name}: give it its own name, and its own hydrated branch or directory.', {
          name: original,
        })}
      </Text>
      <YamlField
        kind="Application"
        initial={initial}
        onChange={setText}
        label={t('Application')}
        error={error}
      />
      {create.isError && <ErrorState title={t('The Application was not stored')} error={create.error} />}
      <Group>
        <Button
          loading={create.isPending}
          disabled={!value}
          onClick={() => value && create.mutate({ application: value, validate: true })}
        >
          {t('Create and hydrate')}
        </Button>
        <PageButton to="/applications" variant="default">
          {t('Cancel')}
        </PageButton>
      </Group>
    </Stack>
  )
}
